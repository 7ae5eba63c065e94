// What the router asks of the two Durable Objects, as plain data (class instances and error classes do not survive RPC).
// Both objects implement these interfaces; the router sees nothing else of them.
import type { Proposal } from './proposal.ts';

/** Who is asking, from the credential alone. */
export interface Principal {
  readonly tenant: string;
  readonly actor: string;
  readonly roles: readonly string[];
}

/** A finished HTTP answer: the body is already text, so that a replay is byte-identical. */
export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly contentType: 'application/json' | 'application/problem+json' | 'application/x-ndjson';
  readonly headers?: { readonly [name: string]: string };
}

export interface ProposeOptions {
  readonly idempotencyKey: string | null;
  /** SHA-256 of the body's bytes, for the comparison of the same key. */
  readonly bodyDigest: string;
  readonly waitSeconds: number;
}

export interface ObserveQuery {
  readonly task: string | null;
  readonly focus: string | null;
  readonly since: string | null;
  readonly maxBytes: number | null;
}

export interface HookDelivery {
  readonly integration: string;
  /** Lower-case names. */
  readonly headers: { readonly [name: string]: string };
  /** The raw body as text; signatures are over exactly these bytes. */
  readonly body: string;
}

/** The world object, id from name `${tenant}/${world}`. */
export interface WorldRpc {
  /** Births the world, or does nothing where it was born under the same manifest. */
  open(principal: Principal, world: string, manifestHash: string): Promise<Reply>;
  describe(principal: Principal): Promise<Reply>;
  observe(principal: Principal, query: ObserveQuery): Promise<Reply>;
  propose(principal: Principal, proposal: Proposal, options: ProposeOptions): Promise<Reply>;
  preview(principal: Principal, proposal: Proposal): Promise<Reply>;
  object(principal: Principal, id: string): Promise<Reply>;
  objects(principal: Principal, query: { readonly type: string | null; readonly after: string | null; readonly limit: number }): Promise<Reply>;
  transitions(principal: Principal, query: { readonly after: number; readonly limit: number; readonly ndjson: boolean }): Promise<Reply>;
  advance(principal: Principal, advanceMs: number): Promise<Reply>;
  /** 200 recorded, or 401 for every failure of name or signature. */
  hook(delivery: HookDelivery): Promise<Reply>;
}

export interface IssuedKey {
  readonly id: string;
  readonly actor: string;
  readonly roles: readonly string[];
  readonly worlds: readonly string[] | null;
  readonly expiresAt: string | null;
  readonly createdAt: string;
}

export interface WorldEntry {
  readonly world: string;
  readonly manifest: { readonly name: string; readonly version: string; readonly hash: string };
}

/** The tenant object, id from name `${tenant}`. A tenant that was never created stores nothing. */
export interface TenantRpc {
  create(tenant: string): Promise<'created' | 'exists'>;
  exists(): Promise<boolean>;
  /** The principal of a key, the worlds that it lists (null: all), and the named world where the key may see it; null for every failure. */
  authenticate(
    key: { readonly id: string; readonly secretDigest: string },
    world: string | null,
  ): Promise<{ readonly principal: Principal; readonly worlds: readonly string[] | null; readonly world: WorldEntry | null } | null>;
  issueKey(key: {
    readonly id: string;
    readonly secretDigest: string;
    readonly actor: string;
    readonly roles: readonly string[];
    readonly worlds: readonly string[] | null;
    readonly expiresAt: string | null;
  }): Promise<'issued' | 'no_tenant'>;
  listKeys(): Promise<readonly IssuedKey[]>;
  revokeKey(id: string): Promise<boolean>;
  putWorld(entry: WorldEntry): Promise<'created' | 'same' | 'other_manifest' | 'no_tenant'>;
  /** The world's entry whatever key asks: for hooks and for JWT principals. */
  findWorld(world: string): Promise<WorldEntry | null>;
  listWorlds(): Promise<readonly WorldEntry[]>;
}
