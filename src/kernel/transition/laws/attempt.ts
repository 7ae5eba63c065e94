// Responsibility: the core laws on attempts: read_back, reconcile, accept_conflict, allow_retries, cancel (design §8 "Findings of people").
// Boundary: a finding goes through the same settle() as any evidence.
// Invariants: not_happened waits for settle time and a read-back begun after it; a dispatched attempt cannot be cancelled.

import type { JsonObject } from '../../base/json.ts';
import { textField, type Ask } from '../ask.ts';
import { attemptCell, moveAttempt, setAttemptCell } from '../attempts.ts';
import { cellKeys, EMPTY_FENCE, type AttemptCell, type FenceCell } from '../cells.ts';
import { ruleFailure } from '../checks/preconditions.ts';
import type { Draft } from '../draft.ts';
import type { Failing } from '../outcomes.ts';
import { markEvidence } from '../retry.ts';
import { voidApproval } from '../approvals.ts';
import { settle } from '../settle.ts';
import { settledFrom } from '../settle-time.ts';
import { succeeded, textArg, type Law } from './law.ts';

function inDoubt(ask: Ask): boolean {
  return ask.target?.state['certainty'] === 'in_doubt' && ask.target.state['status'] === 'settled';
}

function recoveryOf(draft: Draft, ask: Ask): string | undefined {
  return draft.sealed.actions.get(textField(ask.target, 'action') ?? '')?.definition.adapter?.recovery;
}

export const readBack: Law = {
  rules: (draft, ask) => {
    const failing: Failing[] = [];
    if (!inDoubt(ask)) failing.push(ruleFailure('is_in_doubt', { certainty: ask.target?.state['certainty'] ?? null }));
    if (recoveryOf(draft, ask) !== 'read_back') failing.push(ruleFailure('has_a_read_back'));
    return failing;
  },
  carryOut: ({ draft, ask, attempt }) => {
    setAttemptCell(draft, attempt, { phase: 'reading' });
    draft.command({ do: 'read_back', attempt: ask.targetId, asker: attempt });
    return { outcome: null };
  },
};

export const reconcile: Law = {
  authority: (draft, ask) => {
    const cell = attemptCell(draft, ask.targetId);
    const proposer = textField(ask.target, 'actor') === ask.actor.id;
    const needsApproval = (draft.sealed.actions.get(textField(ask.target, 'action') ?? '')?.definition.approvals.length ?? 0) > 0;
    return !(textArg(ask, 'finding') === 'not_happened' && proposer && (cell?.approval !== null || needsApproval));
  },
  rules: (draft, ask) => {
    const cell = attemptCell(draft, ask.targetId);
    if (cell === undefined || !mayHaveLanded(cell, ask)) return [notInDoubt(ask)];
    if (textArg(ask, 'finding') === 'landed') return [];
    return inDoubt(ask) ? absenceRules(draft, ask, cell) : [notInDoubt(ask)];
  },
  always: (draft, ask) => (mayHaveLanded(attemptCell(draft, ask.targetId), ask) ? [] : [notInDoubt(ask)]),
  carryOut: ({ draft, ask }) => {
    const id = draft.newId('Evidence');
    const landed = textArg(ask, 'finding') === 'landed';
    draft.create(
      id,
      { about: ask.targetId, source: 'person', finding: landed ? 'landed' : 'not_happened', note: textArg(ask, 'note'), by: ask.actor.id, at: draft.now },
      ask.actor.id,
    );
    settle(draft, ask.targetId, {
      says: landed ? 'landed' : 'absent',
      status: landed ? 'confirmed_by_person' : null,
      rank: 0,
      code: landed ? null : 'not_happened',
      fields: {},
      retryAfterMs: null,
      source: 'person',
      evidence: id,
    });
    return succeeded({ attempt: ask.targetId, evidence: id });
  },
};

/** Sent, answered for, and not known to have landed: also what was thought not to have happened. */
function mayHaveLanded(cell: AttemptCell | undefined, ask: Ask): boolean {
  const state = ask.target?.state ?? {};
  return cell !== undefined && cell.sentAt !== null && state['status'] === 'settled' && (state['certainty'] === 'in_doubt' || state['certainty'] === 'none');
}

function notInDoubt(ask: Ask): Failing {
  return ruleFailure('is_in_doubt', { certainty: ask.target?.state['certainty'] ?? null });
}

function absenceRules(draft: Draft, ask: Ask, cell: AttemptCell): readonly Failing[] {
  const from = settledFrom(draft, ask.target, cell);
  const failing: Failing[] = [];
  if (draft.at < from) failing.push(ruleFailure('settle_time_is_over', { waitMs: from - draft.at }));
  const read = cell.lastReadBackAt !== null && cell.lastReadBackAt >= from;
  if (recoveryOf(draft, ask) === 'read_back' && !read) failing.push(ruleFailure('read_back_came_first'));
  return failing;
}

export const acceptConflict: Law = {
  rules: (draft, ask) => (attemptCell(draft, ask.targetId)?.conflict === true ? [] : [ruleFailure('has_a_conflict')]),
  carryOut: ({ draft, ask }) => {
    setAttemptCell(draft, ask.targetId, { conflict: false });
    draft.note(ask.targetId, { mark: null, counters: { conflictAcceptedBy: ask.actor.id, conflictNote: textArg(ask, 'note') } });
    draft.event('conflict.accepted', ask.targetId, { by: ask.actor.id });
    return succeeded();
  },
};

export const allowRetries: Law = {
  rules: (draft, ask) => (attemptCell(draft, ask.targetId)?.fence ? [] : [ruleFailure('is_an_effect')]),
  carryOut: ({ draft, ask }) => {
    const cell = attemptCell(draft, ask.targetId);
    const key = cellKeys.fence(cell?.fence ?? '');
    const fence = draft.cell<FenceCell>(key) ?? EMPTY_FENCE;
    const additional = Number(ask.args['additional'] ?? 0);
    draft.setCell(key, { ...fence, additional: fence.additional + additional });
    const target = textField(ask.target, 'target');
    if (target !== null) markEvidence(draft, target, null);
    draft.event('retries.allowed', ask.targetId, { additional, by: ask.actor.id } satisfies JsonObject);
    return succeeded();
  },
};

export const cancelAttempt: Law = {
  authority: (_draft, ask) => textField(ask.target, 'actor') === ask.actor.id || !ask.actor.id.startsWith('Agent:'),
  rules: (_draft, ask) =>
    ask.target?.state['status'] === 'awaiting_approval' ? [] : [ruleFailure('not_dispatched', { status: ask.target?.state['status'] ?? null })],
  carryOut: ({ draft, ask }) => {
    const approval = draft.object(attemptCell(draft, ask.targetId)?.approval ?? '');
    if (approval === undefined) moveAttempt(draft, ask.targetId, { outcome: { kind: 'Cancelled' }, status: 'settled' }, null);
    else voidApproval(draft, approval, { kind: 'Cancelled' });
    draft.event('attempt.cancelled', ask.targetId, { by: ask.actor.id });
    return succeeded();
  },
};
