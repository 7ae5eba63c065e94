// Design §8 "Approvals" and check 7. SPEC K4: one approval per fence, bound by digest; a decision is final.
import { describe, expect, it } from 'vitest';
import { DAY_MS, type JsonObject } from '../../../src/kernel/index.ts';
import { agent, ann, bob, Desk, ops, other, type Answer, type Asked } from './desk.ts';
import { edited, list, part } from './edited.ts';

const LARGE = 6000;

function approvals(desk: Desk): readonly string[] {
  return desk.state.ofType('Approval', null, 100).map(({ id }) => id);
}

function grant(desk: Desk, approval: string, asked: Asked = {}): Answer {
  return desk.propose('approval.grant', approval, {}, { by: ann, ...asked });
}

/** Granted, but a lost login stands in the way; the operator has not reconnected yet. */
function approvedNotRun(): { readonly desk: Desk; readonly attempt: string; readonly approval: string } {
  const desk = Desk.open();
  const { attempt, approval } = desk.parked('Order:1', LARGE);
  desk.order('Order:2');
  desk.evidence(desk.refund('Order:2', 100).attempt, 'login_lost', { code: 'http_401' });
  expect(grant(desk, approval).outcome?.kind).toBe('Succeeded');
  return { desk, attempt, approval };
}

describe('a person is asked', () => {
  it.each([
    ['above 50.00 of an order in all', 5001, {}, ['large_refunds_need_a_human']],
    ['when fraud is claimed', 100, { reason: 'fraudulent' }, ['fraud_claims_need_a_human']],
    ['with every rule that wants it', 5001, { reason: 'fraudulent' }, ['large_refunds_need_a_human', 'fraud_claims_need_a_human']],
  ] as const)('%s', (_when, amount, parameters, rules) => {
    const { outcome } = Desk.open().refund('Order:1', amount, { parameters });
    expect(outcome).toMatchObject({ kind: 'Blocked', code: 'approval_required', detail: { rules, role: 'human' } });
  });

  it('when an agent refunds an order again, and not when a person does', () => {
    const desk = Desk.open();
    desk.landed('Order:1', 1000);
    expect(desk.refund('Order:1', 1100).outcome?.detail?.['rules']).toEqual(['second_refund_needs_a_human']);
    expect(desk.refund('Order:1', 1100, { by: ann }).outcome).toBeNull();
  });

  it('not at exactly 50.00, but once what landed and what is held come together above it', () => {
    const desk = Desk.open();
    expect(desk.landed('Order:1', 5000, { by: ann })).toBeTruthy();
    expect(desk.refund('Order:1', 1, { by: ann }).code).toBe('approval_required');
  });

  it('when it cannot be known whether one is needed', () => {
    const sealed = edited((world) => {
      part(world, 'types', 'Order', 'state', 'properties')['priority'] = { type: 'integer', minimum: 0, maximum: 9 };
      list(part(world, 'actions', 'order.refund'), 'approvals').push({
        name: 'urgent',
        description: '',
        when: { gt: ['$target.priority', 5] },
        role: 'human',
        expiresAfterMs: DAY_MS,
      });
    });
    expect(Desk.open(sealed).refund('Order:1', 100).outcome).toMatchObject({ kind: 'Blocked', code: 'approval_required', detail: { rules: ['urgent'] } });
  });

  it('last: a proposal that could not run asks nobody', () => {
    const desk = Desk.open();
    desk.must('integration.disconnect', 'Integration:payments', {}, { by: ops });
    const { outcome } = desk.refund('Order:1', LARGE);
    expect(outcome?.failing?.map(({ code }) => code)).toEqual(['integration_unavailable', 'approval_required']);
    expect(approvals(desk)).toEqual([]);
  });

  it('by an approval that says what it is for, until when, and who may decide', () => {
    const desk = Desk.open();
    const { attempt, approval } = desk.parked('Order:1', LARGE, { parameters: { note: 'please' } });
    expect(desk.object(approval).state).toMatchObject({
      attempt,
      action: 'order.refund',
      target: 'Order:1',
      targetRevision: 1,
      parameters: { amountCents: LARGE, reason: 'requested_by_customer', note: 'please' },
      proposer: agent.id,
      task: null,
      status: 'pending',
      role: 'human',
      expiresAt: '2026-12-02T08:00:00.000Z',
      decidedBy: null,
    });
    expect(desk.object(attempt).state).toMatchObject({ status: 'awaiting_approval', certainty: 'none', correlationId: null, attemptCount: 0 });
    expect(desk.budget()).toMatchObject({ spent: 0, held: 0 });
    expect(desk.sent).toEqual([]);
  });

  it('and the question survives restarts and time', () => {
    const desk = Desk.open();
    const { approval } = desk.parked('Order:1', LARGE);
    desk.restart();
    desk.pass(DAY_MS - 1);
    expect(desk.frame({ actor: ann }).approvals).toMatchObject([{ approval, status: 'pending', parameters: { amountCents: LARGE } }]);
  });
});

describe('one approval stands on a fence', () => {
  it.each([agent, other, bob])('the same proposal gets the same attempt and approval, whoever makes it', (by) => {
    const desk = Desk.open();
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    const again = desk.refund('Order:1', LARGE, { by });
    expect(again.attempt).toBe(attempt);
    expect(again.outcome).toMatchObject({ kind: 'Blocked', code: 'approval_required', detail: { approval, attempt } });
    expect(desk.field(attempt, 'refusedCount')).toBe(2);
    expect(approvals(desk)).toEqual([approval]);
  });

  it('another proposal that needs one is blocked with it', () => {
    const desk = Desk.open();
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    for (const asked of [{ parameters: { amountCents: 7000 } }, { parameters: { note: 'other words' } }, { parameters: { reason: 'duplicate' } }]) {
      const { outcome, attempt: own } = desk.refund('Order:1', LARGE, { by: other, ...asked });
      expect(outcome).toMatchObject({ kind: 'Blocked', code: 'approval_required', detail: { approval, attempt } });
      expect(own).not.toBe(attempt);
    }
    expect(approvals(desk)).toEqual([approval]);
  });

  it('one that needs none goes through, and makes the other void by moving the target', () => {
    const desk = Desk.open();
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    desk.landed('Order:1', 1000);
    expect(grant(desk, approval).outcome?.kind).toBe('Succeeded');
    expect([desk.field(approval, 'status'), desk.outcomeOf(attempt)?.code]).toEqual(['void', 'stale_revision']);
  });

  it('other targets are asked about at the same time', () => {
    const desk = Desk.open();
    desk.order('Order:2');
    desk.parked('Order:1', LARGE);
    desk.parked('Order:2', LARGE);
    expect(approvals(desk)).toHaveLength(2);
  });
});

describe('a grant', () => {
  it('continues the attempt that waited, once, and answers for itself', () => {
    const desk = Desk.open();
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    const answer = grant(desk, approval);
    expect(answer.outcome).toEqual({ kind: 'Succeeded', detail: { attempt, approval } });
    expect(answer.decision.commands).toEqual([{ do: 'dispatch', attempt }]);
    expect(answer.attempt).not.toBe(attempt);
    expect(desk.object(approval).state).toMatchObject({ status: 'used', decidedBy: ann.id, decidedAt: '2026-12-01T08:00:00.000Z' });
    expect(desk.object(attempt).state).toMatchObject({ status: 'dispatched', certainty: 'in_doubt', outcome: null, attemptCount: 1 });
    desk.evidence(attempt, 'landed');
    expect(desk.outcomeOf(attempt)?.kind).toBe('Succeeded');
    expect(desk.sent).toHaveLength(1);
  });

  it('of ten at once is one decision; the others are told that it is final, and which it was', () => {
    const desk = Desk.open();
    const { approval } = desk.parked('Order:1', LARGE);
    const inputs = Array.from({ length: 10 }, (_, index) => desk.input('approval.grant', approval, {}, { by: index % 2 === 0 ? ann : bob }));
    const outcomes = inputs.map((input) => desk.step(input).outcome);
    expect(outcomes.map((outcome) => outcome?.kind)).toEqual(['Succeeded', ...Array.from({ length: 9 }, () => 'Rejected')]);
    for (const outcome of outcomes.slice(1)) {
      const rule = outcome?.failing?.find(({ detail }) => detail['rule'] === 'decision_is_final');
      expect(rule?.detail).toMatchObject({ status: 'used', decidedBy: ann.id });
    }
    expect(desk.sent).toHaveLength(1);
    expect(desk.events('approval.granted')).toHaveLength(1);
  });

  it.each([
    ['a denial', 'approval.deny', 'denied'],
    ['a grant', 'approval.grant', 'used'],
  ] as const)('after %s is refused as `decision_is_final`, and so is a denial', (_what, decided, status) => {
    const desk = Desk.open();
    const { approval } = desk.parked('Order:1', LARGE);
    desk.must(decided, approval, {}, { by: ann });
    for (const late of ['approval.grant', 'approval.deny']) {
      expect(desk.propose(late, approval, {}, { by: bob }).outcome?.detail).toMatchObject({ rule: 'decision_is_final', status, decidedBy: ann.id });
    }
    expect(desk.field(approval, 'status')).toBe(status);
  });

  it.each([
    ['its proposer', ann, ann],
    ['an agent', agent, other],
    ['an agent that was given the role', agent, { id: 'Agent:one-more', roles: ['agent', 'human'] }],
    ['a role that was not named', agent, ops],
  ] as const)('is not for %s', (_who, proposer, by) => {
    const desk = Desk.open();
    const { approval } = desk.parked('Order:1', LARGE, { by: proposer });
    for (const action of ['approval.grant', 'approval.deny']) expect(desk.propose(action, approval, {}, { by }).code).toBe('not_authorized');
    expect(desk.field(approval, 'status')).toBe('pending');
    expect(desk.sent).toEqual([]);
  });

  it('runs all checks again: what the target became makes it void, and the grant stands as a decision', () => {
    const desk = Desk.open();
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    desk.must('order.amend', 'Order:1', { totalCents: 9000 }, { by: ops });
    expect(grant(desk, approval).outcome?.kind).toBe('Succeeded');
    expect(desk.object(approval).state).toMatchObject({ status: 'void', decidedBy: ann.id });
    expect(desk.outcomeOf(attempt)).toMatchObject({ kind: 'Rejected', check: 4, code: 'stale_revision' });
    expect(desk.sent).toEqual([]);
    expect(desk.fence(attempt).approval).toBeNull();
  });

  it.each([
    ['the budget', (desk: Desk) => desk.must('budget.set', 'Budget:refunds', { limit: 10 }, { by: ops }), 'resource_exhausted'],
    ['the task', (desk: Desk, task: string) => desk.propose('task.reopen', task, {}, { by: ann }), 'precondition_failed'],
  ] as const)('runs all checks again: %s', (what, happens, code) => {
    const desk = Desk.open();
    const task = desk.task('Order:1');
    const { attempt, approval } = desk.parked('Order:1', LARGE, { task });
    happens(desk, task);
    // The only way in which a task closes while something of it waits: too many refusals in a row.
    if (what === 'the task') for (let index = 0; index < 50; index += 1) desk.refund('Order:1', 90_000, { task });
    grant(desk, approval);
    expect(desk.outcomeOf(attempt)).toMatchObject({ kind: 'Rejected', code });
    expect(desk.field(approval, 'status')).toBe('void');
    expect(desk.sent).toEqual([]);
  });

  it.each([
    ['a fence', (desk: Desk) => desk.doubted('Order:1', 1000), 'in_doubt'],
    ['a lost login', (desk: Desk) => (desk.order('Order:2'), desk.evidence(desk.refund('Order:2', 1).attempt, 'login_lost')), 'authentication_required'],
  ] as const)('stands where %s is in the way, shown as approved and not run', (_what, happens, code) => {
    const desk = Desk.open();
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    happens(desk);
    expect(grant(desk, approval).outcome?.kind).toBe('Succeeded');
    expect(desk.field(approval, 'status')).toBe('granted');
    expect(desk.field(attempt, 'status')).toBe('awaiting_approval');
    expect(desk.events('approval.not_run')).toEqual([{ object: approval, attempt, code }]);
    expect(desk.frame().blockers).toContainEqual(expect.objectContaining({ code: 'approved_not_run', approval }));
  });

  it('is void at once where the target has moved, though a fence is in the way too', () => {
    const desk = Desk.open();
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    desk.landed('Order:1', 1000, { by: ann });
    desk.doubted('Order:1', 1100, { by: ann });
    grant(desk, approval);
    expect(desk.field(approval, 'status')).toBe('void');
    expect(desk.outcomeOf(attempt)).toMatchObject({ kind: 'Rejected', code: 'stale_revision' });
  });
});

describe('approved, not run', () => {
  it('runs when its proposer makes the same proposal again, once', () => {
    const { desk, attempt, approval } = approvedNotRun();
    desk.connect('payments');
    const sent = desk.sent.length;
    expect(desk.sent).toHaveLength(sent);
    const again = desk.refund('Order:1', LARGE);
    expect([again.outcome, again.attempt]).toEqual([null, attempt]);
    expect(again.decision.commands).toEqual([{ do: 'dispatch', attempt }]);
    expect(desk.field(approval, 'status')).toBe('used');
    expect(desk.refund('Order:1', LARGE).code).toBe('in_flight');
    expect(desk.sent).toHaveLength(sent + 1);
  });

  it('does not run for another actor, another parameter, or by the clock', () => {
    const { desk, attempt, approval } = approvedNotRun();
    desk.connect('payments');
    const sent = desk.sent.length;
    expect(desk.refund('Order:1', LARGE, { by: other })).toMatchObject({ attempt, code: 'approval_required' });
    expect(desk.refund('Order:1', LARGE, { parameters: { note: 'x' } }).outcome?.detail).toMatchObject({ approval });
    desk.pass(DAY_MS - 1);
    expect(desk.sent).toHaveLength(sent);
    expect(desk.field(approval, 'status')).toBe('granted');
  });

  it('is blocked as long as the way is, and stands', () => {
    const { desk, approval } = approvedNotRun();
    expect(desk.refund('Order:1', LARGE).code).toBe('authentication_required');
    expect(desk.field(approval, 'status')).toBe('granted');
  });

  it('does not run by itself when the doubt in its way is settled', () => {
    const desk = Desk.open();
    const { approval } = desk.parked('Order:1', LARGE);
    const doubted = desk.doubted('Order:1', 1000);
    grant(desk, approval);
    desk.shownAbsent(doubted);
    expect(desk.sent).toHaveLength(1);
    expect(desk.field(approval, 'status')).toBe('granted');
    expect(desk.refund('Order:1', LARGE).outcome).toBeNull();
  });

  it('is void once the target has moved: the same proposal asks anew', () => {
    const { desk, attempt, approval } = approvedNotRun();
    desk.connect('payments');
    desk.must('order.amend', 'Order:1', { totalCents: 19_000 }, { by: ops });
    const again = desk.refund('Order:1', LARGE);
    expect(again.outcome).toMatchObject({ code: 'approval_required' });
    expect(again.attempt).not.toBe(attempt);
    expect([desk.field(approval, 'status'), desk.outcomeOf(attempt)?.code]).toEqual(['void', 'stale_revision']);
  });

  it('expires: then it would have to be asked again', () => {
    const { desk, attempt, approval } = approvedNotRun();
    desk.connect('payments');
    desk.pass(DAY_MS);
    expect([desk.field(approval, 'status'), desk.outcomeOf(attempt)?.code]).toEqual(['expired', 'approval_expired']);
    expect(desk.refund('Order:1', LARGE).outcome).toMatchObject({ code: 'approval_required' });
    expect(desk.sent).toHaveLength(1);
  });
});

describe('expiry', () => {
  it('settles the attempt, and shows what expired until it is asked for anew', () => {
    const desk = Desk.open();
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    desk.pass(DAY_MS - 1);
    expect(desk.field(approval, 'status')).toBe('pending');
    desk.pass(1);
    expect(desk.field(approval, 'status')).toBe('expired');
    expect(desk.object(attempt).state).toMatchObject({ status: 'settled', certainty: 'none' });
    expect(desk.outcomeOf(attempt)).toMatchObject({ kind: 'Rejected', check: 7, code: 'approval_expired' });
    const shown = (): boolean => desk.frame().blockers.some((blocker) => blocker['approval'] === approval);
    expect(shown()).toBe(true);
    const anew = desk.refund('Order:1', LARGE);
    expect(anew.outcome).toMatchObject({ code: 'approval_required' });
    expect(anew.outcome?.detail?.['approval']).not.toBe(approval);
    expect(shown()).toBe(false);
  });

  it('counts whether or not its timer ran: a late grant is final', () => {
    const desk = Desk.open();
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    desk.at += DAY_MS;
    expect(grant(desk, approval).outcome?.detail).toMatchObject({ rule: 'decision_is_final' });
    expect(desk.sent).toEqual([]);
    expect(desk.refund('Order:1', LARGE).attempt).not.toBe(attempt);
    desk.pass(0);
    expect(desk.outcomeOf(attempt)?.code).toBe('approval_expired');
  });

  it('counts for what was granted and not run, too, before its timer ran', () => {
    const { desk, attempt } = approvedNotRun();
    desk.connect('payments');
    desk.at += DAY_MS;
    const again = desk.refund('Order:1', LARGE);
    expect(again.outcome).toMatchObject({ code: 'approval_required' });
    expect(again.attempt).not.toBe(attempt);
    expect(desk.sent).toHaveLength(1);
  });

  it('does not touch what was decided in time', () => {
    const desk = Desk.open();
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    grant(desk, approval);
    desk.evidence(attempt, 'landed');
    desk.pass(2 * DAY_MS);
    expect([desk.field(approval, 'status'), desk.field(attempt, 'certainty')]).toEqual(['used', 'landed']);
  });
});

describe('a denial', () => {
  function denied(asked: Asked = {}): Desk {
    const desk = Desk.open();
    desk.must('approval.deny', desk.parked('Order:1', LARGE, asked).approval, { note: 'no' }, { by: ann });
    return desk;
  }

  it('ends the attempt, and keeps who decided and why', () => {
    const desk = Desk.open();
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    const answer = desk.propose('approval.deny', approval, { note: 'not this' }, { by: ann });
    expect(answer.outcome).toEqual({ kind: 'Succeeded', detail: { attempt, approval } });
    expect(desk.object(approval).state).toMatchObject({ status: 'denied', decidedBy: ann.id, note: 'not this' });
    expect(desk.outcomeOf(attempt)).toMatchObject({ kind: 'Rejected', check: 7, code: 'approval_denied' });
    expect(desk.object(attempt).state).toMatchObject({ status: 'settled', certainty: 'none' });
  });

  it.each([
    ['the same actor', {}],
    ['another agent', { by: other }],
    ['a person', { by: bob }],
    ['other words', { parameters: { note: 'really' } }],
    ['another reason', { parameters: { reason: 'duplicate' } }],
  ] as const)('binds its signature for %s', (_who, asked) => {
    const desk = denied();
    expect(desk.refund('Order:1', LARGE, asked).outcome).toMatchObject({ kind: 'Rejected', check: 7, code: 'approval_denied' });
    desk.pass(30 * DAY_MS);
    expect(desk.refund('Order:1', LARGE, asked).code).toBe('approval_denied');
  });

  it('binds under another task, though there was evidence on that task before', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1');
    desk.must('evidence.record', task, { finding: 'the customer called' }, { by: ann });
    desk.must('approval.deny', desk.parked('Order:1', LARGE).approval, {}, { by: ann });
    expect(desk.refund('Order:1', LARGE, { task }).code).toBe('approval_denied');
    desk.must('evidence.record', task, { finding: 'the customer called again' }, { by: ann });
    expect(desk.refund('Order:1', LARGE, { task }).code).toBe('approval_required');
  });

  it('does not bind another amount or another order', () => {
    const desk = denied();
    desk.order('Order:2');
    expect(desk.refund('Order:1', LARGE + 1).code).toBe('approval_required');
    expect(desk.refund('Order:2', LARGE).code).toBe('approval_required');
  });

  it('ends with new evidence about the target: then a person is asked again', () => {
    const desk = denied();
    desk.must('evidence.record', 'Order:1', { finding: 'the parcel came back' }, { by: bob });
    expect(desk.refund('Order:1', LARGE).code).toBe('approval_required');
  });

  it('does not end with what is no evidence: a message, an amendment, another refund', () => {
    const desk = denied();
    desk.must('message.post', 'Message', { text: 'please', conversation: 'Order:1' });
    desk.must('order.amend', 'Order:1', { totalCents: 21_000 }, { by: ops });
    desk.landed('Order:1', 100);
    expect(desk.refund('Order:1', LARGE).outcome?.failing?.map(({ code }) => code)).toContain('approval_denied');
  });
});

describe('the digest of an approval', () => {
  const digestOf = (
    asked: {
      readonly order?: string;
      readonly amount?: number;
      readonly by?: typeof agent;
      readonly parameters?: JsonObject;
      readonly before?: (desk: Desk) => unknown;
    } = {},
  ): unknown => {
    const desk = Desk.open();
    desk.order('Order:2');
    asked.before?.(desk);
    const { outcome } = desk.refund(asked.order ?? 'Order:1', asked.amount ?? LARGE, { by: asked.by ?? agent, parameters: asked.parameters ?? {} });
    return desk.field(String(outcome?.detail?.['approval']), 'digest');
  };

  it('is the same for the same, and another for every other target, amount, word, actor, revision and expiry', () => {
    expect(digestOf()).toBe(digestOf());
    const all = [
      digestOf(),
      digestOf({ order: 'Order:2' }),
      digestOf({ amount: LARGE + 1 }),
      digestOf({ parameters: { note: 'x' } }),
      digestOf({ by: ann }),
      digestOf({ before: (desk) => desk.must('order.amend', 'Order:1', { totalCents: 30_000 }, { by: ops }) }),
      digestOf({ before: (desk) => desk.pass(1000) }),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  it('is compared at the grant: a parameter that was changed behind the approval makes it void', () => {
    const desk = Desk.open();
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    const stored = desk.object(attempt);
    desk.state.apply([{ put: { ...stored, state: { ...stored.state, parameters: { amountCents: LARGE, reason: 'duplicate' } } } }], desk.state.head());
    grant(desk, approval);
    expect(desk.field(approval, 'status')).toBe('void');
    expect(desk.sent).toEqual([]);
  });
});

describe('withdrawing', () => {
  it.each([
    ['its proposer', agent],
    ['a person', ann],
  ] as const)('by %s ends the attempt as Cancelled and makes the approval void', (_who, by) => {
    const desk = Desk.open();
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    desk.must('attempt.cancel', attempt, {}, { by });
    expect(desk.outcomeOf(attempt)).toEqual({ kind: 'Cancelled' });
    expect([desk.field(attempt, 'status'), desk.field(approval, 'status')]).toEqual(['settled', 'void']);
    expect(grant(desk, approval).outcome?.detail).toMatchObject({ rule: 'decision_is_final' });
    expect(desk.refund('Order:1', LARGE).outcome?.detail?.['approval']).not.toBe(approval);
  });

  it('is not for another agent', () => {
    const desk = Desk.open();
    expect(desk.propose('attempt.cancel', desk.parked('Order:1', LARGE).attempt, {}, { by: other }).code).toBe('not_authorized');
  });

  it.each([
    ['on its way', (desk: Desk) => desk.refund('Order:1', 100).attempt],
    ['in doubt', (desk: Desk) => desk.doubted('Order:1', 100)],
    ['landed', (desk: Desk) => desk.landed('Order:1', 100)],
  ] as const)('is refused once it is %s', (_what, start) => {
    const desk = Desk.open();
    const attempt = start(desk);
    expect(desk.propose('attempt.cancel', attempt, {}, { by: ann }).outcome?.detail).toMatchObject({ rule: 'not_dispatched' });
    expect(desk.outcomeOf(attempt)?.kind).not.toBe('Cancelled');
  });
});
