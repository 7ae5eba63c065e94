// Making worlds, listing them, describing one, and moving the clock of one in development.
import { createRoute } from '@hono/zod-openapi';
import type { Context } from 'hono';
import * as z from 'zod';
import { worldName } from '../../protocol/names.ts';
import type { ManifestRegistry } from '../../protocol/registry.ts';
import type { WorldEntry } from '../../protocol/rpc.ts';
import { worldSummary } from '../../protocol/world-object.ts';
import { clockAnswer, clockBody, putWorldBody, worldEntry, worldList } from '../../protocol/worlds.ts';
import type { Access } from '../access.ts';
import { developmentOnly, operatorOnly, worldObject } from '../access.ts';
import { json, refusals, refuse, send } from '../answers.ts';
import type { App } from '../app.ts';
import { jsonBody } from '../body.ts';
import type { AppEnv } from '../context.ts';
import { answer, bodyOf, problems, withKey } from '../describe.ts';
import { chooseManifest } from '../manifest-choice.ts';

const tags = ['worlds'];
const inWorld = z.object({ world: worldName });

export function worldRoutes(app: App, access: Access, manifests: ManifestRegistry): void {
  putRoute(app, access, manifests);
  listRoute(app, access);
  describeRoute(app, access);
  clockRoute(app, access);
}

function putRoute(app: App, access: Access, manifests: ManifestRegistry): void {
  const put = createRoute({
    method: 'put',
    path: '/v1/worlds/{world}',
    operationId: 'putWorld',
    summary: 'Create a world under a manifest (operator)',
    tags,
    security: withKey,
    middleware: [access.worldMaker, jsonBody],
    request: { params: inWorld, body: bodyOf(putWorldBody) },
    responses: {
      200: answer('It exists under this manifest.', worldEntry),
      201: answer('Created.', worldEntry),
      ...problems(400, 401, 403, 404, 409, 413, 415, 422),
    },
  });
  app.openapi(put, async (c) => {
    const { world } = c.req.valid('param');
    const pinned = await c.env.TENANT.getByName(c.get('principal').tenant).findWorld(world);
    const choice = chooseManifest(manifests, c.req.valid('json'), pinned?.manifest ?? null);
    if (!choice.found) return refuse(422, 'this deployment has no such manifest', [choice.error]);
    return putWorld(c, { world, manifest: choice.manifest });
  });
}

/** Lists the world with its tenant, then opens it. Opening is idempotent, so a crash between the two is mended by the next call. */
async function putWorld(c: Context<AppEnv>, entry: WorldEntry): Promise<Response> {
  const principal = c.get('principal');
  const put = await c.env.TENANT.getByName(principal.tenant).putWorld(entry);
  if (put === 'no_tenant') return refusals.tenant();
  if (put === 'other_manifest') return refuse(409, 'the world is pinned to another manifest');
  const opened = await worldObject(c.env, principal.tenant, entry.world).open(principal, entry.world, entry.manifest.hash);
  if (opened.status >= 300) return send(opened);
  return json(entry, put === 'created' ? 201 : 200);
}

function listRoute(app: App, access: Access): void {
  const list = createRoute({
    method: 'get',
    path: '/v1/worlds',
    operationId: 'listWorlds',
    summary: "The tenant's worlds, as far as the credential may see them",
    tags,
    security: withKey,
    middleware: [access.member],
    responses: { 200: answer('The worlds.', worldList), ...problems(401, 403) },
  });
  app.openapi(list, async (c) => {
    const caller = c.get('caller');
    const seen = caller.kind === 'member' ? caller.worlds : [];
    const worlds = await c.env.TENANT.getByName(c.get('principal').tenant).listWorlds();
    return json({ worlds: worlds.filter(({ world }) => seen === null || seen.includes(world)) });
  });
}

function describeRoute(app: App, access: Access): void {
  const describe = createRoute({
    method: 'get',
    path: '/v1/worlds/{world}',
    operationId: 'describeWorld',
    summary: 'Manifest, status and head of a world',
    tags,
    security: withKey,
    middleware: [access.inWorld],
    request: { params: inWorld },
    responses: { 200: answer('The world.', worldSummary), ...problems(401, 403, 404) },
  });
  app.openapi(describe, async (c) => send(await c.get('world').describe(c.get('principal'))));
}

function clockRoute(app: App, access: Access): void {
  const clock = createRoute({
    method: 'post',
    path: '/v1/worlds/{world}/clock',
    operationId: 'advanceClock',
    summary: "Move the world's clock forward (operator; development only)",
    tags,
    security: withKey,
    middleware: [access.inWorld, developmentOnly, operatorOnly, jsonBody],
    request: { params: inWorld, body: bodyOf(clockBody) },
    responses: { 200: answer("The world's time now.", clockAnswer), ...problems(400, 401, 403, 404, 413, 415, 422) },
  });
  app.openapi(clock, async (c) => send(await c.get('world').advance(c.get('principal'), c.req.valid('json').advanceMs)));
}
