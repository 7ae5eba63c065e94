// What a tenant keeps, as synchronous reads and writes: nothing is awaited between looking and storing.
import { asc, eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/durable-sqlite';
import type { IssuedKey, WorldEntry } from '../src/protocol/rpc.ts';
import { keys, tenants, worlds } from './tenant-schema.ts';

export interface StoredKey {
  readonly secretDigest: string;
  readonly actor: string;
  readonly roles: readonly string[];
  readonly worlds: readonly string[] | null;
  readonly expiresAt: number | null;
}

export interface NewStoredKey extends StoredKey {
  readonly id: string;
}

/** The only table that says whether the tenant was ever created. */
const MARK = 'tenants';

export class TenantStore {
  readonly #storage: DurableObjectStorage;
  readonly db;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.db = drizzle(storage, { logger: false });
  }

  /** True where migrations ran once: asked first, since a tenant that was never created stores nothing. */
  hasTables(): boolean {
    return this.#storage.sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", MARK).toArray().length > 0;
  }

  name(): string | null {
    return this.hasTables() ? (this.db.select({ name: tenants.name }).from(tenants).get()?.name ?? null) : null;
  }

  create(name: string, createdAt: number): void {
    this.db.insert(tenants).values({ name, createdAt }).run();
  }

  key(id: string): StoredKey | undefined {
    return this.db.select().from(keys).where(eq(keys.id, id)).get();
  }

  /** An id that is taken already is a fault: the insert throws and nothing is replaced. */
  addKey(key: NewStoredKey, createdAt: number): void {
    this.db
      .insert(keys)
      .values({ ...key, createdAt })
      .run();
  }

  keys(): readonly IssuedKey[] {
    const rows = this.db.select().from(keys).orderBy(asc(keys.createdAt), asc(keys.id)).all();
    return rows.map(({ id, actor, roles, worlds: listed, expiresAt, createdAt }) => ({
      id,
      actor,
      roles,
      worlds: listed,
      expiresAt: expiresAt === null ? null : rfc3339(expiresAt),
      createdAt: rfc3339(createdAt),
    }));
  }

  /** True where there was such a key. */
  removeKey(id: string): boolean {
    return this.db.delete(keys).where(eq(keys.id, id)).returning({ id: keys.id }).all().length > 0;
  }

  world(world: string): WorldEntry | null {
    const row = this.db.select().from(worlds).where(eq(worlds.world, world)).get();
    return row === undefined ? null : entryOf(row);
  }

  addWorld({ world, manifest }: WorldEntry, createdAt: number): void {
    this.db.insert(worlds).values({ world, manifestName: manifest.name, manifestVersion: manifest.version, manifestHash: manifest.hash, createdAt }).run();
  }

  worlds(): readonly WorldEntry[] {
    return this.db.select().from(worlds).orderBy(asc(worlds.world)).all().map(entryOf);
  }
}

function entryOf(row: typeof worlds.$inferSelect): WorldEntry {
  return { world: row.world, manifest: { name: row.manifestName, version: row.manifestVersion, hash: row.manifestHash } };
}

function rfc3339(ms: number): string {
  return new Date(ms).toISOString();
}
