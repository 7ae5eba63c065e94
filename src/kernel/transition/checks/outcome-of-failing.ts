// Responsibility: from failing checks to one outcome.
// Boundary: data only.
// Invariants: the first of the one precedence is the outcome; the list keeps the order in which it was made.

import { REFUSALS, type Failing, type Outcome, type PermittedNext, type RefusalKind } from '../outcomes.ts';

/** The kind that a code stands for; the table of refusals is the only source. */
export function kindOf(failing: Failing): RefusalKind {
  const row = REFUSALS.find(({ check, code }) => check === failing.check && code === failing.code);
  return row?.kind ?? 'Rejected';
}

export function outcomeOfFailing(failing: readonly [Failing, ...Failing[]], permittedNext: readonly PermittedNext[]): Outcome {
  const [first] = failing;
  return { kind: kindOf(first), check: first.check, code: first.code, detail: first.detail, failing, permittedNext };
}
