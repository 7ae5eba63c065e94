// The entry point of the deployment: the HTTP door, and the two kinds of Durable Object behind it.
import { manifests } from '../manifests/registry.ts';
import { createApp } from './router/app.ts';

export { Tenant } from '../durable-objects/tenant.ts';
export { World } from '../durable-objects/world.ts';

export default createApp({ manifests });
