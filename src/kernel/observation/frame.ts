// Responsibility: the shape of an observation frame (design §11, docs/http.md).
// Boundary: types; compiling is in compile.ts. `cursor` and `bytes` are added by the shell, which holds the key.
// Invariants: the mandatory sections are never dropped; what is left out of the others is counted in `omitted`.

import type { Json, JsonObject } from '../base/json.ts';
import type { Actor } from '../transition/inputs.ts';

export interface FrameRequest {
  readonly actor: Actor;
  /** World time, ms. */
  readonly now: number;
  readonly task: string | null;
  readonly focus: string | null;
  /** The sequence of the reader's last cursor; null for none. */
  readonly since: number | null;
  /** Bytes the optional sections must fit into together with the mandatory ones. */
  readonly maxBytes: number;
}

/** An entry of `unresolved`, `completed`, `blockers`, `approvals`. */
export interface EffectEntry {
  readonly attempt: string | null;
  readonly action: string | null;
  readonly target: string | null;
  readonly outcome: Json;
  readonly certainty: string | null;
  readonly since: string;
  readonly [more: string]: Json;
}

export interface ActionEntry {
  readonly action: string;
  readonly target: string;
  readonly available: boolean;
  readonly code?: string;
  readonly reason?: JsonObject;
  readonly needs?: 'approval';
  readonly depends?: readonly string[];
  readonly inputSchema?: Json;
}

export interface ObjectEntry {
  readonly id: string;
  readonly type: string;
  readonly revision: number;
  readonly state: JsonObject;
  readonly relationships: JsonObject;
  readonly counters: JsonObject;
}

export interface Frame {
  readonly manifest: { readonly name: string; readonly version: string; readonly hash: string };
  readonly world: string;
  readonly actor: { readonly id: string; readonly roles: readonly string[] };
  readonly location: string | null;
  readonly now: string;
  readonly task: JsonObject;
  readonly conversation: JsonObject;
  readonly objects: readonly ObjectEntry[];
  readonly changes: readonly JsonObject[];
  readonly unresolved: readonly EffectEntry[];
  readonly completed: readonly EffectEntry[];
  readonly blockers: readonly EffectEntry[];
  readonly approvals: readonly EffectEntry[];
  readonly budgets: readonly JsonObject[];
  readonly actions: readonly ActionEntry[];
  readonly evidence: readonly string[];
  readonly omitted: { readonly [kind: string]: number };
}

export interface Compiled {
  readonly frame: Frame;
  /** The sequence that the frame proves: the last one in the actor's scope. */
  readonly sequence: number;
}
