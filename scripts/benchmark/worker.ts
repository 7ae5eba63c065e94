// The product's own router with one route more: the bare object, behind the same authentication.
import { manifests } from '../../manifests/registry.ts';
import type { Env } from '../../src/env.ts';
import { createApp } from '../../src/router/app.ts';
import { accessTo } from '../../src/router/access.ts';
import type { Bare } from './bare.ts';

export { Tenant } from '../../durable-objects/tenant.ts';
export { World } from '../../durable-objects/world.ts';
export { Bare } from './bare.ts';

interface BenchmarkEnv extends Env {
  readonly BARE: { getByName(name: string): Pick<Bare, 'write' | 'read'> };
}

const app = createApp({ manifests });
const { inWorld } = accessTo(manifests);

app.use('/v1/worlds/:world/bare', inWorld);
app.post('/v1/worlds/:world/bare', async (c) => {
  const bare = (c.env as BenchmarkEnv).BARE.getByName(c.req.param('world'));
  const body: unknown = JSON.parse(await c.req.text());
  const answer = await bare.write(JSON.stringify(body));
  return c.body(answer.body, 200, { 'content-type': 'application/json' });
});
app.get('/v1/worlds/:world/bare', async (c) => {
  const bare = (c.env as BenchmarkEnv).BARE.getByName(c.req.param('world'));
  return c.body((await bare.read()).body, 200, { 'content-type': 'application/json' });
});

export default app;
