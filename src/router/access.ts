// The checks before a handler, in their order: credential (401), root where only a tenant's actor may go (403), the world (404), rights (403).
import type { Context, MiddlewareHandler } from 'hono';
import { createMiddleware } from 'hono/factory';
import type { Env } from '../env.ts';
import type { ManifestRegistry } from '../protocol/registry.ts';
import type { WorldRpc } from '../protocol/rpc.ts';
import { refusals } from './answers.ts';
import { authenticate } from './authentication.ts';
import type { Authenticated } from './authentication.ts';
import type { AppEnv, Caller } from './context.ts';

/** The role that makes worlds and keys, moves clocks, and connects integrations. */
const OPERATOR = 'operator';

function isOperator(caller: Caller): boolean {
  return caller.kind === 'member' && caller.principal.roles.includes(OPERATOR);
}

/** The object of a tenant's world. Names hold no slash, so no two worlds share one. */
export function worldObject(env: Env, tenant: string, world: string): WorldRpc {
  return env.WORLD.getByName(`${tenant}/${world}`);
}

/** A refusal, or null where the caller may go on. Notes on the context what the handler will need. */
type Admission = (c: Context<AppEnv>, found: Authenticated) => Response | null;

const anyone: Admission = () => null;

const root: Admission = (_c, { caller }) => (caller.kind === 'root' ? null : refusals.right());

/** Root, or an operator of the tenant in the path whose credential is not narrowed to some worlds. */
const tenantOperator: Admission = (c, { caller }) => {
  if (caller.kind === 'root') return null;
  if (caller.principal.tenant !== c.req.param('tenant')) return refusals.tenant();
  return isOperator(caller) && caller.worlds === null ? null : refusals.right();
};

/** An actor of a tenant. */
const member: Admission = (c, { caller }) => {
  if (caller.kind === 'root') return refusals.right();
  c.set('caller', caller);
  c.set('principal', caller.principal);
  return null;
};

/** An operator who may see the world in the path, which need not exist. */
const worldMaker: Admission = (c, found) => {
  const { caller } = found;
  if (!isOperator(caller)) return refusals.right();
  if (caller.kind === 'member' && caller.worlds?.includes(c.req.param('world') ?? '') === false) return refusals.world();
  return member(c, found);
};

/** An actor of the tenant to which the world in the path belongs, with a credential that may see it. */
const inWorld: Admission = (c, found) => {
  const refused = member(c, found);
  if (refused !== null) return refused;
  if (found.world === null) return refusals.world();
  c.set('world', worldObject(c.env, c.get('principal').tenant, found.world.world));
  return null;
};

/** Middleware per kind of route, over the manifests that say which roles there are. */
export function accessTo(manifests: ManifestRegistry) {
  const check = (admit: Admission, worldOf: (c: Context<AppEnv>) => string | null = () => null): MiddlewareHandler<AppEnv> =>
    createMiddleware<AppEnv>(async (c, next) => {
      const found = await authenticate({ env: c.env, manifests }, c.req.header('authorization'), worldOf(c));
      if (found === null) return refusals.credential();
      return admit(c, found) ?? next();
    });
  return {
    anyone: check(anyone),
    root: check(root),
    tenantOperator: check(tenantOperator),
    member: check(member),
    worldMaker: check(worldMaker),
    inWorld: check(inWorld, (c) => c.req.param('world') ?? ''),
  } as const;
}

export type Access = ReturnType<typeof accessTo>;

/** Only operators pass; comes after a check that sets the caller. */
export const operatorOnly = createMiddleware<AppEnv>(async (c, next) => (isOperator(c.get('caller')) ? next() : refusals.right()));

/** What only development has does not exist elsewhere. */
export const developmentOnly = createMiddleware<AppEnv>(async (c, next) => (c.env.ENVIRONMENT === 'development' ? next() : refusals.route()));
