// The sealed manifests of this deployment, for anyone with a key: their list, and the exact canonical bytes of each.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { manifestHash } from '../../protocol/names.ts';
import { manifestOf } from '../../protocol/registry.ts';
import type { ManifestRegistry } from '../../protocol/registry.ts';
import { manifestList } from '../../protocol/worlds.ts';
import type { Access } from '../access.ts';
import { json, refuse } from '../answers.ts';
import type { App } from '../app.ts';
import { answer, problems, withKey } from '../describe.ts';

const tags = ['manifests'];

export function manifestRoutes(app: App, access: Access, manifests: ManifestRegistry): void {
  const list = createRoute({
    method: 'get',
    path: '/v1/manifests',
    operationId: 'listManifests',
    summary: 'The sealed manifests of this deployment',
    tags,
    security: withKey,
    middleware: [access.anyone],
    responses: { 200: answer('Their names, versions and hashes.', manifestList), ...problems(401) },
  });
  app.openapi(list, () => json({ manifests: manifests.map(({ name, version, hash }) => ({ name, version, hash })) }));

  const one = createRoute({
    method: 'get',
    path: '/v1/manifests/{hash}',
    operationId: 'readManifest',
    summary: 'The canonical bytes of a manifest',
    tags,
    security: withKey,
    middleware: [access.anyone],
    request: { params: z.object({ hash: manifestHash }) },
    responses: { 200: answer('Canonical JSON; its SHA-256 is the hash.', z.record(z.string(), z.unknown())), ...problems(401, 404, 422) },
  });
  app.openapi(one, (c) => {
    const entry = manifestOf(manifests, c.req.valid('param').hash);
    if (entry === undefined) return refuse(404, 'this deployment has no such manifest');
    return new Response(entry.text, { headers: { 'content-type': 'application/json' } });
  });
}
