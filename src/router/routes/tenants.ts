// Tenants and their keys: platform rights, outside any world.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import type { Context } from 'hono';
import { issueKeyBody, issuedKey, keyList, tenantAnswer, tenantBody } from '../../protocol/keys.ts';
import type { IssueKeyBody } from '../../protocol/keys.ts';
import { keyId, tenantName } from '../../protocol/names.ts';
import type { ProblemError } from '../../protocol/problem.ts';
import type { ManifestRegistry } from '../../protocol/registry.ts';
import type { Access } from '../access.ts';
import { json, refusals, refuse } from '../answers.ts';
import type { App } from '../app.ts';
import { jsonBody } from '../body.ts';
import type { AppEnv } from '../context.ts';
import { makeKey } from '../credential-key.ts';
import { answer, bodyOf, problems, withKey } from '../describe.ts';
import { roleDefect } from '../roles.ts';

const inTenant = z.object({ tenant: tenantName });
const tags = ['tenants'];

export function tenantRoutes(app: App, access: Access, manifests: ManifestRegistry): void {
  const create = createRoute({
    method: 'post',
    path: '/v1/tenants',
    operationId: 'createTenant',
    summary: 'Create a tenant (root)',
    tags,
    security: withKey,
    middleware: [access.root, jsonBody],
    request: { body: bodyOf(tenantBody) },
    responses: { 200: answer('It exists already.', tenantAnswer), 201: answer('Created.', tenantAnswer), ...problems(400, 401, 403, 413, 415, 422) },
  });
  app.openapi(create, async (c) => {
    const { tenant } = c.req.valid('json');
    const made = await c.env.TENANT.getByName(tenant).create(tenant);
    return json({ tenant }, made === 'created' ? 201 : 200);
  });
  issueRoute(app, access, manifests);
  listRoute(app, access);
  revokeRoute(app, access);
}

function issueRoute(app: App, access: Access, manifests: ManifestRegistry): void {
  const issue = createRoute({
    method: 'post',
    path: '/v1/tenants/{tenant}/keys',
    operationId: 'issueKey',
    summary: 'Issue a key for an actor (root, or an operator of the tenant)',
    tags,
    security: withKey,
    middleware: [access.tenantOperator, jsonBody],
    request: { params: inTenant, body: bodyOf(issueKeyBody) },
    responses: { 201: answer('The key, shown this once.', issuedKey), ...problems(400, 401, 403, 404, 413, 415, 422) },
  });
  app.openapi(issue, async (c) => {
    const body = c.req.valid('json');
    const errors = keyDefects(body, manifests, Date.now());
    if (errors.length > 0) return refuse(422, 'the key cannot be issued', errors);
    return issued(c, c.req.valid('param').tenant, body);
  });
}

/** What no schema can say: the roles fit the actor, and the key has not expired before it is made. */
function keyDefects(body: IssueKeyBody, manifests: ManifestRegistry, now: number): readonly ProblemError[] {
  const roles = body.roles.flatMap((role, index) => {
    const code = roleDefect(manifests, body.actor, role);
    return code === null ? [] : [{ path: `roles.${index}`, code }];
  });
  const expired = body.expiresAt !== undefined && !(Date.parse(body.expiresAt) > now);
  return expired ? [...roles, { path: 'expiresAt', code: 'not_in_the_future' }] : roles;
}

async function issued(c: Context<AppEnv>, tenant: string, body: IssueKeyBody): Promise<Response> {
  const { id, key, secretDigest } = await makeKey(tenant);
  const roles = [...new Set(body.roles)];
  const worlds = body.worlds === undefined ? null : [...new Set(body.worlds)];
  const expiresAt = body.expiresAt === undefined ? null : new Date(body.expiresAt).toISOString();
  const stored = await c.env.TENANT.getByName(tenant).issueKey({ id, secretDigest, actor: body.actor, roles, worlds, expiresAt });
  return stored === 'no_tenant' ? refusals.tenant() : json({ id, key, actor: body.actor, roles, worlds, expiresAt }, 201);
}

function listRoute(app: App, access: Access): void {
  const list = createRoute({
    method: 'get',
    path: '/v1/tenants/{tenant}/keys',
    operationId: 'listKeys',
    summary: "The tenant's keys, without secrets (root, or an operator of the tenant)",
    tags,
    security: withKey,
    middleware: [access.tenantOperator],
    request: { params: inTenant },
    responses: { 200: answer('The keys.', keyList), ...problems(401, 403, 404, 422) },
  });
  app.openapi(list, async (c) => {
    const tenant = c.env.TENANT.getByName(c.req.valid('param').tenant);
    return (await tenant.exists()) ? json({ keys: await tenant.listKeys() }) : refusals.tenant();
  });
}

function revokeRoute(app: App, access: Access): void {
  const revoke = createRoute({
    method: 'delete',
    path: '/v1/tenants/{tenant}/keys/{id}',
    operationId: 'revokeKey',
    summary: 'End a key, at once (root, or an operator of the tenant)',
    tags,
    security: withKey,
    middleware: [access.tenantOperator],
    request: { params: z.object({ tenant: tenantName, id: keyId }) },
    responses: { 204: answer('It is no longer valid.'), ...problems(401, 403, 404, 422) },
  });
  app.openapi(revoke, async (c) => {
    const { tenant, id } = c.req.valid('param');
    const revoked = await c.env.TENANT.getByName(tenant).revokeKey(id);
    return revoked ? new Response(null, { status: 204 }) : refuse(404, 'there is no such key');
  });
}
