// Responsibility: a world's state in memory: for replay in a browser, for tests and for simulation.
// Boundary: applies changes and answers a WorldView; decides nothing. The SQLite store passes the same suite.
// Invariants: lists are sorted and bounded as state.ts says; a clone shares nothing that can change.

import type { Json } from '../base/json.ts';
import { byCodeUnit } from '../base/text.ts';
import type { Manifest } from '../manifest/types.ts';
import { GENESIS_HEAD } from './head.ts';
import type { Change, Head, StoredObject, Timer, WorldView } from './state.ts';

/** The to-one fields of each type: what the reverse lookups index. */
export interface RelationFields {
  readonly [type: string]: readonly string[];
}

export function relationFields(manifest: Manifest): RelationFields {
  const out: { [type: string]: readonly string[] } = {};
  for (const type of Object.keys(manifest.types)) {
    const relations = Object.values(manifest.types[type]?.relationships ?? {});
    out[type] = [...new Set(relations.flatMap((relation) => (relation.cardinality === 'one' ? [relation.field] : [])))].sort(byCodeUnit);
  }
  return out;
}

export interface Birth {
  readonly tenant: string;
  readonly world: string;
  readonly birthId: string;
  readonly relations: RelationFields;
}

export class MemoryState implements WorldView {
  readonly tenant: string;
  readonly world: string;
  readonly birthId: string;
  readonly #relations: RelationFields;
  readonly #objects = new Map<string, StoredObject>();
  readonly #cells = new Map<string, Json>();
  readonly #timers = new Map<string, Timer>();
  /** `to type field` → ids that point there. */
  readonly #referrers = new Map<string, Set<string>>();
  #head: Head = GENESIS_HEAD;

  constructor(birth: Birth) {
    this.tenant = birth.tenant;
    this.world = birth.world;
    this.birthId = birth.birthId;
    this.#relations = birth.relations;
  }

  head(): Head {
    return this.#head;
  }

  object(id: string): StoredObject | undefined {
    return this.#objects.get(id);
  }

  cell(key: string): Json | undefined {
    return this.#cells.get(key);
  }

  referrers(id: string, type: string, field: string, limit: number): readonly string[] {
    return [...(this.#referrers.get(referrerKey(id, type, field)) ?? [])].sort(byCodeUnit).slice(0, limit);
  }

  countReferrers(id: string, type: string, field: string, limit: number): number {
    return Math.min(limit, this.#referrers.get(referrerKey(id, type, field))?.size ?? 0);
  }

  marked(mark: string, limit: number): readonly StoredObject[] {
    return this.#sorted((object) => object.mark === mark, byChange).slice(0, limit);
  }

  ofType(type: string, after: string | null, limit: number): readonly StoredObject[] {
    return this.#sorted((object) => object.type === type && (after === null || object.id > after), byId).slice(0, limit);
  }

  changedAfter(sequence: number, limit: number): readonly StoredObject[] {
    return this.#sorted((object) => object.changedIn > sequence, byChange).slice(0, limit);
  }

  recent(limit: number): readonly StoredObject[] {
    return this.#sorted(
      () => true,
      (a, b) => b.changedIn - a.changedIn || byCodeUnit(a.id, b.id),
    ).slice(0, limit);
  }

  due(at: number, limit: number): readonly Timer[] {
    const due = [...this.#timers.values()].filter((timer) => timer.at <= at);
    return due.sort((a, b) => a.at - b.at || byCodeUnit(a.kind, b.kind) || byCodeUnit(a.ref, b.ref)).slice(0, limit);
  }

  /** When the next timer is due, world time; undefined where there is none. */
  nextTimerAt(): number | undefined {
    const times = [...this.#timers.values()].map(({ at }) => at);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  apply(changes: readonly Change[], head: Head): void {
    for (const change of changes) this.#applyOne(change);
    this.#head = head;
  }

  clone(): MemoryState {
    const copy = new MemoryState({ tenant: this.tenant, world: this.world, birthId: this.birthId, relations: this.#relations });
    const changes: Change[] = [...this.#objects.values()].map((put) => ({ put }));
    for (const [cell, value] of this.#cells) changes.push({ cell, value });
    for (const timer of this.#timers.values()) changes.push({ timer });
    copy.apply(changes, this.#head);
    return copy;
  }

  #applyOne(change: Change): void {
    if ('put' in change) this.#put(change.put);
    else if ('cell' in change) {
      if (change.value === null) this.#cells.delete(change.cell);
      else this.#cells.set(change.cell, change.value);
    } else if ('timer' in change) this.#timers.set(timerKey(change.timer), change.timer);
    else this.#timers.delete(timerKey(change.untimer));
  }

  #put(object: StoredObject): void {
    const before = this.#objects.get(object.id);
    this.#objects.set(object.id, object);
    for (const field of this.#relations[object.type] ?? []) {
      const [was, is] = [before?.state[field], object.state[field]];
      if (was === is) continue;
      if (typeof was === 'string') this.#referrers.get(referrerKey(was, object.type, field))?.delete(object.id);
      if (typeof is !== 'string') continue;
      const key = referrerKey(is, object.type, field);
      const ids = this.#referrers.get(key) ?? new Set();
      ids.add(object.id);
      this.#referrers.set(key, ids);
    }
  }

  #sorted(wanted: (object: StoredObject) => boolean, order: (a: StoredObject, b: StoredObject) => number): readonly StoredObject[] {
    return [...this.#objects.values()].filter(wanted).sort(order);
  }
}

const byId = (a: StoredObject, b: StoredObject): number => byCodeUnit(a.id, b.id);
const byChange = (a: StoredObject, b: StoredObject): number => a.changedIn - b.changedIn || byCodeUnit(a.id, b.id);

function referrerKey(to: string, type: string, field: string): string {
  return `${to} ${type} ${field}`;
}

function timerKey(timer: { readonly kind: string; readonly ref: string }): string {
  return `${timer.kind} ${timer.ref}`;
}
