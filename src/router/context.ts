// What the router's handlers share: bindings, and what the checks before them found out.
import type { Env } from '../env.ts';
import type { Principal, WorldRpc } from '../protocol/rpc.ts';

/** Who is asking: whoever runs the deployment, or an actor of one tenant. `worlds` is null where a key sees them all. */
export type Caller = { readonly kind: 'root' } | { readonly kind: 'member'; readonly principal: Principal; readonly worlds: readonly string[] | null };

export interface Variables {
  requestId: string;
  /** Set on the page of `/docs`, for its start-up script. */
  secureHeadersNonce?: string;
  caller: Caller;
  /** Set on routes of tenant members. */
  principal: Principal;
  /** Set on routes below a world. */
  world: WorldRpc;
  /** SHA-256 of the body's bytes, where there is a body. */
  bodyDigest: string;
}

export interface AppEnv {
  Bindings: Env;
  Variables: Variables;
}
