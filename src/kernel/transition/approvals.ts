// Responsibility: check 7, and the life of an Approval: asked, granted, denied, expired, void, used (design §8).
// Boundary: an approval is bound by digest to exactly one proposal; continuing the attempt is in laws/approval.ts and admit.ts.
// Invariants: one approval per fence; a decision is final; expired means expired, whether or not the timer ran.

import { digest } from '../base/digest.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { instantMs, isoInstant } from '../base/time.ts';
import { evaluate } from '../condition/evaluate.ts';
import type { SealedAction } from '../manifest/seal.ts';
import { conditionScope, textField, type Ask, type EffectIdentity } from './ask.ts';
import { createAttempt, fromInput, moveAttempt, NO_RETRY, setAttemptCell } from './attempts.ts';
import { cellKeys, EMPTY_FENCE, EMPTY_SIGNATURE, type FenceCell, type SignatureCell } from './cells.ts';
import { openForTask } from './dispatch.ts';
import { same, type Draft } from './draft.ts';
import type { ProposalInput } from './inputs.ts';
import type { Failing, Outcome } from './outcomes.ts';
import { evidenceSeen } from './retry.ts';
import type { StoredObject } from './state.ts';

/** What check 7 found. */
export type ApprovalVerdict =
  | { readonly kind: 'not_needed' }
  /** Granted for exactly this proposal, by this proposer: the attempt that continues. */
  | { readonly kind: 'granted'; readonly approval: StoredObject }
  /** Nobody was asked yet: these approvals are needed. */
  | { readonly kind: 'ask'; readonly needed: readonly SealedAction['approvals'][number][]; readonly stale: StoredObject | null }
  | { readonly kind: 'refused'; readonly failing: Failing; readonly same: StoredObject | null };

/** Which approvals an action needs now: those whose condition is not false (unknown asks a person). */
export function neededApprovals(draft: Draft, ask: Ask): readonly SealedAction['approvals'][number][] {
  const scope = conditionScope(draft, ask);
  return ask.action.approvals.filter(({ node }) => evaluate(node, scope).truth !== 'false');
}

export function checkApproval(draft: Draft, ask: Ask, effect: EffectIdentity): ApprovalVerdict {
  const signature = draft.cell<SignatureCell>(cellKeys.signature(effect.signature)) ?? EMPTY_SIGNATURE;
  if (signature.denial !== null && evidenceSeen(draft, ask, effect.signature) <= signature.denial.evidence) {
    return { kind: 'refused', same: null, failing: { check: 7, code: 'approval_denied', detail: { approval: signature.denial.approval } } };
  }
  const needed = neededApprovals(draft, ask);
  if (needed.length === 0) return { kind: 'not_needed' };
  const standing = standingApproval(draft, effect.fence);
  if (standing === null) return { kind: 'ask', needed, stale: null };
  if (standing.state['targetRevision'] !== ask.target?.revision) return { kind: 'ask', needed, stale: standing };
  const identical = isSame(draft, standing, ask, effect);
  if (identical && standing.state['status'] === 'granted' && standing.state['proposer'] === ask.actor.id) return { kind: 'granted', approval: standing };
  const detail: JsonObject = {
    approval: standing.id,
    attempt: String(standing.state['attempt']),
    rules: needed.map(({ name }) => name),
    status: standing.state['status'] ?? null,
  };
  return { kind: 'refused', same: identical ? standing : null, failing: { check: 7, code: 'approval_required', detail } };
}

/** The refusal of a verdict, for `failing`; `ask` alone says what would be asked. */
export function approvalFailing(verdict: ApprovalVerdict): Failing | undefined {
  if (verdict.kind === 'refused') return verdict.failing;
  if (verdict.kind !== 'ask') return undefined;
  return { check: 7, code: 'approval_required', detail: { rules: verdict.needed.map(({ name }) => name), role: verdict.needed[0]?.role ?? '' } };
}

/** The approval that stands on a fence: pending, or granted and not run; never one whose time is over. */
export function standingApproval(draft: Draft, fence: string): StoredObject | null {
  const id = (draft.cell<FenceCell>(cellKeys.fence(fence)) ?? EMPTY_FENCE).approval;
  const approval = id === null ? undefined : draft.object(id);
  if (approval === undefined || isExpired(draft, approval)) return null;
  return approval.state['status'] === 'pending' || approval.state['status'] === 'granted' ? approval : null;
}

export function isExpired(draft: Draft, approval: StoredObject): boolean {
  return (instantMs(textField(approval, 'expiresAt') ?? '') ?? 0) <= draft.at;
}

function isSame(draft: Draft, approval: StoredObject, ask: Ask, effect: EffectIdentity): boolean {
  const attempt = draft.object(String(approval.state['attempt']));
  const cell = draft.cell<{ signature: string }>(cellKeys.attempt(String(approval.state['attempt'])));
  return (
    attempt !== undefined &&
    cell?.signature === effect.signature &&
    same(approval.state['parameters'], ask.args) &&
    approval.state['task'] === (ask.task?.id ?? null)
  );
}

/** What an approval is for, as one digest: world, manifest, action, actor, target and revision, parameters, adapter, expiry. */
export function approvalDigest(
  draft: Draft,
  ask: Pick<Ask, 'action' | 'targetId' | 'args'>,
  about: { actor: string; revision: number; expiresAt: string },
): string {
  const { adapter } = ask.action.definition;
  const contract = adapter === undefined ? null : (draft.sealed.manifest.adapters[adapter.integration] ?? null);
  const parts: Json = [
    draft.view.birthId,
    draft.sealed.hash,
    ask.action.name,
    about.actor,
    ask.targetId,
    about.revision,
    ask.args,
    contract as unknown as Json,
    about.expiresAt,
  ];
  return digest(parts);
}

/** Parks a proposal: an attempt that waits, and the approval it waits for. */
export function askForApproval(
  draft: Draft,
  ask: Ask,
  effect: EffectIdentity,
  about: { readonly input: ProposalInput; readonly verdict: Extract<ApprovalVerdict, { kind: 'ask' }> },
): { attempt: string; outcome: Outcome } {
  const { needed, stale } = about.verdict;
  if (stale !== null) voidApproval(draft, stale, { kind: 'Rejected', check: 4, code: 'stale_revision', detail: { target: ask.targetId } });
  const first = needed[0];
  const role = first?.role ?? 'human';
  const id = draft.newId('ActionAttempt');
  const approval = draft.newId('Approval');
  const shortest = needed.reduce((least, { expiresAfterMs }) => Math.min(least, expiresAfterMs), first?.expiresAfterMs ?? 0);
  const expiresAt = draft.at + shortest;
  const rules = needed.map(({ name }) => name);
  const failing: Failing = { check: 7, code: 'approval_required', detail: { approval, attempt: id, rules, role } };
  const outcome: Outcome = { kind: 'Blocked', ...failing, failing: [failing] };
  const waits = { certainty: 'none', status: 'awaiting_approval', correlationId: null, epoch: 0, attemptCount: 0, refusedCount: 1, retry: NO_RETRY } as const;
  createAttempt(draft, { ...fromInput(about.input), ...waits, id, target: ask.targetId, outcome }, 'awaiting');
  const { signature, fence, chain, amount, groups } = effect;
  setAttemptCell(draft, id, { signature, fence, chain, amount, groups, phase: 'awaiting', approval, proposerRoles: [...ask.actor.roles] });
  draft.create(approval, approvalState(draft, ask, { attempt: id, role, rules, expiresAt: isoInstant(expiresAt) }), ask.actor.id, 'pending');
  putOnFence(draft, fence, approval);
  openForTask(draft, ask.task?.id ?? null, 1);
  draft.timer({ kind: 'expiry', ref: approval, at: expiresAt });
  draft.event('approval.requested', approval, { attempt: id, role, rules });
  return { attempt: id, outcome };
}

function approvalState(
  draft: Draft,
  ask: Ask,
  asked: { readonly attempt: string; readonly role: string; readonly rules: readonly string[]; readonly expiresAt: string },
): JsonObject {
  const revision = ask.target?.revision ?? 0;
  return {
    ...asked,
    action: ask.action.name,
    target: ask.targetId,
    targetRevision: revision,
    parameters: ask.args,
    proposer: ask.actor.id,
    task: ask.task?.id ?? null,
    status: 'pending',
    decidedBy: null,
    decidedAt: null,
    note: null,
    digest: approvalDigest(draft, ask, { actor: ask.actor.id, revision, expiresAt: asked.expiresAt }),
  };
}

/** What expired here before is a blocker no more: it is asked for anew. */
function putOnFence(draft: Draft, fence: string, approval: string): void {
  const cell = draft.cell<FenceCell>(cellKeys.fence(fence)) ?? EMPTY_FENCE;
  if (cell.expired !== null) draft.note(cell.expired, { mark: null });
  draft.setCell(cellKeys.fence(fence), { ...cell, approval, expired: null });
  draft.setCell(cellKeys.approvals, (draft.cell<number>(cellKeys.approvals) ?? 0) + 1);
}

/** Ends an approval that has not run, and the attempt behind it. */
export function voidApproval(draft: Draft, approval: StoredObject, outcome: Outcome, status: 'void' | 'expired' | 'denied' = 'void'): void {
  const attempt = String(approval.state['attempt']);
  const mark = status === 'expired' ? 'expired' : null;
  draft.move(approval.id, { status }, mark);
  const whole = outcome.failing === undefined && outcome.check !== undefined ? withFailing(outcome) : outcome;
  moveAttempt(draft, attempt, { outcome: whole, status: 'settled' }, null);
  const cell = setAttemptCell(draft, attempt, { phase: 'done' });
  closeApproval(draft, approval.id, cell.fence);
  if (status === 'expired') rememberExpired(draft, approval.id, cell.fence);
  openForTask(draft, textField(draft.object(attempt), 'task'), -1);
}

/** An approval that ran into a preflight, whose time was over before anything was sent. */
export function expireUnsent(draft: Draft, approval: StoredObject, fence: string): void {
  draft.move(approval.id, { status: 'expired' }, 'expired');
  rememberExpired(draft, approval.id, fence);
  draft.event('approval.expired', approval.id);
}

function rememberExpired(draft: Draft, approval: string, fence: string): void {
  const cell = draft.cell<FenceCell>(cellKeys.fence(fence)) ?? EMPTY_FENCE;
  draft.setCell(cellKeys.fence(fence), { ...cell, expired: approval });
}

function withFailing(outcome: Outcome): Outcome {
  const { check, code, detail } = outcome;
  if (check === undefined || code === undefined) return outcome;
  return { ...outcome, failing: [{ check, code: code as Failing['code'], detail: detail ?? {} }], permittedNext: [] };
}

/** Takes an approval off its fence and its timer off the clock. */
export function closeApproval(draft: Draft, approval: string, fence: string): void {
  const cell = draft.cell<FenceCell>(cellKeys.fence(fence)) ?? EMPTY_FENCE;
  if (cell.approval === approval) draft.setCell(cellKeys.fence(fence), { ...cell, approval: null });
  draft.setCell(cellKeys.approvals, Math.max(0, (draft.cell<number>(cellKeys.approvals) ?? 0) - 1));
  draft.untimer('expiry', approval);
}

/** Denies: the signature is bound, for every actor and task, until evidence that comes after this. */
export function bindDenial(draft: Draft, approval: StoredObject, cell: { readonly signature: string }): void {
  const before = draft.cell<SignatureCell>(cellKeys.signature(cell.signature)) ?? EMPTY_SIGNATURE;
  draft.setCell(cellKeys.signature(cell.signature), { ...before, denial: { approval: approval.id, evidence: draft.sequence } });
}
