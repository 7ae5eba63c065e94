// The bindings and secrets of a deployment, as the router uses them. Plain interfaces, so that tests put fakes in their place.
import type { TenantRpc, WorldRpc } from './protocol/rpc.ts';

/** As much of a Durable Object namespace as is used: one object per name. */
export interface ObjectNamespace<Rpc> {
  getByName(name: string): Rpc;
}

/** As much of the static assets binding as is used. */
export interface Assets {
  fetch(url: string): Promise<Response>;
}

export interface Env {
  readonly WORLD: ObjectNamespace<WorldRpc>;
  readonly TENANT: ObjectNamespace<TenantRpc>;
  /** The key of whoever runs the deployment. Without it nobody is root. */
  readonly ROOT_KEY?: string;
  /** Encrypts what `integration.connect` stores. Used by the world object only. */
  readonly CREDENTIAL_KEY?: string;
  /** `development` opens the world's clock and loopback endpoints. */
  readonly ENVIRONMENT?: string;
  /** The built files of `/docs`. */
  readonly ASSETS?: Assets;
  readonly JWT_ISSUER?: string;
  readonly JWT_AUDIENCE?: string;
  /** A JWK set as JSON; goes before the URL. */
  readonly JWT_JWKS?: string;
  readonly JWT_JWKS_URL?: string;
}
