// Responsibility: from when an effect's absence can be believed (design §8 "Read-back").
// Boundary: one computation, used by read-backs and by findings of people.
// Invariants: counted from the later of dispatch and the start that found the attempt cut off, in the world's time.

import { textField } from './ask.ts';
import type { AttemptCell } from './cells.ts';
import type { Draft } from './draft.ts';
import type { StoredObject } from './state.ts';

/** World time, ms, from which a complete walk that finds nothing proves that it did not happen. */
export function settledFrom(draft: Draft, attempt: StoredObject | undefined, cell: AttemptCell): number {
  const integration = draft.sealed.actions.get(textField(attempt, 'action') ?? '')?.definition.adapter?.integration;
  const contract = integration === undefined ? undefined : draft.sealed.manifest.adapters[integration];
  return Math.max(cell.sentAt ?? 0, cell.cutAt ?? 0) + (contract?.settleMs ?? 0);
}
