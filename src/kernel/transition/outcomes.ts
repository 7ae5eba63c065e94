// Responsibility: the ten outcomes, and every refusal code in the one order of precedence (design §2, §7).
// Boundary: data only; the checks that say these codes are in checks/, message texts are rendered at the edge.
// Invariants: REFUSALS is the precedence. The union, the checks, SPEC.md and the test walk this list top to bottom.

import type { Json, JsonObject } from '../base/json.ts';

export const OUTCOME_KINDS = [
  'Succeeded',
  'FailedTransiently',
  'FailedPermanently',
  'Rejected',
  'TimedOut',
  'OutcomeAmbiguous',
  'ProtocolViolated',
  'Incompatible',
  'Blocked',
  'Cancelled',
] as const;
export type OutcomeKind = (typeof OUTCOME_KINDS)[number];

export type RefusalKind = 'Rejected' | 'Blocked' | 'Incompatible';

/** Every refusal, in precedence: check, code, outcome. The paper's check numbers; the order is this project's (design §7). */
export const REFUSALS = [
  { check: 1, code: 'unknown_action', kind: 'Rejected' },
  { check: 1, code: 'invalid_parameters', kind: 'Rejected' },
  { check: 2, code: 'unknown_target', kind: 'Rejected' },
  { check: 2, code: 'wrong_target_type', kind: 'Rejected' },
  { check: 2, code: 'target_exists', kind: 'Rejected' },
  { check: 3, code: 'unknown_target', kind: 'Rejected' },
  { check: 6, code: 'not_authorized', kind: 'Rejected' },
  { check: 9, code: 'already_completed', kind: 'Rejected' },
  { check: 9, code: 'in_flight', kind: 'Blocked' },
  { check: 10, code: 'in_doubt', kind: 'Blocked' },
  { check: 4, code: 'stale_revision', kind: 'Rejected' },
  { check: 4, code: 'stale_observation', kind: 'Rejected' },
  { check: 4, code: 'unproven_observation', kind: 'Rejected' },
  { check: 5, code: 'precondition_failed', kind: 'Rejected' },
  { check: 5, code: 'precondition_unobservable', kind: 'Rejected' },
  { check: 8, code: 'retry_exhausted', kind: 'Rejected' },
  { check: 8, code: 'resource_exhausted', kind: 'Rejected' },
  { check: 11, code: 'adapter_incompatible', kind: 'Incompatible' },
  { check: 11, code: 'authentication_required', kind: 'Blocked' },
  { check: 11, code: 'integration_unavailable', kind: 'Blocked' },
  { check: 7, code: 'approval_required', kind: 'Blocked' },
  { check: 7, code: 'approval_denied', kind: 'Rejected' },
  { check: 7, code: 'approval_expired', kind: 'Rejected' },
] as const satisfies readonly { readonly check: number; readonly code: string; readonly kind: RefusalKind }[];

export type RefusalCode = (typeof REFUSALS)[number]['code'];
export type CheckNumber = (typeof REFUSALS)[number]['check'];

/** The order in which failing checks are reported. */
export const PRECEDENCE: readonly CheckNumber[] = [1, 2, 3, 6, 9, 10, 4, 5, 8, 11, 7];
/** Where one of these fails, nothing later is evaluated: a stranger learns nothing. */
export const CLOSING_CHECKS: readonly CheckNumber[] = [1, 2, 3, 6];

/** One failing check. `detail` names what caused it: `{rule, trace, missing}`, `{attempt}`, `{approval}`, `{errors}`, `{retryAt}`. */
export interface Failing {
  readonly check: CheckNumber;
  readonly code: RefusalCode;
  readonly detail: JsonObject;
}

export interface PermittedNext {
  readonly action: string;
  readonly target: string;
}

/** The answer to a proposal as stored and hashed. `message` is added at the edge. */
export interface Outcome {
  readonly kind: OutcomeKind;
  readonly check?: CheckNumber;
  readonly code?: string;
  readonly detail?: JsonObject;
  readonly failing?: readonly Failing[];
  readonly permittedNext?: readonly PermittedNext[];
}

/** Certainty of an effect (design §2). */
export const CERTAINTIES = ['none', 'in_doubt', 'landed', 'reverted'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

/** Outcomes as plain JSON, for state and hashes. */
export function outcomeJson(outcome: Outcome | null): Json {
  return outcome === null ? null : ({ ...outcome } as unknown as JsonObject);
}
