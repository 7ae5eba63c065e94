// Responsibility: the one total table, certainty × evidence (design §8 "What an answer proves").
// Boundary: says what follows; settle.ts carries it out.
// Invariants: every cell is answered (no Partial); landed never returns to doubt; doubt never ends without proof.

import type { EvidenceKind } from './inputs.ts';
import type { Certainty, OutcomeKind } from './outcomes.ts';

export interface Verdict {
  readonly certainty: Certainty;
  /** The outcome that the evidence gives the attempt; null keeps what it has. */
  readonly outcome: OutcomeKind | null;
  /** Two pieces of evidence contradict each other: both are kept, a person is asked. */
  readonly conflict: boolean;
}

const keep = (certainty: Certainty): Verdict => ({ certainty, outcome: null, conflict: false });
const disputed = (certainty: Certainty, outcome: OutcomeKind | null = null): Verdict => ({ certainty, outcome, conflict: true });
const to = (certainty: Certainty, outcome: OutcomeKind): Verdict => ({ certainty, outcome, conflict: false });

/**
 * `in_doubt` covers both "on its way" and "answer lost". `failed` is a provider's word that the effect did not come to be,
 * or came back; `declined` and `login_lost` are definite answers to our own request; `absent` is judged by settle.ts before it gets here.
 */
export const CERTAINTY_TABLE: { readonly [before in Certainty]: { readonly [evidence in EvidenceKind]: Verdict } } = {
  none: {
    landed: disputed('landed', 'Succeeded'),
    failed: keep('none'),
    declined: keep('none'),
    login_lost: keep('none'),
    rate_limited: keep('none'),
    unclear: keep('none'),
    violated: keep('none'),
    cut_off: keep('none'),
    preflight_failed: keep('none'),
    absent: keep('none'),
    inconclusive: keep('none'),
  },
  in_doubt: {
    landed: to('landed', 'Succeeded'),
    failed: to('none', 'FailedPermanently'),
    declined: to('none', 'FailedPermanently'),
    login_lost: to('none', 'Blocked'),
    rate_limited: to('none', 'FailedTransiently'),
    unclear: to('in_doubt', 'OutcomeAmbiguous'),
    violated: to('in_doubt', 'ProtocolViolated'),
    cut_off: to('in_doubt', 'OutcomeAmbiguous'),
    preflight_failed: to('none', 'FailedTransiently'),
    absent: to('none', 'FailedTransiently'),
    inconclusive: keep('in_doubt'),
  },
  landed: {
    landed: keep('landed'),
    failed: to('reverted', 'Succeeded'),
    declined: disputed('landed'),
    login_lost: disputed('landed'),
    rate_limited: disputed('landed'),
    unclear: keep('landed'),
    violated: keep('landed'),
    cut_off: keep('landed'),
    preflight_failed: disputed('landed'),
    absent: disputed('landed'),
    inconclusive: keep('landed'),
  },
  reverted: {
    landed: keep('reverted'),
    failed: keep('reverted'),
    declined: keep('reverted'),
    login_lost: keep('reverted'),
    rate_limited: keep('reverted'),
    unclear: keep('reverted'),
    violated: keep('reverted'),
    cut_off: keep('reverted'),
    preflight_failed: keep('reverted'),
    absent: keep('reverted'),
    inconclusive: keep('reverted'),
  },
};
