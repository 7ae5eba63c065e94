// Responsibility: retry budgets keyed on causal conditions, and the ceiling per fence (design §9, invariant I2).
// Boundary: computes keys and what remains; counts tries. Evidence marks are written here too, since they are part of the key.
// Invariants: for one key, what remains never rises; only evidence that the signature did not produce makes a new key.

import { digestHex } from '../base/digest.ts';
import type { Json } from '../base/json.ts';
import { resolveIn, type Ask, type EffectIdentity } from './ask.ts';
import {
  cellKeys,
  EMPTY_FENCE,
  EMPTY_SIGNATURE,
  type AttemptCell,
  type EvidenceMark,
  type FenceCell,
  type RetryCell,
  type RetryParts,
  type SignatureCell,
} from './cells.ts';
import type { Draft } from './draft.ts';

export interface Retry {
  readonly key: string;
  readonly parts: RetryParts;
  readonly remaining: number;
  readonly ceilingRemaining: number;
  /** What changed since this signature was last tried, where its old key had lost tries. */
  readonly renewedBy: readonly string[];
}

/** The key that a proposal would be tried under now, and what remains for it. */
export function retryOf(draft: Draft, ask: Ask, effect: EffectIdentity): Retry {
  const parts = partsOf(draft, ask, effect);
  const key = digestHex([effect.signature, parts.revision, parts.conditions, parts.connection, parts.evidence]);
  const { budget, ceiling } = ask.action.definition.retry;
  const used = draft.cell<RetryCell>(cellKeys.retry(key));
  const fence = draft.cell<FenceCell>(cellKeys.fence(effect.fence)) ?? EMPTY_FENCE;
  const signature = draft.cell<SignatureCell>(cellKeys.signature(effect.signature)) ?? EMPTY_SIGNATURE;
  return {
    key,
    parts,
    remaining: remainingOf(used, budget),
    ceilingRemaining: Math.max(0, ceiling + fence.additional - fence.used),
    renewedBy: renewal(draft, signature, key, parts),
  };
}

export function remainingOf(cell: RetryCell | undefined, budget: number): number {
  if (cell === undefined) return budget;
  return cell.declined ? 0 : Math.max(0, budget - cell.used);
}

function partsOf(draft: Draft, ask: Ask, effect: EffectIdentity): RetryParts {
  const values = ask.action.causalPaths.map((reference): Json => resolveIn(draft, ask, reference) ?? null);
  const integration = draft.object(`Integration:${ask.action.definition.adapter?.integration ?? ''}`);
  return {
    revision: ask.target?.revision ?? 0,
    conditions: digestHex(values),
    connection: Number(integration?.state['connection'] ?? 0),
    evidence: evidenceInKey(draft, ask, effect),
  };
}

/** New is only what came after the last try: naming another task, or none, is no evidence. */
function evidenceInKey(draft: Draft, ask: Ask, effect: EffectIdentity): number {
  const { parts, triedIn } = draft.cell<SignatureCell>(cellKeys.signature(effect.signature)) ?? EMPTY_SIGNATURE;
  const seen = evidenceSeen(draft, ask, effect.signature);
  return parts === null || seen > triedIn ? seen : parts.evidence;
}

/** The sequence of the latest evidence on target or task that this signature did not itself produce; 0 for none. */
export function evidenceSeen(draft: Draft, ask: Pick<Ask, 'targetId' | 'task'>, signature: string): number {
  const marks = [ask.targetId, ask.task?.id].map((id) => (id === undefined ? undefined : draft.cell<EvidenceMark>(cellKeys.evidence(id))));
  return marks.reduce((latest, mark) => Math.max(latest, mark === undefined ? 0 : mark.by === signature ? mark.other : mark.last), 0);
}

/** Remembers that evidence about an object came, and which signature produced it (null: none did). */
export function markEvidence(draft: Draft, object: string, by: string | null): void {
  const before = draft.cell<EvidenceMark>(cellKeys.evidence(object)) ?? { last: 0, by: null, other: 0 };
  const other = before.by === by ? before.other : before.last;
  draft.setCell(cellKeys.evidence(object), { last: draft.sequence, by, other });
}

function renewal(draft: Draft, signature: SignatureCell, key: string, parts: RetryParts): readonly string[] {
  const before = signature.parts;
  if (signature.retryKey === null || before === null || signature.retryKey === key) return [];
  const old = draft.cell<RetryCell>(cellKeys.retry(signature.retryKey));
  if (old === undefined || (old.used === 0 && !old.declined)) return [];
  return (['revision', 'conditions', 'connection', 'evidence'] as const).filter((part) => before[part] !== parts[part]);
}

/** Counts a try against its key and its ceiling; the renewal of a key is an event with its cause. */
export function countTry(
  draft: Draft,
  retry: Pick<Retry, 'key' | 'parts' | 'renewedBy'>,
  effect: Pick<EffectIdentity, 'signature' | 'fence'>,
  attempt: string,
): void {
  const used = draft.cell<RetryCell>(cellKeys.retry(retry.key)) ?? { used: 0, declined: false };
  draft.setCell(cellKeys.retry(retry.key), { ...used, used: used.used + 1 });
  const fence = draft.cell<FenceCell>(cellKeys.fence(effect.fence)) ?? EMPTY_FENCE;
  draft.setCell(cellKeys.fence(effect.fence), { ...fence, used: fence.used + 1 });
  const signature = draft.cell<SignatureCell>(cellKeys.signature(effect.signature)) ?? EMPTY_SIGNATURE;
  draft.setCell(cellKeys.signature(effect.signature), { ...signature, retryKey: retry.key, parts: retry.parts, triedIn: draft.sequence });
  if (retry.renewedBy.length > 0) draft.event('retry.renewed', attempt, { cause: [...retry.renewedBy] });
}

/** Gives a try back: to its key, to its ceiling, or to both. */
export function giveBack(draft: Draft, attempt: Pick<AttemptCell, 'retryKey' | 'fence'>, part: 'whole' | 'key' | 'ceiling' | 'none'): void {
  const key = attempt.retryKey === null ? null : cellKeys.retry(attempt.retryKey);
  const tried = key === null ? undefined : draft.cell<RetryCell>(key);
  if (key !== null && tried !== undefined && (part === 'whole' || part === 'key')) draft.setCell(key, { ...tried, used: Math.max(0, tried.used - 1) });
  if (part === 'none' || part === 'key') return;
  const fence = draft.cell<FenceCell>(cellKeys.fence(attempt.fence)) ?? EMPTY_FENCE;
  draft.setCell(cellKeys.fence(attempt.fence), { ...fence, used: Math.max(0, fence.used - 1) });
}

/** A definite decline leaves nothing for its key. */
export function exhaust(draft: Draft, key: string): void {
  const cell = draft.cell<RetryCell>(cellKeys.retry(key)) ?? { used: 0, declined: false };
  draft.setCell(cellKeys.retry(key), { ...cell, declined: true });
}
