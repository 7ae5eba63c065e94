// Responsibility: the inputs of the transition function: proposals, evidence, the clock, and the birth of a world (design §3.1).
// Boundary: data only. The shell makes inputs (`admit`), the log keeps them, replay feeds them again.
// Invariants: an input holds everything undetermined (time, actor, random birth id, what the outside said); secrets are references by now.

import type { Json, JsonObject } from '../base/json.ts';

export interface Actor {
  /** `Agent:…`, `Person:…`, `Operator:…`, or `Clock:world`. */
  readonly id: string;
  readonly roles: readonly string[];
}

/** What the shell found out about the cursor that came with a proposal. The cursor itself is never stored. */
export type Observed =
  | { readonly kind: 'none' }
  | { readonly kind: 'invalid' }
  /** Genuine, for this world and actor. `subject` is an object id, or `*` for the actor's whole scope. */
  | { readonly kind: 'seen'; readonly sequence: number; readonly subject: string };

/** Parameters that fit the action's schema, or the defects; what does not fit never enters the log, only its digest. */
export type Parameters =
  | { readonly valid: true; readonly value: JsonObject }
  | { readonly valid: false; readonly errors: readonly ParameterError[]; readonly digest: string };

export interface ParameterError {
  readonly path: string;
  readonly code: string;
}

export interface ProposalInput {
  readonly kind: 'proposal';
  readonly at: number;
  readonly actor: Actor;
  readonly action: string;
  /** An object id, or for a creation the bare type. */
  readonly target: string;
  readonly expectedRevision: number;
  readonly observed: Observed;
  readonly parameters: Parameters;
  readonly expectedOutcome: string | null;
  readonly task: string | null;
  readonly predecessor: string | null;
  /** Facts that the shell derived from secrets before it replaced them (`{live: true}`), never the secrets. */
  readonly facts: JsonObject;
}

/** What an outside source says of one effect, in the closed vocabulary of the total table. */
export const EVIDENCE_KINDS = [
  'landed',
  'failed',
  'declined',
  'login_lost',
  'rate_limited',
  'unclear',
  'violated',
  'cut_off',
  'preflight_failed',
  'absent',
  'inconclusive',
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

export const EVIDENCE_SOURCES = ['answer', 'read_back', 'preflight', 'webhook', 'restart', 'person'] as const;
export type EvidenceSource = (typeof EVIDENCE_SOURCES)[number];

export interface EvidenceInput {
  readonly kind: 'evidence';
  readonly at: number;
  readonly source: EvidenceSource;
  readonly integration: string;
  /** How it is matched: by correlation id. Null where the outside named none (kept, not applied). */
  readonly correlationId: string | null;
  /** How our own shell matches it (an answer, a restart): by attempt. Null for what comes from outside. */
  readonly attempt: string | null;
  /** The `attempt.read_back` that asked, which this settles too; null otherwise. */
  readonly asker: string | null;
  readonly says: EvidenceKind;
  /** The provider's own status word and its rank, where there is one. */
  readonly status: string | null;
  readonly rank: number;
  /** A short code for people (`http_504`, `timeout`, `card_declined`), from a compiled table, never free text. */
  readonly code: string | null;
  /** Normalised fields, exactly those the contract names. */
  readonly fields: JsonObject;
  /** World time until which the integration is unavailable (429 with Retry-After); null otherwise. */
  readonly retryAfterMs: number | null;
  /** When the walk of a read-back began, world time; null otherwise. */
  readonly begunAt: number | null;
  /** True where the delivery contradicts the connection (livemode): kept and not applied. */
  readonly foreign: boolean;
  /** Digest of the protected raw bytes, salted; null where nothing came. */
  readonly raw: string | null;
  /** The delivery id of a webhook; null otherwise. */
  readonly delivery: string | null;
}

/** A preflight read-back that found every earlier epoch absent: the intent may be sent. */
export interface ClearedInput {
  readonly kind: 'cleared';
  readonly at: number;
  readonly attempt: string;
}

/** The clock: what was due at or before `at` (expiries, budgets, read-back marks). */
export interface ClockInput {
  readonly kind: 'clock';
  readonly at: number;
  readonly due: readonly TimerReference[];
}

/** An operator moved the world's clock forward (development only). */
export interface AdvanceInput {
  readonly kind: 'advance';
  readonly at: number;
  readonly actor: Actor;
  readonly advanceMs: number;
}

export interface GenesisInput {
  readonly kind: 'genesis';
  readonly at: number;
  readonly actor: Actor;
  readonly tenant: string;
  readonly world: string;
  /** 32 random bytes as hex: two worlds of one name are never the same world. */
  readonly birthId: string;
}

export type Input = ProposalInput | EvidenceInput | ClearedInput | ClockInput | AdvanceInput | GenesisInput;

export interface TimerReference {
  readonly kind: TimerKind;
  /** The object it is about. */
  readonly ref: string;
  readonly at: number;
}

/** `expiry` of an approval, `read_back` of an attempt in doubt, `retry` of an unavailable integration. */
export type TimerKind = 'expiry' | 'read_back' | 'retry';

export function inputJson(input: Input): Json {
  return { ...input } as unknown as JsonObject;
}
