// From the `Authorization` header to who is asking. The credential alone decides; nothing is kept between requests, so that a deleted
// or expired key ends at once. Every failure is the same null.
import type { Env } from '../env.ts';
import type { ManifestRegistry } from '../protocol/registry.ts';
import type { WorldEntry } from '../protocol/rpc.ts';
import type { Caller } from './context.ts';
import { looksLikeJwt, readJwt } from './credential-jwt.ts';
import { readKey } from './credential-key.ts';
import { sameSecret } from './digest.ts';

/** Longest credential that is looked at. */
const bearerLengthMax = 8192;

export interface Authenticated {
  readonly caller: Caller;
  /** The world asked for, where the caller may see it. */
  readonly world: WorldEntry | null;
}

export interface Authenticator {
  readonly env: Env;
  readonly manifests: ManifestRegistry;
}

/** Who the header's credential stands for; `world` is looked up on the way. */
export async function authenticate(by: Authenticator, authorization: string | undefined, world: string | null): Promise<Authenticated | null> {
  const bearer = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
  if (bearer === undefined || bearer.length > bearerLengthMax) return null;
  if (await isRoot(by.env, bearer)) return { caller: { kind: 'root' }, world: null };
  return looksLikeJwt(bearer) ? byJwt(by, bearer, world) : byKey(by.env, bearer, world);
}

async function isRoot(env: Env, bearer: string): Promise<boolean> {
  return env.ROOT_KEY !== undefined && env.ROOT_KEY !== '' && (await sameSecret(env.ROOT_KEY, bearer));
}

async function byKey(env: Env, bearer: string, world: string | null): Promise<Authenticated | null> {
  const key = await readKey(bearer);
  if (key === null) return null;
  const { id, tenant, secretDigest } = key;
  const found = await env.TENANT.getByName(tenant).authenticate({ id, secretDigest }, world);
  if (found === null || found.principal.tenant !== tenant) return null;
  return { caller: { kind: 'member', principal: found.principal, worlds: found.worlds }, world: found.world };
}

async function byJwt(by: Authenticator, bearer: string, world: string | null): Promise<Authenticated | null> {
  const claims = await readJwt(bearer, by.env, by.manifests);
  if (claims === null) return null;
  const tenant = by.env.TENANT.getByName(claims.tenant);
  const worlds = claims.worlds ?? null;
  const entry = world === null || worlds?.includes(world) === false ? null : await tenant.findWorld(world);
  if (entry === null && !(await tenant.exists())) return null;
  const principal = { tenant: claims.tenant, actor: claims.actor, roles: claims.roles };
  return { caller: { kind: 'member', principal, worlds }, world: entry };
}
