// The HTTP door: routes, and what holds for every request before and after them.
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { PROBLEM_TITLES } from '../protocol/problem.ts';
import type { ProblemStatus } from '../protocol/problem.ts';
import type { ManifestRegistry } from '../protocol/registry.ts';
import { accessTo } from './access.ts';
import { logFault, refusals, refuse } from './answers.ts';
import { authenticate } from './authentication.ts';
import type { AppEnv } from './context.ts';
import { doesNotFit } from './defects.ts';
import { careful, noStore, requestId } from './edge.ts';
import { hookRoutes } from './routes/hooks.ts';
import { manifestRoutes } from './routes/manifests.ts';
import { objectRoutes } from './routes/objects.ts';
import { proposalRoutes } from './routes/proposals.ts';
import { publicRoutes } from './routes/public.ts';
import { tenantRoutes } from './routes/tenants.ts';
import { worldRoutes } from './routes/worlds.ts';

export type App = OpenAPIHono<AppEnv>;

export interface AppOptions {
  /** The sealed manifests that this deployment carries. */
  readonly manifests: ManifestRegistry;
}

export function createApp({ manifests }: AppOptions): App {
  const app: App = new OpenAPIHono<AppEnv>({
    defaultHook: (result) => (result.success ? undefined : doesNotFit(result.target, result.error.issues, 'data' in result ? result.data : undefined)),
  });
  app.use(requestId, careful, noStore);
  const access = accessTo(manifests);
  publicRoutes(app);
  tenantRoutes(app, access, manifests);
  manifestRoutes(app, access, manifests);
  worldRoutes(app, access, manifests);
  objectRoutes(app, access);
  proposalRoutes(app, access);
  hookRoutes(app);
  app.notFound((c) => nothingHere(app, c, manifests));
  app.onError((error, c) => fault(error, c));
  return app;
}

/** A path that no route has, or a method that its routes do not have. Below `/v1`, only who has a credential learns which. */
async function nothingHere(app: App, c: Context<AppEnv>, manifests: ManifestRegistry): Promise<Response> {
  const isHook = c.req.path.startsWith('/v1/hooks/');
  if (c.req.path.startsWith('/v1/') && !isHook && (await authenticate({ env: c.env, manifests }, c.req.header('authorization'), null)) === null) {
    return refusals.credential();
  }
  const allowed = methodsOf(app, c.req.path);
  if (allowed.length === 0) return refusals.route();
  const refused = refuse(405, 'the path has no such method');
  refused.headers.set('allow', allowed.join(', '));
  return refused;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Methods under which a path has a handler of its own. */
function methodsOf(app: App, path: string): readonly string[] {
  return METHODS.filter((method) => app.router.match(method, path)[0].some(([[, route]]) => route.method === method));
}

/** Objects that are asked too much refuse before they look: nothing was decided. */
function isOverloaded(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'overloaded' in error && error.overloaded === true;
}

function isProblemStatus(status: number): status is ProblemStatus {
  return status in PROBLEM_TITLES;
}

function fault(error: Error, c: Context<AppEnv>): Response {
  if (error instanceof HTTPException && error.status < 500 && isProblemStatus(error.status)) return refuse(error.status, 'the request could not be read');
  logFault(c, error);
  if (isOverloaded(error)) {
    const busy = refuse(429, 'too many requests at once; nothing was decided');
    busy.headers.set('retry-after', '1');
    return busy;
  }
  return refuse(500, 'something failed here; with an `Idempotency-Key`, the same proposal can be sent again safely');
}
