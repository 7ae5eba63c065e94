// Responsibility: checks 9 and 10: an identical effect has not completed, and earlier doubt is reconciled (invariants I3, I4).
// Boundary: effects only. Completion is per signature and task, the fence per action and target (or per signature).
// Invariants: only evidence opens a fence; no task lends an identity that a person did not mean.

import type { JsonObject } from '../../base/json.ts';
import { textField, type Ask, type EffectIdentity } from '../ask.ts';
import { cellKeys, EMPTY_FENCE, EMPTY_SIGNATURE, type FenceCell, type SignatureCell } from '../cells.ts';
import type { Draft } from '../draft.ts';
import type { Failing } from '../outcomes.ts';
import { instantMs } from '../../base/time.ts';

/** Where identical effects landed: the attempts, and when (world time, ms), oldest first. */
export interface DoneCell {
  readonly attempts: readonly { readonly attempt: string; readonly at: number }[];
}

export function checkCompletion(draft: Draft, ask: Ask, effect: EffectIdentity): Failing | undefined {
  const attempt = completedBy(draft, ask.task === undefined ? null : ask.task.id, effect.signature);
  return attempt === undefined ? undefined : { check: 9, code: 'already_completed', detail: { attempt } };
}

/** A landed effect with this signature under the same task; without task, under any. A taskless one counts under every task opened before it landed. */
export function completedBy(draft: Draft, task: string | null, signature: string): string | undefined {
  if (task === null) {
    const cell = draft.cell<SignatureCell>(cellKeys.signature(signature)) ?? EMPTY_SIGNATURE;
    return cell.landed > 0 ? cell.recent.at(-1) : undefined;
  }
  const own = draft.cell<DoneCell>(cellKeys.done(signature, task))?.attempts.at(-1);
  if (own !== undefined) return own.attempt;
  const free = draft.cell<DoneCell>(cellKeys.done(signature, null));
  return free?.attempts.findLast(({ at }) => at >= openedAt(draft, task))?.attempt;
}

export function openedAt(draft: Draft, task: string): number {
  return instantMs(textField(draft.object(task), 'openedAt') ?? '') ?? 0;
}

/** Check 9 (in flight) and check 10 (in doubt): the attempt that holds the fence, by name. */
export function checkFence(draft: Draft, effect: EffectIdentity): Failing | undefined {
  const fence = draft.cell<FenceCell>(cellKeys.fence(effect.fence)) ?? EMPTY_FENCE;
  if (fence.open === null) return undefined;
  const attempt = draft.object(fence.open);
  const detail: JsonObject = { attempt: fence.open };
  if (attempt?.state['status'] === 'dispatched') return { check: 9, code: 'in_flight', detail };
  return { check: 10, code: 'in_doubt', detail };
}
