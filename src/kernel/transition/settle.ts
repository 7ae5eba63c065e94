// Responsibility: carrying out what evidence proves about one effect (design §8): the total table, sums, fences, epochs, tries.
// Boundary: the verdict comes from certainty.ts; integration states follow in evidence.ts.
// Invariants: a fence opens only here, on certainty none or landed; every amount that was held is released or landed exactly once.

import type { JsonObject } from '../base/json.ts';
import { LIMITS } from '../base/limits.ts';
import { isoInstant, utcDay } from '../base/time.ts';
import { relatedObjects, textField, type Ask } from './ask.ts';
import { attemptCell, moveAttempt, setAttemptCell } from './attempts.ts';
import { permittedNext } from './availability.ts';
import { cellKeys, EMPTY_FENCE, EMPTY_SIGNATURE, type AttemptCell, type ChainCell, type FenceCell, type SignatureCell } from './cells.ts';
import { CERTAINTY_TABLE, type Verdict } from './certainty.ts';
import { outcomeOfFailing } from './checks/outcome-of-failing.ts';
import type { DoneCell } from './checks/repetition.ts';
import { openForTask, retryState } from './dispatch.ts';
import type { Draft } from './draft.ts';
import type { EvidenceInput } from './inputs.ts';
import type { Certainty, Failing, Outcome } from './outcomes.ts';
import { exhaust, giveBack } from './retry.ts';
import { LAND_FREE, LAND_HELD, moveSums, RELEASE, REVERT } from './sums.ts';
import { effectLanded, effectReverted } from './tasks.ts';
import { applyPlan, planTreatment, treatmentOf } from './treatments.ts';
import type { StoredObject } from './state.ts';

export type Finding = Pick<EvidenceInput, 'says' | 'status' | 'rank' | 'code' | 'fields' | 'retryAfterMs' | 'source'> & {
  /** Evidence object that holds it; null where nothing is kept (an inconclusive read-back). */
  readonly evidence: string | null;
};

/** Applies one finding to one effect. Stale provider statuses (by rank) change nothing. */
export function settle(draft: Draft, attemptId: string, finding: Finding): void {
  const attempt = draft.required(attemptId);
  const cell = attemptCell(draft, attemptId);
  if (cell === undefined) return;
  if (finding.evidence !== null) appendEvidence(draft, attempt, finding.evidence);
  const before = attempt.state['certainty'] as Certainty;
  if (cell.phase === 'preflight' && finding.says === 'cut_off') return settle(draft, attemptId, { ...finding, says: 'preflight_failed', evidence: null });
  const status = (finding.says === 'landed' || finding.says === 'failed') && finding.rank > 0;
  if (status && finding.rank <= cell.rank) return;
  const verdict = CERTAINTY_TABLE[before][finding.says];
  const known = setAttemptCell(draft, attemptId, status ? { rank: finding.rank, providerStatus: finding.status } : {});
  const change: Settlement = { draft, attempt, cell: known, finding, verdict, ask: askOf(draft, attempt, known) };
  if (before === 'landed' && verdict.certainty === 'landed' && status) progress(change);
  if (verdict.conflict) raiseConflict(change);
  if (verdict.certainty === before && verdict.outcome === null) return;
  if (verdict.certainty === 'landed') land(change, before);
  else if (verdict.certainty === 'reverted') revert(change);
  else if (verdict.certainty === 'none') release(change);
  else doubt(change);
}

interface Settlement {
  readonly draft: Draft;
  readonly attempt: StoredObject;
  readonly cell: AttemptCell;
  readonly finding: Finding;
  readonly verdict: Verdict;
  readonly ask: Ask;
}

/** The proposal behind an attempt, as it stands now. */
export function askOf(draft: Draft, attempt: StoredObject, cell: AttemptCell): Ask {
  const action = draft.sealed.actions.get(String(attempt.state['action']));
  if (action === undefined) throw new Error('an attempt names an action that the manifest lacks');
  const task = textField(attempt, 'task');
  const targetId = String(attempt.state['target']);
  const base: Omit<Ask, 'related' | 'effect'> = {
    action,
    actor: { id: String(attempt.state['actor']), roles: cell.proposerRoles },
    targetId,
    target: draft.object(targetId),
    task: task === null ? undefined : draft.object(task),
    args: attempt.state['parameters'] as JsonObject,
    expectedRevision: Number(attempt.state['targetRevision'] ?? 0),
    observed: { kind: 'none' },
    withParameters: true,
    facts: {},
    continues: attempt.id,
  };
  const effect = { signature: cell.signature, fence: cell.fence, chain: cell.chain, amount: cell.amount, groups: cell.groups };
  return { ...base, related: relatedObjects(draft, action, base), effect };
}

function appendEvidence(draft: Draft, attempt: StoredObject, evidence: string): void {
  const before = Array.isArray(attempt.state['evidence']) ? attempt.state['evidence'] : [];
  draft.note(attempt.id, { state: { evidence: [...before, evidence].slice(-32) } });
}

/** It happened. What was held is spent, the fence opens, the try is given back, the manifest's changes are made. */
function land(change: Settlement, before: Certainty): void {
  const { draft, attempt, cell, finding, ask } = change;
  const held = before === 'in_doubt';
  const evidence: JsonObject = { ...finding.fields, status: finding.status ?? finding.says };
  moveAttempt(
    draft,
    attempt.id,
    { outcome: { kind: 'Succeeded' }, certainty: 'landed', status: 'settled' },
    cell.conflict || change.verdict.conflict ? 'conflict' : null,
  );
  moveSums(draft, { action: ask.action.name, target: ask.targetId, cell }, held ? LAND_HELD : LAND_FREE);
  if (held) closeFence(change);
  giveBack(draft, cell, cell.counted);
  const landed = setAttemptCell(draft, attempt.id, { phase: 'done', counted: 'none', spentDay: utcDay(draft.at), evidence });
  remember(change, attempt.id);
  applyPlan(draft, ask, planTreatment(draft, ask, treatmentOf(ask.action, 'Succeeded'), { attempt: attempt.id, extras: extrasOf(attempt, evidence) }));
  draft.note(attempt.id, { state: { retry: retryState(draft, ask, landed) } });
  draft.event('effect.landed', attempt.id, { source: finding.source, status: finding.status });
  effectLanded(draft, { task: ask.task?.id ?? null, action: ask.action.name, target: ask.targetId, attempt: attempt.id });
}

function extrasOf(attempt: StoredObject, evidence: JsonObject): { evidence: JsonObject; attempt: JsonObject } {
  return { evidence, attempt: { id: attempt.id, correlationId: attempt.state['correlationId'] ?? null } };
}

function remember(change: Settlement, attempt: string): void {
  const { draft, cell, ask } = change;
  const before = draft.cell<SignatureCell>(cellKeys.signature(cell.signature)) ?? EMPTY_SIGNATURE;
  draft.setCell(cellKeys.signature(cell.signature), { ...before, landed: before.landed + 1, recent: [...before.recent, attempt].slice(-LIMITS.epochsMax) });
  const key = cellKeys.done(cell.signature, ask.task?.id ?? null);
  const done = draft.cell<DoneCell>(key)?.attempts ?? [];
  draft.setCell(key, { attempts: [...done, { attempt, at: draft.at }].slice(-LIMITS.epochsMax) } satisfies DoneCell);
}

/** It came back. Sums fall, the epoch moves, tasks that counted it are open again. */
function revert(change: Settlement): void {
  const { draft, attempt, cell, finding, ask } = change;
  moveAttempt(draft, attempt.id, { certainty: 'reverted' });
  moveSums(draft, { action: ask.action.name, target: ask.targetId, cell }, REVERT);
  const task = ask.task?.id ?? null;
  const before = draft.cell<SignatureCell>(cellKeys.signature(cell.signature)) ?? EMPTY_SIGNATURE;
  draft.setCell(cellKeys.signature(cell.signature), {
    ...before,
    landed: Math.max(0, before.landed - 1),
    recent: before.recent.filter((id) => id !== attempt.id),
  });
  const done = draft.cell<DoneCell>(cellKeys.done(cell.signature, task))?.attempts.filter((each) => each.attempt !== attempt.id) ?? [];
  draft.setCell(cellKeys.done(cell.signature, task), done.length === 0 ? null : ({ attempts: done } satisfies DoneCell));
  nextEpoch(draft, cell);
  const evidence: JsonObject = { ...cell.evidence, ...finding.fields, status: finding.status ?? finding.says };
  applyPlan(draft, ask, planTreatment(draft, ask, ask.action.treatments.get('reverted'), { attempt: attempt.id, extras: extrasOf(attempt, evidence) }));
  draft.event('effect.reverted', attempt.id, { source: finding.source, status: finding.status });
  effectReverted(draft, { task, action: ask.action.name, target: ask.targetId, attempt: attempt.id });
}

/** A landed effect whose status moved on. */
function progress(change: Settlement): void {
  const { draft, attempt, finding, ask } = change;
  const evidence: JsonObject = { ...change.cell.evidence, ...finding.fields, status: finding.status ?? finding.says };
  setAttemptCell(draft, attempt.id, { evidence });
  applyPlan(draft, ask, planTreatment(draft, ask, ask.action.treatments.get('progressed'), { attempt: attempt.id, extras: extrasOf(attempt, evidence) }));
  draft.event('effect.progressed', attempt.id, { status: finding.status });
}

/** It did not happen. What was held is free, the fence opens; the epoch moves where something was sent. */
function release(change: Settlement): void {
  const { draft, attempt, cell, finding, verdict, ask } = change;
  const sent = cell.phase !== 'preflight';
  const outcome = outcomeOf(verdict.outcome ?? 'FailedTransiently', finding);
  moveAttempt(draft, attempt.id, { outcome, certainty: 'none', status: 'settled' }, null);
  moveSums(draft, { action: ask.action.name, target: ask.targetId, cell }, RELEASE);
  closeFence(change);
  if (sent) nextEpoch(draft, cell);
  const after = setAttemptCell(draft, attempt.id, { phase: 'done', counted: countAfter(draft, cell, finding) });
  const treatment = planTreatment(draft, ask, treatmentOf(ask.action, outcome.kind), { attempt: attempt.id, extras: extrasOf(attempt, finding.fields) });
  applyPlan(draft, ask, treatment);
  draft.note(attempt.id, { state: { retry: retryState(draft, ask, after) } });
  draft.event('effect.did_not_happen', attempt.id, { source: finding.source, outcome: outcome.kind, code: finding.code });
}

/** What becomes of the try: a lost login uses nothing, a 429 only the ceiling, a definite decline leaves nothing for its key. */
function countAfter(draft: Draft, cell: AttemptCell, finding: Finding): AttemptCell['counted'] {
  if (cell.counted === 'none') return 'none';
  switch (finding.says) {
    case 'login_lost':
      giveBack(draft, cell, 'whole');
      return 'none';
    case 'rate_limited':
      giveBack(draft, cell, 'key');
      return 'ceiling';
    case 'declined':
    case 'failed':
      if (cell.retryKey !== null) exhaust(draft, cell.retryKey);
      return cell.counted;
    default:
      return cell.counted;
  }
}

function outcomeOf(kind: NonNullable<Verdict['outcome']>, finding: Finding): Outcome {
  if (finding.says === 'login_lost') return { kind, check: 11, code: 'authentication_required', detail: { answer: finding.code } };
  const retryAt = finding.retryAfterMs;
  return {
    kind,
    ...(finding.code === null ? {} : { code: finding.code }),
    detail: { source: finding.source, ...(retryAt === null ? {} : { retryAfterMs: retryAt }) },
  };
}

/** Nobody can know. The fence stays shut; read-backs begin where the contract has one. */
function doubt(change: Settlement): void {
  const { draft, attempt, cell, finding, verdict, ask } = change;
  if (attempt.state['status'] === 'settled') return;
  const outcome = outcomeOf(verdict.outcome ?? 'OutcomeAmbiguous', finding);
  moveAttempt(draft, attempt.id, { outcome, certainty: 'in_doubt', status: 'settled' });
  setAttemptCell(draft, attempt.id, { doubtAt: draft.at, cutAt: finding.says === 'cut_off' ? draft.at : cell.cutAt });
  const readable = ask.action.definition.adapter?.recovery === 'read_back';
  if (readable) draft.timer({ kind: 'read_back', ref: attempt.id, at: draft.at + readBackDelayMs(0) });
  draft.event('effect.in_doubt', attempt.id, { outcome: outcome.kind, code: finding.code, since: isoInstant(draft.at) });
}

/** ms from the beginning of doubt to the n-th read-back by alarm; undefined after the last. */
export function readBackDelayMs(n: number): number {
  const seconds = LIMITS.readBackScheduleSeconds[n];
  return seconds === undefined ? -1 : seconds * 1000;
}

function closeFence(change: Settlement): void {
  const { draft, attempt, cell, ask } = change;
  const fence = draft.cell<FenceCell>(cellKeys.fence(cell.fence)) ?? EMPTY_FENCE;
  if (fence.open === attempt.id) draft.setCell(cellKeys.fence(cell.fence), { ...fence, open: null });
  draft.setCell(cellKeys.unresolved, Math.max(0, (draft.cell<number>(cellKeys.unresolved) ?? 0) - 1));
  draft.untimer('read_back', attempt.id);
  openForTask(draft, ask.task?.id ?? null, -1);
}

function nextEpoch(draft: Draft, cell: AttemptCell): void {
  const chain = draft.cell<ChainCell>(cellKeys.chain(cell.chain)) ?? { epoch: 0, sent: [] };
  if (chain.epoch === cell.epoch) draft.setCell(cellKeys.chain(cell.chain), { ...chain, epoch: chain.epoch + 1 });
}

/** Both sides are kept; a person closes it (`attempt.accept_conflict`). An attempt in preflight behind the same fence ends here. */
function raiseConflict(change: Settlement): void {
  const { draft, attempt, cell, finding } = change;
  setAttemptCell(draft, attempt.id, { conflict: true });
  draft.note(attempt.id, { mark: 'conflict' });
  draft.event('effect.conflict', attempt.id, { says: finding.says, source: finding.source, before: attempt.state['certainty'] ?? null });
  const open = (draft.cell<FenceCell>(cellKeys.fence(cell.fence)) ?? EMPTY_FENCE).open;
  const other = open === null || open === attempt.id ? undefined : attemptCell(draft, open);
  if (open !== null && other?.phase === 'preflight' && other.signature === cell.signature && finding.says === 'landed') {
    stopPreflight(draft, open, { check: 9, code: 'already_completed', detail: { attempt: attempt.id } });
  }
}

/** A preflight that ends in a refusal: nothing is sent, no epoch moves, no try is counted. */
export function stopPreflight(draft: Draft, id: string, failing: Failing): void {
  const attempt = draft.required(id);
  const cell = attemptCell(draft, id);
  if (cell === undefined) return;
  const ask = askOf(draft, attempt, cell);
  const finding: Finding = { says: 'preflight_failed', status: null, rank: 0, code: null, fields: {}, retryAfterMs: null, source: 'preflight', evidence: null };
  release({ draft, attempt, cell, finding, verdict: { certainty: 'none', outcome: 'FailedTransiently', conflict: false }, ask });
  moveAttempt(draft, id, { outcome: outcomeOfFailing([failing], permittedNext(draft, ask, [failing])), correlationId: null });
}
