// Responsibility: what a world is made of as the kernel sees it, and the read-only view through which it looks.
// Boundary: types only. A view is implemented in memory (memory-state.ts) and over SQLite (durable-objects/); both pass one suite.
// Invariants: a view is synchronous, answers the same question the same way within one transition, and bounds every list it returns.

import type { Json, JsonObject } from '../base/json.ts';
import type { Outcome } from './outcomes.ts';

/** An object as stored. `state` holds the type's own fields; kernel counters stand beside it. */
export interface StoredObject {
  readonly id: string;
  readonly type: string;
  readonly revision: number;
  readonly state: JsonObject;
  readonly owner: string;
  readonly createdBy: string;
  /** World time, ms. */
  readonly createdAt: number;
  /** Sequence of the transition that made it, and of the last one that moved its revision. */
  readonly createdIn: number;
  readonly changedIn: number;
  /** Kernel counters, outside the revision. */
  readonly counters: JsonObject;
  /** An index for the observation: `unresolved`, `awaiting`, `pending`, `conflict`, `open`, … or null. */
  readonly mark: string | null;
}

export interface Timer {
  readonly kind: 'expiry' | 'read_back' | 'retry';
  readonly ref: string;
  readonly at: number;
}

export interface Head {
  readonly sequence: number;
  readonly hash: string;
  /** World time of the last record, ms. */
  readonly at: number;
}

/**
 * The state that a transition reads. Every list is sorted (by id, or by sequence) and bounded by its `limit`.
 * `cell` is the kernel's own bookkeeping: counters and indexes under exact keys (see cells.ts), so that no decision scans a world.
 */
export interface WorldView {
  readonly tenant: string;
  readonly world: string;
  readonly birthId: string;
  head(): Head;
  object(id: string): StoredObject | undefined;
  cell(key: string): Json | undefined;
  /** Ids of objects of a type whose to-one field holds `id`, sorted. */
  referrers(id: string, type: string, field: string, limit: number): readonly string[];
  countReferrers(id: string, type: string, field: string, limit: number): number;
  /** Objects with a mark, oldest change first. */
  marked(mark: string, limit: number): readonly StoredObject[];
  /** Objects of a type, by id, after an id. */
  ofType(type: string, after: string | null, limit: number): readonly StoredObject[];
  /** Objects changed after a sequence, in order of change. */
  changedAfter(sequence: number, limit: number): readonly StoredObject[];
  /** The objects changed last, newest first. */
  recent(limit: number): readonly StoredObject[];
}

/** One change of state. Applying a list of them in order is all that a store ever does. */
export type Change =
  | { readonly put: StoredObject }
  | { readonly cell: string; readonly value: Json | null }
  | { readonly timer: Timer }
  /** Cancels the timer of that kind and reference. */
  | { readonly untimer: { readonly kind: Timer['kind']; readonly ref: string } };

export interface WorldEvent {
  readonly name: string;
  readonly object: string;
  readonly data: JsonObject;
}

/** What the shell must do after the commit. None of it is state; a crash before it happens is a known state. */
export type Command =
  /** Send the request of this attempt, once. Its intent is durable. */
  | { readonly do: 'dispatch'; readonly attempt: string }
  /** Look for every earlier epoch first; then a `cleared` input or evidence follows. */
  | { readonly do: 'preflight'; readonly attempt: string }
  /** Run the compiled read-back of an attempt in doubt. */
  | { readonly do: 'read_back'; readonly attempt: string; readonly asker: string | null };

/** What one transition decided. `changes` are already in their only order. */
export interface Decision {
  readonly kind: 'proposal' | 'evidence' | 'cleared' | 'clock' | 'advance' | 'genesis';
  /** The answer to a proposal; null for other inputs and for an effect that is on its way. */
  readonly outcome: Outcome | null;
  /** The attempt that the input concerned, if any. */
  readonly attempt: string | null;
  readonly changes: readonly Change[];
  readonly events: readonly WorldEvent[];
  readonly commands: readonly Command[];
  /** False where the bound on recorded refusals was met: nothing is written, the answer is 429. */
  readonly recorded: boolean;
  /** ms until the actor's bound renews, where not recorded. */
  readonly retryAfterMs: number;
}
