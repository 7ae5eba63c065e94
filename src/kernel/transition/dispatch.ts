// Responsibility: starting an effect: the intent becomes durable, amounts are held, the try is counted (design §8).
// Boundary: writes state and asks the shell for one command; nothing here sends anything.
// Invariants: at most one dispatch per correlation id; the transition that admits an effect is its dispatch (or, before a later
// epoch of a read_back action, the `cleared` transition after its preflight).

import { digestHex } from '../base/digest.ts';
import type { JsonObject } from '../base/json.ts';
import { LIMITS } from '../base/limits.ts';
import type { Ask, EffectIdentity } from './ask.ts';
import { attemptCell, createAttempt, moveAttempt, setAttemptCell } from './attempts.ts';
import { cellKeys, EMPTY_FENCE, type AttemptCell, type ChainCell, type FenceCell } from './cells.ts';
import type { Draft } from './draft.ts';
import { countTry, remainingOf, retryOf } from './retry.ts';
import { HOLD, moveSums } from './sums.ts';
import type { RetryCell } from './cells.ts';

const NO_EPOCH: ChainCell = { epoch: 0, sent: [] };

/** Starts the effect of an admitted proposal under the attempt `id`, which exists already where a person approved it. */
export function startEffect(
  draft: Draft,
  ask: Ask,
  effect: EffectIdentity,
  start: { readonly id: string; readonly proposal: Parameters<typeof createAttempt>[1] | null },
): void {
  const { id, proposal } = start;
  const chain = draft.cell<ChainCell>(cellKeys.chain(effect.chain)) ?? NO_EPOCH;
  const correlationId = digestHex([draft.view.birthId, effect.signature, ask.task?.id ?? null, chain.epoch]);
  const preflight = ask.action.definition.adapter?.recovery === 'read_back' && earlier(draft, effect).length > 0;
  const onItsWay = { correlationId, epoch: chain.epoch, attemptCount: preflight ? 0 : 1, certainty: 'in_doubt', status: 'dispatched' } as const;
  if (proposal === null) moveAttempt(draft, id, { ...onItsWay, outcome: null }, 'unresolved');
  else createAttempt(draft, { ...proposal, ...onItsWay, outcome: null }, 'unresolved');
  const retry = retryOf(draft, ask, effect);
  const cell = setAttemptCell(draft, id, {
    signature: effect.signature,
    fence: effect.fence,
    chain: effect.chain,
    epoch: chain.epoch,
    phase: preflight ? 'preflight' : 'sent',
    amount: effect.amount,
    groups: effect.groups,
    budget: ask.action.definition.spends ?? null,
    retryKey: retry.key,
    proposerRoles: [...ask.actor.roles],
  });
  const fence = draft.cell<FenceCell>(cellKeys.fence(effect.fence)) ?? EMPTY_FENCE;
  draft.setCell(cellKeys.fence(effect.fence), { ...fence, open: id });
  draft.setCell(cellKeys.correlation(correlationId), id);
  draft.setCell(cellKeys.unresolved, (draft.cell<number>(cellKeys.unresolved) ?? 0) + 1);
  openForTask(draft, ask.task?.id ?? null, 1);
  moveSums(draft, { action: ask.action.name, target: ask.targetId, cell }, HOLD);
  if (preflight) {
    draft.command({ do: 'preflight', attempt: id });
    draft.event('effect.preflight', id, { correlationId });
  } else {
    send(draft, id, retry);
  }
  draft.note(id, { state: { retry: retryState(draft, ask, cell) } });
}

/** The dispatch itself: from here on the effect may have happened. */
function send(draft: Draft, id: string, retry: Pick<ReturnType<typeof retryOf>, 'key' | 'parts' | 'renewedBy'>): void {
  const cell = setAttemptCell(draft, id, { phase: 'sent', counted: 'whole', sentAt: draft.at, retryKey: retry.key });
  countTry(draft, retry, cell, id);
  const chain = draft.cell<ChainCell>(cellKeys.chain(cell.chain)) ?? NO_EPOCH;
  draft.setCell(cellKeys.chain(cell.chain), { ...chain, sent: [...chain.sent, id].slice(-LIMITS.epochsMax) });
  const all = draft.cell<readonly string[]>(`sent:${cell.signature}`) ?? [];
  draft.setCell(`sent:${cell.signature}`, [...all, id].slice(-LIMITS.epochsMax));
  draft.command({ do: 'dispatch', attempt: id });
  draft.event('effect.dispatched', id, { correlationId: String(draft.required(id).state['correlationId']) });
}

/** After a preflight that found nothing: the same attempt goes out, once. The try counts from here. */
export function sendCleared(draft: Draft, ask: Ask, effect: EffectIdentity, id: string): void {
  const retry = retryOf(draft, ask, effect);
  moveAttempt(draft, id, { attemptCount: 1 });
  send(draft, id, retry);
  const cell = attemptCell(draft, id);
  if (cell !== undefined) draft.note(id, { state: { retry: retryState(draft, ask, cell) } });
}

/** Attempts of this signature that were sent before, whatever their task, and have not landed. */
export function earlier(draft: Draft, effect: Pick<EffectIdentity, 'signature'>): readonly string[] {
  const sent = draft.cell<readonly string[]>(`sent:${effect.signature}`) ?? [];
  return sent.filter((id) => draft.object(id)?.state['certainty'] !== 'landed');
}

/** `retry {remaining, ceilingRemaining}` of an attempt, under the key it was tried with. */
export function retryState(draft: Draft, ask: Pick<Ask, 'action'>, cell: AttemptCell): JsonObject {
  const { budget, ceiling } = ask.action.definition.retry;
  const used = cell.retryKey === null ? undefined : draft.cell<RetryCell>(cellKeys.retry(cell.retryKey));
  const fence = draft.cell<FenceCell>(cellKeys.fence(cell.fence)) ?? EMPTY_FENCE;
  return { remaining: remainingOf(used, budget), ceilingRemaining: Math.max(0, ceiling + fence.additional - fence.used) };
}

/** How many attempts of a task are on their way, in doubt, or wait for a person. */
export function openForTask(draft: Draft, task: string | null, by: 1 | -1): void {
  if (task === null) return;
  draft.setCell(cellKeys.taskOpen(task), Math.max(0, (draft.cell<number>(cellKeys.taskOpen(task)) ?? 0) + by));
}
