// A JWT in place of a key: signature, algorithm, issuer, audience and expiry are checked; the claims say tenant, actor and roles.
import { createLocalJWKSet, createRemoteJWKSet, jwtVerify } from 'jose';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import * as z from 'zod';
import type { Env } from '../env.ts';
import { actorId, roleName, tenantName, worldName } from '../protocol/names.ts';
import type { ManifestRegistry } from '../protocol/registry.ts';
import { roleDefect } from './roles.ts';

const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'];
const clockToleranceSeconds = 5;

/** What a deployment must say before any JWT is believed. */
interface Issuer {
  readonly issuer: string;
  readonly audience: string;
  readonly keys: JWTVerifyGetKey;
}

const claims = z.object({
  tenant: tenantName,
  actor: actorId,
  roles: z.array(roleName).min(1).max(16),
  worlds: z.array(worldName).max(100).optional(),
});
export type Claims = z.output<typeof claims>;

/** Key sets by their source: a remote set keeps its own cache and cool-down. */
const keySets = new Map<string, JWTVerifyGetKey>();

function keySet(source: string, make: () => JWTVerifyGetKey): JWTVerifyGetKey {
  const known = keySets.get(source);
  if (known !== undefined) return known;
  const made = make();
  keySets.set(source, made);
  return made;
}

function issuerOf(env: Env): Issuer | null {
  const { JWT_ISSUER: issuer, JWT_AUDIENCE: audience, JWT_JWKS: inline, JWT_JWKS_URL: url } = env;
  if (!issuer || !audience) return null;
  if (inline) return { issuer, audience, keys: keySet(inline, () => createLocalJWKSet(JSON.parse(inline) as JSONWebKeySet)) };
  if (url) return { issuer, audience, keys: keySet(url, () => createRemoteJWKSet(new URL(url))) };
  return null;
}

/** Three parts in base64url, the first a JSON object. */
export function looksLikeJwt(bearer: string): boolean {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(bearer);
}

/** The claims of a JWT that this deployment believes, or null for every failure. */
export async function readJwt(bearer: string, env: Env, registry: ManifestRegistry): Promise<Claims | null> {
  try {
    const issuer = issuerOf(env);
    if (issuer === null) return null;
    const options = {
      algorithms: ALGORITHMS,
      issuer: issuer.issuer,
      audience: issuer.audience,
      requiredClaims: ['exp'],
      clockTolerance: clockToleranceSeconds,
    };
    const { payload } = await jwtVerify(bearer, issuer.keys, options);
    const read = claims.safeParse(payload);
    if (!read.success) return null;
    const { actor, roles } = read.data;
    return roles.every((role) => roleDefect(registry, actor, role) === null) ? read.data : null;
  } catch {
    return null;
  }
}
