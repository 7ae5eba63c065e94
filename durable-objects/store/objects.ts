// Responsibility: objects, relations, cells and timers of a world in SQLite: the kernel's view, and the application of changes.
// Boundary: raw SQL over the columns of world-schema.ts (hot path); every cursor is drained. Synchronous throughout.
// Invariants: lists are sorted and bounded as state.ts says; the shared suite holds for this and for the memory state alike.
import type { Change, Json, JsonObject, RelationFields, StoredObject, Timer } from '../../src/kernel/index.ts';
import { RowCache } from './cache.ts';

interface ObjectRow extends Record<string, SqlStorageValue> {
  id: string;
  type: string;
  revision: number;
  state: string;
  owner: string;
  created_by: string;
  created_at: number;
  created_in: number;
  changed_in: number;
  counters: string;
  mark: string | null;
}

/** Rows remembered per instance; a typical transition touches a dozen. */
const CACHED_OBJECTS_MAX = 2_000;
const CACHED_CELLS_MAX = 8_000;

const COLUMNS = 'id, type, revision, state, owner, created_by, created_at, created_in, changed_in, counters, mark';
const PUT_OBJECT = `INSERT INTO objects (${COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, state = excluded.state, changed_in = excluded.changed_in, counters = excluded.counters, mark = excluded.mark`;

export class ObjectTables {
  readonly #sql: SqlStorage;
  readonly #objects = new RowCache<StoredObject>(CACHED_OBJECTS_MAX);
  readonly #cells = new RowCache<Json>(CACHED_CELLS_MAX);
  #relations: RelationFields = {};

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  relate(relations: RelationFields): void {
    this.#relations = relations;
  }

  /** A transaction failed: nothing that this instance remembers may stand. */
  forget(): void {
    this.#objects.clear();
    this.#cells.clear();
  }

  object(id: string): StoredObject | undefined {
    const known = this.#objects.get(id);
    if (known !== undefined) return known ?? undefined;
    const [row] = this.#sql.exec<ObjectRow>(`SELECT ${COLUMNS} FROM objects WHERE id = ?`, id).toArray();
    const object = row === undefined ? undefined : fromRow(row);
    this.#objects.set(id, object ?? null);
    return object;
  }

  cell(key: string): Json | undefined {
    const known = this.#cells.get(key);
    if (known !== undefined) return known ?? undefined;
    const [row] = this.#sql.exec<{ value: string }>('SELECT value FROM cells WHERE key = ?', key).toArray();
    const value = row === undefined ? undefined : (JSON.parse(row.value) as Json);
    this.#cells.set(key, value ?? null);
    return value;
  }

  referrers(id: string, type: string, field: string, limit: number): readonly string[] {
    return this.#sql
      .exec<{ from_id: string }>('SELECT from_id FROM relations WHERE to_id = ? AND type = ? AND field = ? ORDER BY from_id LIMIT ?', id, type, field, limit)
      .toArray()
      .map(({ from_id }) => from_id);
  }

  countReferrers(id: string, type: string, field: string, limit: number): number {
    const counted = 'SELECT COUNT(*) AS n FROM (SELECT 1 FROM relations WHERE to_id = ? AND type = ? AND field = ? LIMIT ?)';
    return this.#sql.exec<{ n: number }>(counted, id, type, field, limit).one().n;
  }

  marked(mark: string, limit: number): readonly StoredObject[] {
    return this.#list(`SELECT ${COLUMNS} FROM objects WHERE mark = ? ORDER BY changed_in, id LIMIT ?`, mark, limit);
  }

  ofType(type: string, after: string | null, limit: number): readonly StoredObject[] {
    const first = `${type}:`;
    const from = after === null || after < first ? first : after;
    return this.#list(`SELECT ${COLUMNS} FROM objects WHERE id > ? AND id < ? ORDER BY id LIMIT ?`, from, `${type};`, limit);
  }

  all(after: string | null, limit: number): readonly StoredObject[] {
    return this.#list(`SELECT ${COLUMNS} FROM objects WHERE id > ? ORDER BY id LIMIT ?`, after ?? '', limit);
  }

  changedAfter(sequence: number, limit: number): readonly StoredObject[] {
    return this.#list(`SELECT ${COLUMNS} FROM objects WHERE changed_in > ? ORDER BY changed_in, id LIMIT ?`, sequence, limit);
  }

  recent(limit: number): readonly StoredObject[] {
    return this.#list(`SELECT ${COLUMNS} FROM objects ORDER BY changed_in DESC, id LIMIT ?`, limit);
  }

  due(at: number, limit: number): readonly Timer[] {
    return this.#sql
      .exec<{ kind: string; ref: string; at: number }>('SELECT kind, ref, at FROM timers WHERE at <= ? ORDER BY at, kind, ref LIMIT ?', at, limit)
      .toArray() as unknown as readonly Timer[];
  }

  nextTimerAt(): number | undefined {
    const { at } = this.#sql.exec<{ at: number | null }>('SELECT MIN(at) AS at FROM timers').one();
    return at ?? undefined;
  }

  apply(changes: readonly Change[]): void {
    for (const change of changes) this.#applyOne(change);
  }

  #applyOne(change: Change): void {
    if ('put' in change) return this.#put(change.put);
    if ('cell' in change) {
      this.#cells.set(change.cell, change.value);
      if (change.value === null) this.#sql.exec('DELETE FROM cells WHERE key = ?', change.cell).toArray();
      else
        this.#sql
          .exec(
            'INSERT INTO cells (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
            change.cell,
            JSON.stringify(change.value),
          )
          .toArray();
    } else if ('timer' in change) {
      const { kind, ref, at } = change.timer;
      this.#sql.exec('INSERT INTO timers (kind, ref, at) VALUES (?, ?, ?) ON CONFLICT (kind, ref) DO UPDATE SET at = excluded.at', kind, ref, at).toArray();
    } else {
      this.#sql.exec('DELETE FROM timers WHERE kind = ? AND ref = ?', change.untimer.kind, change.untimer.ref).toArray();
    }
  }

  #put(object: StoredObject): void {
    const before = this.object(object.id);
    this.#objects.set(object.id, object);
    const { id, type, revision, owner, createdBy, createdAt, createdIn, changedIn, mark } = object;
    this.#sql
      .exec(
        PUT_OBJECT,
        id,
        type,
        revision,
        JSON.stringify(object.state),
        owner,
        createdBy,
        createdAt,
        createdIn,
        changedIn,
        JSON.stringify(object.counters),
        mark,
      )
      .toArray();
    for (const field of this.#relations[type] ?? []) {
      const [was, is] = [before?.state[field], object.state[field]];
      if (was === is) continue;
      if (typeof was === 'string')
        this.#sql.exec('DELETE FROM relations WHERE to_id = ? AND type = ? AND field = ? AND from_id = ?', was, type, field, id).toArray();
      if (typeof is === 'string')
        this.#sql.exec('INSERT INTO relations (to_id, type, field, from_id) VALUES (?,?,?,?) ON CONFLICT DO NOTHING', is, type, field, id).toArray();
    }
  }

  #list(statement: string, ...bindings: SqlStorageValue[]): readonly StoredObject[] {
    return this.#sql
      .exec<ObjectRow>(statement, ...bindings)
      .toArray()
      .map(fromRow);
  }
}

function fromRow(row: ObjectRow): StoredObject {
  return {
    id: row.id,
    type: row.type,
    revision: row.revision,
    state: JSON.parse(row.state) as JsonObject,
    owner: row.owner,
    createdBy: row.created_by,
    createdAt: row.created_at,
    createdIn: row.created_in,
    changedIn: row.changed_in,
    counters: JSON.parse(row.counters) as JsonObject,
    mark: row.mark,
  };
}
