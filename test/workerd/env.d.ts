/// <reference types="@cloudflare/vitest-plugin/types" />
import type { Tenant } from '../../durable-objects/tenant.ts';
import type { World } from '../../durable-objects/world.ts';

declare global {
  namespace Cloudflare {
    interface Env {
      readonly TENANT: DurableObjectNamespace<Tenant>;
      readonly WORLD: DurableObjectNamespace<World>;
    }
  }
}
