// Responsibility: what one transition is about to change: an overlay over the view, read through by everything that decides.
// Boundary: reads the view, never writes it; the result is a list of changes in one order. Lives for one transition only.
// Invariants: a revision moves at most once per transition; a put that changes nothing is no change; order is by id and key.

import { canonical } from '../base/canonical.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { isoInstant } from '../base/time.ts';
import { madeId } from '../base/ids.ts';
import type { SealedWorld } from '../manifest/seal.ts';
import type { Change, Command, StoredObject, Timer, WorldEvent, WorldView } from './state.ts';

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Equal as JSON; primitives without making bytes. */
export function same(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined || typeof a !== 'object' || typeof b !== 'object') return false;
  return canonical(a) === canonical(b);
}

export class Draft {
  readonly sealed: SealedWorld;
  readonly view: WorldView;
  readonly at: number;
  /** The sequence that this transition will have. */
  readonly sequence: number;
  readonly #objects = new Map<string, StoredObject>();
  readonly #cells = new Map<string, Json | null>();
  readonly #timers = new Map<string, Timer | { readonly kind: Timer['kind']; readonly ref: string }>();
  readonly #events: WorldEvent[] = [];
  readonly #commands: Command[] = [];
  #made = 0;

  constructor(sealed: SealedWorld, view: WorldView, at: number) {
    this.sealed = sealed;
    this.view = view;
    this.at = at;
    this.sequence = view.head().sequence + 1;
  }

  /** The time of this transition as RFC 3339. */
  get now(): string {
    return isoInstant(this.at);
  }

  object(id: string): StoredObject | undefined {
    return this.#objects.get(id) ?? this.view.object(id);
  }

  cell<T>(key: string): T | undefined {
    const own = this.#cells.get(key);
    if (own !== undefined) return own === null ? undefined : (own as T);
    return this.view.cell(key) as T | undefined;
  }

  setCell(key: string, value: object | string | number | null): void {
    this.#cells.set(key, value as Json);
  }

  /** An id of this world's own making: a digest of birth, sequence and place, so it tells nothing. */
  newId(type: string): string {
    this.#made += 1;
    return madeId(type, [this.view.birthId, this.sequence, this.#made]);
  }

  /** Makes an object. `id` must be free. */
  create(id: string, state: JsonObject, by: string, mark: string | null = null): StoredObject {
    const made: StoredObject = {
      id,
      type: id.slice(0, id.indexOf(':')),
      revision: 1,
      state,
      owner: by,
      createdBy: by,
      createdAt: this.at,
      createdIn: this.sequence,
      changedIn: this.sequence,
      counters: {},
      mark,
    };
    this.#objects.set(id, made);
    return made;
  }

  /** Changes own state, and so moves the revision (once per transition). A patch that changes nothing moves nothing. */
  move(id: string, patch: JsonObject, mark?: string | null): StoredObject {
    const before = this.required(id);
    const state = { ...before.state, ...patch };
    const moved = Object.keys(patch).some((field) => !same(patch[field], before.state[field]));
    const base = this.view.object(id);
    const first = base !== undefined && before.revision === base.revision;
    const next: StoredObject = {
      ...before,
      state,
      revision: moved && first ? before.revision + 1 : before.revision,
      changedIn: moved ? this.sequence : before.changedIn,
      mark: mark === undefined ? before.mark : mark,
    };
    if (moved || next.mark !== before.mark) this.#objects.set(id, next);
    return next;
  }

  /** Changes what is outside the revision: counters, tries, marks. */
  note(id: string, change: { readonly state?: JsonObject; readonly counters?: JsonObject; readonly mark?: string | null }): StoredObject {
    const before = this.required(id);
    const next: StoredObject = {
      ...before,
      state: change.state === undefined ? before.state : { ...before.state, ...change.state },
      counters: change.counters === undefined ? before.counters : { ...before.counters, ...change.counters },
      mark: change.mark === undefined ? before.mark : change.mark,
    };
    this.#objects.set(id, next);
    return next;
  }

  required(id: string): StoredObject {
    const found = this.object(id);
    if (found === undefined) throw new KernelStateFault(id);
    return found;
  }

  /** What this transition has changed or made so far, by id. */
  touched(): readonly StoredObject[] {
    return [...this.#objects.values()].sort((a, b) => byText(a.id, b.id));
  }

  timer(timer: Timer): void {
    this.#timers.set(`${timer.kind} ${timer.ref}`, timer);
  }

  untimer(kind: Timer['kind'], ref: string): void {
    this.#timers.set(`${kind} ${ref}`, { kind, ref });
  }

  event(name: string, object: string, data: JsonObject = {}): void {
    this.#events.push({ name, object, data });
  }

  command(command: Command): void {
    this.#commands.push(command);
  }

  get events(): readonly WorldEvent[] {
    return this.#events;
  }

  get commands(): readonly Command[] {
    return this.#commands;
  }

  changes(): readonly Change[] {
    const out: Change[] = [];
    for (const object of this.touched()) out.push({ put: object });
    for (const [cell, value] of [...this.#cells].sort((a, b) => byText(a[0], b[0]))) out.push({ cell, value });
    for (const [, timer] of [...this.#timers].sort((a, b) => byText(a[0], b[0]))) out.push('at' in timer ? { timer } : { untimer: timer });
    return out;
  }
}

/** A fault of ours: the kernel's own bookkeeping names an object that is not there. */
export class KernelStateFault extends Error {
  readonly code = 'missing_object';
  readonly id: string;
  constructor(id: string) {
    super('missing_object');
    this.id = id;
  }
}
