// Webhooks from providers. No credential: the signature, checked in the world, is what counts. Every failure is the same 401, so that
// nobody learns which tenants, worlds or integrations there are.
import { createRoute } from '@hono/zod-openapi';
import type { Context } from 'hono';
import * as z from 'zod';
import { integrationName, tenantName, worldName } from '../../protocol/names.ts';
import type { Reply } from '../../protocol/rpc.ts';
import { worldObject } from '../access.ts';
import { refusals, refuse, send } from '../answers.ts';
import type { App } from '../app.ts';
import { TOO_LARGE, readCapped, utf8 } from '../body.ts';
import type { AppEnv } from '../context.ts';
import { answer, problems } from '../describe.ts';

const params = z.object({ tenant: tenantName, world: worldName, integration: integrationName });

export function hookRoutes(app: App): void {
  const hook = createRoute({
    method: 'post',
    path: '/v1/hooks/{tenant}/{world}/{integration}',
    operationId: 'deliver',
    summary: 'A signed delivery of a provider',
    description: 'Recorded, also when it is a duplicate or about nothing that this world knows.',
    tags: ['hooks'],
    security: [],
    request: { params },
    responses: { 200: answer('Recorded.'), ...problems(401, 413) },
  });
  app.openapi(hook, deliver, (result) => (result.success ? undefined : refusals.hook()));
}

async function deliver(c: Context<AppEnv>): Promise<Response> {
  const bytes = await readCapped(c.req.raw);
  if (bytes === TOO_LARGE) return refuse(413, 'the delivery is too large');
  const named = params.safeParse(c.req.param());
  const body = utf8(bytes);
  if (!named.success || body === null) return refusals.hook();
  const reply = await delivered(c, named.data, body);
  return reply === null || reply.status === 401 ? refusals.hook() : send(reply);
}

async function delivered(c: Context<AppEnv>, to: z.output<typeof params>, body: string): Promise<Reply | null> {
  const { tenant, world, integration } = to;
  if ((await c.env.TENANT.getByName(tenant).findWorld(world)) === null) return null;
  return worldObject(c.env, tenant, world).hook({ integration, headers: Object.fromEntries(c.req.raw.headers), body });
}
