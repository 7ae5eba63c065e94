// A conformance scenario as data: what is there, what comes in, what must follow. `conform` and the tests run them; the manifest holds their digests.
// Actors are written as ids; their role follows from the kind. `{name.attempt}`, `{name.approval}` and `{name.target}` stand for what the input of that name made.
import type { JsonObject, OutcomeKind } from '../kernel/index.ts';

export interface ScenarioProposal {
  readonly by: string;
  readonly action: string;
  readonly target: string;
  readonly parameters: JsonObject;
  readonly name?: string;
  readonly task?: string;
  /** The target's present revision, where it is not said. */
  readonly expectedRevision?: number;
  /** Everything, where it is not said. */
  readonly observed?: 'nothing';
}

/** What an outside source says of the effect that the input of that name started. */
export interface ScenarioEvidence {
  readonly evidence: string;
  readonly of: string;
  readonly source: string;
  readonly integration?: string;
  readonly status?: string;
  readonly rank?: number;
  readonly code?: string;
  readonly fields?: JsonObject;
  readonly retryAfterMs?: number;
  /** Of a read-back: how long before now its walk began. */
  readonly begunBeforeMs?: number;
  /** The read-back that asked. */
  readonly asker?: string;
}

export type ScenarioInput =
  | ScenarioProposal
  | ScenarioEvidence
  /** The look for earlier epochs found none: what waits may be sent. */
  | { readonly cleared: string }
  /** Time passes, and what is due happens. */
  | { readonly passMs: number };

/** `on_its_way`: admitted, and nothing known yet. Of evidence: the kind of outcome that the attempt has then. null: nothing is answered. */
export type ScenarioAnswer = null | 'on_its_way' | { readonly kind: OutcomeKind; readonly code?: string; readonly rule?: string };

/** Fields of an object's state. An attempt's `outcome` is its kind. `madeBy` finds what an effect made under a name. */
export type ScenarioObject =
  | { readonly id: string; readonly state: JsonObject }
  | { readonly madeBy: string; readonly type: string; readonly as: string; readonly state: JsonObject };

export interface Scenario {
  readonly story: string;
  /** Proposals that succeed. */
  readonly given: readonly ScenarioProposal[];
  readonly inputs: readonly ScenarioInput[];
  readonly expected: {
    /** One for each input. */
    readonly answers: readonly ScenarioAnswer[];
    readonly objects: readonly ScenarioObject[];
    /** Names of the inputs whose effect was sent to the provider, in order: each stands here once for each time. */
    readonly sent: readonly string[];
  };
}
