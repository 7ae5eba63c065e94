// Responsibility: everything that a world object keeps in its SQLite storage, as synchronous reads and writes.
// Boundary: objects, cells and timers are in store/objects.ts; this is the log, the birth and what the shell keeps beside the kernel's state.
// Invariants: nothing here awaits; the caller wraps one transition in one transaction; an unborn world has no tables at all.
import { and, desc, eq, lt } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/durable-sqlite';
import migrations from '../migrations/world/migrations.js';
import { DAY_MS, GENESIS_HEAD, HOUR_MS, LIMITS } from '../src/kernel/index.ts';
import type { Change, Head, Json, RelationFields, StoredObject, Timer, WorldView } from '../src/kernel/index.ts';
import type { Reply } from '../src/protocol/rpc.ts';
import { applyMigrations } from './migrate.ts';
import { ObjectTables } from './store/objects.ts';
import type { Intent } from './world/intent.ts';
import { birth, deliveries, evidenceBodies, idempotency, refusedDeliveries, secrets } from './world-schema.ts';

export interface Birth {
  readonly tenant: string;
  readonly world: string;
  readonly birthId: string;
  readonly manifest: string;
}

export interface LogRow {
  readonly sequence: number;
  readonly at: number;
  readonly kind: string;
  readonly actor: string;
  readonly hash: string;
  /** The wire record. */
  readonly text: string;
}

export interface IdempotencyRow {
  readonly actor: string;
  readonly key: string;
  readonly bodyDigest: string;
  readonly attempt: string;
  readonly createdAt: number;
  readonly response: Reply | null;
}

export interface EvidenceBody {
  readonly digest: string;
  readonly createdAt: number;
  readonly integration: string;
  readonly salt: string;
  readonly body: string;
}

export class WorldStore implements WorldView {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #db;
  readonly #tables: ObjectTables;
  #birth: Birth | undefined;
  #head: Head | undefined;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#db = drizzle(storage, { logger: false });
    this.#tables = new ObjectTables(storage.sql);
  }

  /** Who this world is; undefined while it was never born. Migrations are applied at the first look of an instance. */
  birth(): Birth | undefined {
    if (this.#birth !== undefined) return this.#birth;
    const there = this.#sql.exec("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'birth'").toArray().length > 0;
    if (!there) return undefined;
    applyMigrations(this.#storage, migrations);
    const row = this.#db.select().from(birth).get();
    if (row !== undefined) this.#birth = { tenant: row.tenant, world: row.world, birthId: row.birthId, manifest: row.manifest };
    return this.#birth;
  }

  bear(born: Birth, relations: RelationFields): void {
    applyMigrations(this.#storage, migrations);
    this.#db
      .insert(birth)
      .values({ one: 1, ...born })
      .run();
    this.#birth = born;
    this.#tables.relate(relations);
  }

  relate(relations: RelationFields): void {
    this.#tables.relate(relations);
  }

  /** Runs one transition's writes in one transaction; a failure leaves nothing, in the tables and in memory. */
  transact<T>(work: () => T): T {
    const head = this.#head;
    try {
      return this.#storage.transactionSync(work);
    } catch (error) {
      this.#tables.forget();
      this.#head = head;
      throw error;
    }
  }

  // ---- the kernel's view

  get tenant(): string {
    return this.#born().tenant;
  }

  get world(): string {
    return this.#born().world;
  }

  get birthId(): string {
    return this.#born().birthId;
  }

  head(): Head {
    if (this.#head === undefined) {
      const [row] = this.#sql
        .exec<{ sequence: number; hash: string; at: number }>('SELECT sequence, hash, at FROM transitions ORDER BY sequence DESC LIMIT 1')
        .toArray();
      this.#head = row === undefined ? GENESIS_HEAD : { sequence: row.sequence, hash: row.hash, at: row.at };
    }
    return this.#head;
  }

  object(id: string): StoredObject | undefined {
    return this.#tables.object(id);
  }

  cell(key: string): Json | undefined {
    return this.#tables.cell(key);
  }

  referrers(id: string, type: string, field: string, limit: number): readonly string[] {
    return this.#tables.referrers(id, type, field, limit);
  }

  countReferrers(id: string, type: string, field: string, limit: number): number {
    return this.#tables.countReferrers(id, type, field, limit);
  }

  marked(mark: string, limit: number): readonly StoredObject[] {
    return this.#tables.marked(mark, limit);
  }

  ofType(type: string, after: string | null, limit: number): readonly StoredObject[] {
    return this.#tables.ofType(type, after, limit);
  }

  /** Objects of every type, by id. */
  all(after: string | null, limit: number): readonly StoredObject[] {
    return this.#tables.all(after, limit);
  }

  changedAfter(sequence: number, limit: number): readonly StoredObject[] {
    return this.#tables.changedAfter(sequence, limit);
  }

  recent(limit: number): readonly StoredObject[] {
    return this.#tables.recent(limit);
  }

  due(at: number, limit: number): readonly Timer[] {
    return this.#tables.due(at, limit);
  }

  nextTimerAt(): number | undefined {
    return this.#tables.nextTimerAt();
  }

  // ---- what a transition writes

  apply(changes: readonly Change[]): void {
    this.#tables.apply(changes);
  }

  appendTransition(row: LogRow): void {
    this.#sql
      .exec(
        'INSERT INTO transitions (sequence, at, kind, actor, hash, record) VALUES (?,?,?,?,?,?)',
        row.sequence,
        row.at,
        row.kind,
        row.actor,
        row.hash,
        row.text,
      )
      .toArray();
    this.#head = { sequence: row.sequence, hash: row.hash, at: row.at };
  }

  transitions(after: number, limit: number): readonly { readonly sequence: number; readonly text: string }[] {
    return this.#sql
      .exec<{ sequence: number; text: string }>('SELECT sequence, record AS text FROM transitions WHERE sequence > ? ORDER BY sequence LIMIT ?', after, limit)
      .toArray();
  }

  hashOf(sequence: number): string | undefined {
    return this.#sql.exec<{ hash: string }>('SELECT hash FROM transitions WHERE sequence = ?', sequence).toArray()[0]?.hash;
  }

  putIntent(intent: Intent): void {
    this.#sql
      .exec(
        'INSERT INTO intents (attempt, correlation_id, created_at, intent) VALUES (?,?,?,?)',
        intent.attempt,
        intent.correlationId,
        intent.createdAt,
        JSON.stringify(intent),
      )
      .toArray();
  }

  intent(attempt: string): Intent | undefined {
    const [row] = this.#sql.exec<{ intent: string }>('SELECT intent FROM intents WHERE attempt = ?', attempt).toArray();
    return row === undefined ? undefined : (JSON.parse(row.intent) as Intent);
  }

  // ---- requests

  idempotency(actor: string, key: string): IdempotencyRow | undefined {
    const row = this.#db
      .select()
      .from(idempotency)
      .where(and(eq(idempotency.actor, actor), eq(idempotency.key, key)))
      .get();
    return row === undefined ? undefined : { ...row, response: row.response === null ? null : (JSON.parse(row.response) as Reply) };
  }

  /** A row older than its time gives way to the new request. */
  putIdempotency(row: IdempotencyRow): void {
    const values = { ...row, response: row.response === null ? null : JSON.stringify(row.response) };
    this.#db
      .insert(idempotency)
      .values(values)
      .onConflictDoUpdate({ target: [idempotency.actor, idempotency.key], set: values })
      .run();
  }

  completeIdempotency(actor: string, key: string, response: Reply): void {
    this.#db
      .update(idempotency)
      .set({ response: JSON.stringify(response) })
      .where(and(eq(idempotency.actor, actor), eq(idempotency.key, key)))
      .run();
  }

  // ---- the outside

  deliverySeen(integration: string, deliveryId: string): boolean {
    return (
      this.#db
        .select({ at: deliveries.at })
        .from(deliveries)
        .where(and(eq(deliveries.integration, integration), eq(deliveries.deliveryId, deliveryId)))
        .get() !== undefined
    );
  }

  rememberDelivery(row: { readonly integration: string; readonly deliveryId: string; readonly at: number; readonly transition: number }): void {
    this.#db.insert(deliveries).values(row).run();
  }

  /** One audit row each; beyond the bound the oldest gives way, so that an attacker grows nothing. */
  addRefusedDelivery(row: { readonly integration: string; readonly at: number; readonly code: string }): void {
    this.#db.insert(refusedDeliveries).values(row).run();
    const last = this.#db.select({ number: refusedDeliveries.number }).from(refusedDeliveries).orderBy(desc(refusedDeliveries.number)).limit(1).get();
    this.#db
      .delete(refusedDeliveries)
      .where(lt(refusedDeliveries.number, (last?.number ?? 0) - LIMITS.refusedDeliveriesMax + 1))
      .run();
  }

  refusedDeliveries(limit: number): readonly { readonly integration: string; readonly at: number; readonly code: string }[] {
    return this.#db
      .select({ integration: refusedDeliveries.integration, at: refusedDeliveries.at, code: refusedDeliveries.code })
      .from(refusedDeliveries)
      .orderBy(desc(refusedDeliveries.number))
      .limit(limit)
      .all();
  }

  putEvidenceBody(body: EvidenceBody): void {
    this.#db.insert(evidenceBodies).values(body).run();
  }

  evidenceBody(digest: string): EvidenceBody | undefined {
    return this.#db.select().from(evidenceBodies).where(eq(evidenceBodies.digest, digest)).get();
  }

  putSecret(ref: string, envelope: string, createdAt: number): void {
    this.#db.insert(secrets).values({ ref, envelope, createdAt }).run();
  }

  secret(ref: string): string | undefined {
    return this.#db.select({ envelope: secrets.envelope }).from(secrets).where(eq(secrets.ref, ref)).get()?.envelope;
  }

  /** Forgets what has served its time: kept answers, delivery ids, raw bodies. `realNow` for deliveries, `worldNow` for the rest. */
  purge(times: { readonly realNow: number; readonly worldNow: number; readonly evidenceDays: number }): void {
    this.#db
      .delete(deliveries)
      .where(lt(deliveries.at, times.realNow - LIMITS.deliveryDays * DAY_MS))
      .run();
    this.#db
      .delete(idempotency)
      .where(lt(idempotency.createdAt, times.worldNow - LIMITS.idempotencyHours * HOUR_MS))
      .run();
    this.#db
      .delete(evidenceBodies)
      .where(lt(evidenceBodies.createdAt, times.worldNow - times.evidenceDays * DAY_MS))
      .run();
  }

  #born(): Birth {
    if (this.#birth === undefined) throw new Error('a world that was never born has no state');
    return this.#birth;
  }
}
