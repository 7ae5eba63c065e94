// Responsibility: the core laws approval.grant and approval.deny, and how a grant continues the attempt (design §8 "Approvals").
// Boundary: the grant itself and the dispatch are one transition; the effect is sent after the commit like any other.
// Invariants: never the proposer; a decision is final; all checks run again at the moment of the grant.

import { textField, type Ask } from '../ask.ts';
import { approvalDigest, bindDenial, closeApproval, isExpired, voidApproval } from '../approvals.ts';
import { attemptCell, setAttemptCell } from '../attempts.ts';
import { checkRest } from '../checks/all.ts';
import { kindOf, outcomeOfFailing } from '../checks/outcome-of-failing.ts';
import { ruleFailure } from '../checks/preconditions.ts';
import { openForTask, startEffect } from '../dispatch.ts';
import type { Draft } from '../draft.ts';
import type { Failing } from '../outcomes.ts';
import { askOf } from '../settle.ts';
import type { StoredObject } from '../state.ts';
import { succeeded, textArg, type Law } from './law.ts';

function mayDecide(_draft: Draft, ask: Ask): boolean {
  const role = textField(ask.target, 'role');
  return role !== null && ask.actor.roles.includes(role) && textField(ask.target, 'proposer') !== ask.actor.id && !ask.actor.id.startsWith('Agent:');
}

function stillOpen(draft: Draft, ask: Ask): readonly Failing[] {
  const { target } = ask;
  if (target !== undefined && target.state['status'] === 'pending' && !isExpired(draft, target)) return [];
  return [
    ruleFailure('decision_is_final', {
      status: target?.state['status'] ?? null,
      decidedBy: target?.state['decidedBy'] ?? null,
      decidedAt: target?.state['decidedAt'] ?? null,
    }),
  ];
}

export const grantApproval: Law = {
  authority: mayDecide,
  rules: stillOpen,
  carryOut: ({ draft, ask }) => {
    const approval = draft.move(ask.targetId, { status: 'granted', decidedBy: ask.actor.id, decidedAt: draft.now, note: textArg(ask, 'note') }, 'granted');
    draft.event('approval.granted', approval.id, { by: ask.actor.id });
    const attempt = String(approval.state['attempt']);
    continueApproved(draft, approval, attempt);
    return succeeded({ attempt, approval: approval.id });
  },
};

/** Runs all checks again and dispatches; a fence or a lost login lets the approval stand, a target that moved or anything else makes it void. */
export function continueApproved(draft: Draft, approval: StoredObject, attemptId: string): void {
  const attempt = draft.required(attemptId);
  const cell = attemptCell(draft, attemptId);
  if (cell === undefined) return;
  const ask = askOf(draft, attempt, cell);
  const { failing } = checkRest(draft, ask, { input: null, attempt: attemptId });
  const rest = failing.filter(({ check }) => check !== 7);
  const moved = rest.filter(({ code }) => code === 'stale_revision');
  const [first, ...more] = moved.length > 0 ? moved : rest;
  if (first === undefined) return runApproved(draft, approval, ask, attemptId);
  if (kindOf(first) === 'Blocked') {
    draft.event('approval.not_run', approval.id, { attempt: attemptId, code: first.code });
    return;
  }
  voidApproval(draft, approval, outcomeOfFailing([first, ...more], []));
}

/** The dispatch of an approved attempt. The digest is compared once more: it was asked for exactly this. */
export function runApproved(draft: Draft, approval: StoredObject, ask: Ask, attemptId: string): void {
  const { effect } = ask;
  const about = {
    actor: textField(approval, 'proposer') ?? '',
    revision: Number(approval.state['targetRevision'] ?? 0),
    expiresAt: textField(approval, 'expiresAt') ?? '',
  };
  if (effect === undefined || approvalDigest(draft, ask, about) !== approval.state['digest']) {
    return voidApproval(draft, approval, { kind: 'Rejected', check: 4, code: 'stale_revision', detail: { target: ask.targetId } });
  }
  draft.move(approval.id, { status: 'used' }, null);
  closeApproval(draft, approval.id, effect.fence);
  openForTask(draft, ask.task?.id ?? null, -1);
  startEffect(draft, ask, effect, { id: attemptId, proposal: null });
  setAttemptCell(draft, attemptId, { approval: approval.id });
}

export const denyApproval: Law = {
  authority: mayDecide,
  rules: stillOpen,
  carryOut: ({ draft, ask }) => {
    const approval = draft.move(ask.targetId, { decidedBy: ask.actor.id, decidedAt: draft.now, note: textArg(ask, 'note') });
    const attempt = String(approval.state['attempt']);
    const cell = attemptCell(draft, attempt);
    if (cell !== undefined) bindDenial(draft, approval, cell);
    voidApproval(draft, approval, { kind: 'Rejected', check: 7, code: 'approval_denied', detail: { approval: approval.id } }, 'denied');
    draft.event('approval.denied', approval.id, { by: ask.actor.id });
    return succeeded({ attempt, approval: approval.id });
  },
};
