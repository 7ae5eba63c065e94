// A tenant: its keys and the list of its worlds, in one object named after it. What happens inside a world is no business of this object.
// A tenant that was never created answers as if it knew nobody, and stores nothing.
import { DurableObject } from 'cloudflare:workers';
import migrations from '../migrations/tenant/migrations.js';
import type { Env } from '../src/env.ts';
import type { IssuedKey, Principal, TenantRpc, WorldEntry } from '../src/protocol/rpc.ts';
import { applyMigrations } from './migrate.ts';
import { TenantStore } from './tenant-store.ts';

type Presented = Parameters<TenantRpc['authenticate']>[0];
type NewKey = Parameters<TenantRpc['issueKey']>[0];
type Authenticated = Awaited<ReturnType<TenantRpc['authenticate']>>;

export class Tenant extends DurableObject<Env> implements TenantRpc {
  readonly #store: TenantStore;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    this.#store = new TenantStore(state.storage);
    if (this.#store.hasTables()) applyMigrations(state.storage, migrations);
  }

  async create(tenant: string): Promise<'created' | 'exists'> {
    if (this.#store.name() !== null) return 'exists';
    applyMigrations(this.ctx.storage, migrations);
    this.#store.create(tenant, Date.now());
    return 'created';
  }

  async exists(): Promise<boolean> {
    return this.#store.name() !== null;
  }

  async authenticate({ id, secretDigest }: Presented, world: string | null): Promise<Authenticated> {
    const tenant = this.#store.name();
    if (tenant === null) return null;
    const key = this.#store.key(id);
    if (key === undefined || !sameDigest(key.secretDigest, secretDigest)) return null;
    if (key.expiresAt !== null && key.expiresAt <= Date.now()) return null;
    const principal: Principal = { tenant, actor: key.actor, roles: key.roles };
    const listed = world !== null && (key.worlds === null || key.worlds.includes(world));
    return { principal, worlds: key.worlds, world: listed ? this.#store.world(world) : null };
  }

  async issueKey(key: NewKey): Promise<'issued' | 'no_tenant'> {
    if (this.#store.name() === null) return 'no_tenant';
    this.#store.addKey({ ...key, expiresAt: key.expiresAt === null ? null : Date.parse(key.expiresAt) }, Date.now());
    return 'issued';
  }

  async listKeys(): Promise<readonly IssuedKey[]> {
    return this.#store.name() === null ? [] : this.#store.keys();
  }

  async revokeKey(id: string): Promise<boolean> {
    return this.#store.name() !== null && this.#store.removeKey(id);
  }

  async putWorld(entry: WorldEntry): Promise<'created' | 'same' | 'other_manifest' | 'no_tenant'> {
    if (this.#store.name() === null) return 'no_tenant';
    const known = this.#store.world(entry.world);
    if (known !== null) return known.manifest.hash === entry.manifest.hash ? 'same' : 'other_manifest';
    this.#store.addWorld(entry, Date.now());
    return 'created';
  }

  async findWorld(world: string): Promise<WorldEntry | null> {
    return this.#store.name() === null ? null : this.#store.world(world);
  }

  async listWorlds(): Promise<readonly WorldEntry[]> {
    return this.#store.name() === null ? [] : this.#store.worlds();
  }
}

/** Compares two digests of one length in a time that does not depend on where they differ. */
function sameDigest(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}
