// Design §8 "Identity", epochs, the preflight, and evidence as it comes: late, early, doubled, out of order. SPEC I3, I4, K5.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EvidenceInput, JsonObject } from '../../../src/kernel/index.ts';
import { agent, ann, bob, Desk, ops, other, sealedDesk, type Answer } from './desk.ts';

const LINES = [
  { id: 'Big Lamp', totalCents: 8000 },
  { id: 'cable', totalCents: 4000 },
];

describe('completion', () => {
  it('finds the same effect whatever its note, its reason and its actor', () => {
    const desk = Desk.open();
    const first = desk.landed('Order:1', 2500);
    for (const by of [agent, other, ann]) {
      const again = desk.refund('Order:1', 2500, { by, parameters: { note: 'in other words', reason: 'duplicate' } });
      expect(again.outcome).toMatchObject({ check: 9, code: 'already_completed', detail: { attempt: first } });
    }
    expect(desk.sent).toHaveLength(1);
  });

  it.each(['BIG LAMP', ' big  lamp ', 'Big\u00a0Lamp'])('folds identity fields: line `%s` is no other line', (line) => {
    const desk = Desk.open();
    desk.order('Order:2', 20_000, LINES);
    const { attempt } = desk.refund('Order:2', 1000, { parameters: { line: 'Big Lamp' } });
    desk.evidence(attempt, 'landed');
    expect(desk.refund('Order:2', 1000, { parameters: { line } }).outcome?.detail).toEqual({ attempt });
  });

  it.each([
    ['another amount', 'Order:1', 2499, {}],
    ['another line', 'Order:2', 2500, { line: 'cable' }],
    ['another target', 'Order:3', 2500, {}],
  ] as const)('does not take %s for the same effect', (_what, order, amount, parameters) => {
    const desk = Desk.open();
    desk.order('Order:2', 20_000, LINES);
    desk.order('Order:3');
    desk.landed(order === 'Order:3' ? 'Order:1' : order, 2500, { by: ann });
    const codes = desk.refund(order, amount, { by: ann, parameters }).outcome?.failing?.map(({ code }) => code) ?? [];
    expect(codes).not.toContain('already_completed');
  });

  it('under a task counts for that task and for none', () => {
    const desk = Desk.open();
    const [one, two] = [desk.task('Order:1'), desk.task('Order:1')];
    const first = desk.landed('Order:1', 1000, { by: ann, task: one });
    expect(desk.refund('Order:1', 1000, { by: ann, task: one }).outcome?.detail).toEqual({ attempt: first });
    expect(desk.refund('Order:1', 1000, { by: ann }).outcome?.detail).toEqual({ attempt: first });
    expect(desk.refund('Order:1', 1000, { by: ann, task: two }).outcome).toBeNull();
  });

  it('under no task counts for every task opened before it landed, and for none opened after', () => {
    const desk = Desk.open();
    const before = desk.task('Order:1');
    const first = desk.landed('Order:1', 1000, { by: ann });
    desk.pass(1);
    const after = desk.task('Order:1');
    expect(desk.refund('Order:1', 1000, { by: ann, task: before }).outcome?.detail).toEqual({ attempt: first });
    expect(desk.refund('Order:1', 1000, { by: ann, task: after }).outcome).toBeNull();
  });

  it('still counts the landing that stands when another of the same kind was reverted', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1');
    const first = desk.notHappened('Order:1', 1000, { by: ann });
    const second = desk.refund('Order:1', 1000, { by: ann }).attempt;
    desk.cleared(second);
    desk.evidence(second, 'landed');
    // The provider shows the first one after all, and then takes it back.
    desk.webhook(first, 'landed');
    desk.webhook(first, 'failed', { status: 'failed', rank: 4 });
    expect(desk.sums('Order:1').landedCount).toBe(1);
    for (const asked of [{ by: ann }, { by: ann, task }])
      expect(desk.refund('Order:1', 1000, asked).outcome).toMatchObject({ code: 'already_completed', detail: { attempt: second } });
  });

  it('ends with a reversal: the same effect may be proposed again, and goes out under a new correlation id', () => {
    const desk = Desk.open();
    const first = desk.reverted('Order:1', 1000, { by: ann });
    const again = desk.refund('Order:1', 1000, { by: ann });
    expect(again.outcome).toBeNull();
    desk.cleared(again.attempt);
    expect(desk.sent).toEqual([desk.field(first, 'correlationId'), desk.field(again.attempt, 'correlationId')]);
    expect(new Set(desk.sent).size).toBe(2);
  });

  it('cannot be reopened by an agent: agents open no tasks', () => {
    const desk = Desk.open();
    desk.landed('Order:1', 1000);
    expect(desk.propose('task.open', 'Task', { goal: 'again', subject: 'Order:1' }).code).toBe('not_authorized');
  });

  it('of nine identical proposals at once dispatches one, and the others name it', () => {
    const desk = Desk.open();
    const input = desk.input('order.refund', 'Order:1', { amountCents: 1000, reason: 'duplicate' });
    const [first, ...rest] = Array.from({ length: 9 }, () => desk.step(input));
    expect(rest.map(({ outcome }) => outcome?.detail?.['attempt'])).toEqual(rest.map(() => first?.attempt));
    expect(desk.sent).toHaveLength(1);
  });
});

describe('the fence', () => {
  const starts = {
    in_flight: (desk: Desk) => desk.refund('Order:1', 1000).attempt,
    in_doubt: (desk: Desk) => desk.doubted('Order:1', 1000),
  } as const;

  it.each(['in_flight', 'in_doubt'] as const)('stops everything of its kind while one is %s: other amounts, actors, tasks, approvals', (code) => {
    const desk = Desk.open();
    const task = desk.task('Order:1');
    const attempt = starts[code](desk);
    for (const asked of [{ by: other }, { by: ann }, { by: ann, task }, { parameters: { reason: 'fraudulent' } }]) {
      const { outcome } = desk.refund('Order:1', 777, asked);
      expect(outcome).toMatchObject({ kind: 'Blocked', code, detail: { attempt } });
    }
    expect(desk.sent).toHaveLength(1);
  });

  it('is of one target: another order is free', () => {
    const desk = Desk.open();
    desk.order('Order:2');
    desk.doubted('Order:1', 1000);
    expect(desk.refund('Order:2', 1000).outcome).toBeNull();
  });

  it('of mails is of one identity: another template goes, the same one waits', () => {
    const desk = Desk.open();
    const mail = (template: string): Answer => desk.propose('customer.email', 'Customer:kim', { template });
    const { attempt } = mail('refund_denied');
    desk.evidence(attempt, 'unclear', { integration: 'mail' });
    expect(mail('refund_denied').outcome).toMatchObject({ code: 'in_doubt', detail: { attempt } });
    expect(mail('need_information').outcome).toBeNull();
  });

  it.each([
    ['an hour', (desk: Desk) => desk.pass(3_600_000)],
    ['six days', (desk: Desk) => desk.pass(6 * 86_400_000)],
    ['a restart', (desk: Desk) => desk.restart()],
    ['an inconclusive read-back', (desk: Desk, attempt: string) => desk.readBack(attempt, 'inconclusive')],
    ['absence before settle time', (desk: Desk, attempt: string) => desk.readBack(attempt, 'absent')],
    ['another actor', (desk: Desk) => desk.refund('Order:1', 1000, { by: ann })],
    ['a reconnection', (desk: Desk) => desk.connect('payments')],
    ['a new task', (desk: Desk) => desk.task('Order:1')],
    ['a person’s evidence about the order', (desk: Desk) => desk.must('evidence.record', 'Order:1', { finding: 'nothing there' }, { by: ann })],
    ['further retries allowed', (desk: Desk, attempt: string) => desk.must('attempt.allow_retries', attempt, { additional: 3, note: 'x' }, { by: ann })],
    ['an advanced clock', (desk: Desk) => desk.step({ kind: 'advance', at: desk.at, actor: ops, advanceMs: 86_400_000 })],
  ] as const)('in doubt is not opened by %s', (_what, happens) => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    happens(desk, attempt);
    expect(desk.fence(attempt).open).toBe(attempt);
    expect(desk.refund('Order:1', 1000, { by: other }).outcome).toMatchObject({ code: 'in_doubt' });
    expect(desk.sent).toHaveLength(1);
  });

  it.each([
    ['a read-back that finds it', (desk: Desk, attempt: string) => desk.readBack(attempt, 'landed'), 'landed'],
    ['a read-back after settle time that does not', (desk: Desk, attempt: string) => desk.shownAbsent(attempt), 'none'],
    ['a verified webhook', (desk: Desk, attempt: string) => desk.webhook(attempt, 'landed'), 'landed'],
    [
      'an authorised person’s finding',
      (desk: Desk, attempt: string) => desk.must('attempt.reconcile', attempt, { finding: 'landed', note: 'seen in the bank' }, { by: ann }),
      'landed',
    ],
  ] as const)('in doubt is opened by %s', (_what, happens, certainty) => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    happens(desk, attempt);
    expect(desk.fence(attempt).open).toBeNull();
    expect(desk.field(attempt, 'certainty')).toBe(certainty);
  });
});

describe('the correlation id', () => {
  const idOf = (desk: Desk, asked: { readonly task?: string; readonly parameters?: JsonObject } = {}): string =>
    String(desk.field(desk.refund('Order:1', 1000, { by: ann, ...asked }).attempt, 'correlationId'));

  it('is 64 lower-case hex digits, the same for the same birth, signature, task and epoch', () => {
    expect(idOf(Desk.open())).toMatch(/^[0-9a-f]{64}$/);
    expect(idOf(Desk.open(), { parameters: { note: 'other words' } })).toBe(idOf(Desk.open()));
  });

  it('differs between tasks, and between worlds of one name that were born apart', () => {
    const desk = Desk.open();
    const ids = [idOf(Desk.open()), idOf(desk, { task: desk.task('Order:1') }), idOf(Desk.open(sealedDesk, '77'.repeat(32)))];
    expect(new Set(ids).size).toBe(3);
  });

  it.each(['correlationId', 'idempotencyKey', 'idempotency_key', 'key'])('cannot be set by a model: `%s` is no parameter', (field) => {
    const desk = Desk.open();
    expect(desk.refund('Order:1', 1000, { parameters: { [field]: 'k1' } }).code).toBe('invalid_parameters');
    expect(desk.sent).toEqual([]);
  });

  it('of a refused or waiting proposal is none', () => {
    const desk = Desk.open();
    expect(desk.field(desk.refund('Order:1', 90_000).attempt, 'correlationId')).toBeNull();
    expect(desk.field(desk.parked('Order:1', 6000).attempt, 'correlationId')).toBeNull();
  });
});

describe('the epoch', () => {
  const epochAfter = (happens: (desk: Desk, attempt: string) => unknown): number => {
    const desk = Desk.open();
    const { attempt } = desk.refund('Order:1', 1000, { by: ann });
    happens(desk, attempt);
    desk.connect('payments');
    desk.must('evidence.record', 'Order:1', { finding: 'try again' }, { by: ann });
    const again = desk.refund('Order:1', 1000, { by: ann });
    return again.outcome === null ? Number(desk.field(again.attempt, 'epoch')) : -1;
  };

  it.each([
    ['doubt resolved as not happened', (desk: Desk, attempt: string) => (desk.evidence(attempt, 'unclear'), desk.shownAbsent(attempt))],
    ['a decline', (desk: Desk, attempt: string) => desk.evidence(attempt, 'declined')],
    ['a lost login', (desk: Desk, attempt: string) => desk.evidence(attempt, 'login_lost')],
    ['a reversal', (desk: Desk, attempt: string) => (desk.evidence(attempt, 'landed'), desk.webhook(attempt, 'failed', { rank: 4 }))],
  ] as const)('moves with %s', (_what, happens) => {
    expect(epochAfter(happens)).toBe(1);
  });

  it.each([
    ['a lost answer', (desk: Desk, attempt: string) => desk.evidence(attempt, 'unclear')],
    ['a restart', (desk: Desk) => desk.restart()],
    ['a landing', (desk: Desk, attempt: string) => desk.evidence(attempt, 'landed')],
  ] as const)('does not move with %s: nothing goes out again', (_what, happens) => {
    expect(epochAfter(happens)).toBe(-1);
  });

  it('gives every dispatch its own correlation id', () => {
    const desk = Desk.open();
    for (let round = 0; round < 3; round += 1) {
      const { attempt } = desk.refund('Order:1', 1000);
      if (round > 0) desk.cleared(attempt);
      desk.evidence(attempt, 'unclear');
      desk.shownAbsent(attempt);
      expect(desk.field(attempt, 'epoch')).toBe(round);
    }
    expect(new Set(desk.sent).size).toBe(3);
  });
});

/** An order whose refund was shown not to have happened, and that is proposed again. */
function beforeLaterEpoch(asked: { readonly task?: string } = {}): { readonly desk: Desk; readonly first: string; readonly again: Answer } {
  const desk = Desk.open();
  const first = desk.notHappened('Order:1', 1000);
  return { desk, first, again: desk.refund('Order:1', 1000, asked) };
}

describe('before a later epoch', () => {
  it('every earlier one is looked for, and nothing is sent yet', () => {
    const { desk, again } = beforeLaterEpoch();
    expect(again.decision.commands).toEqual([{ do: 'preflight', attempt: again.attempt }]);
    expect(again.outcome).toBeNull();
    expect(desk.sent).toHaveLength(1);
    expect(desk.sums('Order:1')).toMatchObject({ heldCount: 1, heldTotal: 1000 });
    expect(desk.field(again.attempt, 'attemptCount')).toBe(0);
  });

  it('an earlier epoch under another task is looked for too', () => {
    const desk = Desk.open();
    desk.notHappened('Order:1', 1000, { task: desk.task('Order:1') });
    expect(desk.refund('Order:1', 1000, { task: desk.task('Order:1') }).decision.commands.map((command) => command.do)).toEqual(['preflight']);
  });

  it('and none is found: the new one goes out, once', () => {
    const { desk, again } = beforeLaterEpoch();
    expect(desk.cleared(again.attempt).commands).toEqual([{ do: 'dispatch', attempt: again.attempt }]);
    expect(desk.field(again.attempt, 'attemptCount')).toBe(1);
    expect(desk.cleared(again.attempt).commands).toEqual([]);
    expect(desk.sent).toHaveLength(2);
  });

  it('and one is found: that one landed, the new one is `already_completed`, and nothing is sent', () => {
    const { desk, first, again } = beforeLaterEpoch();
    desk.evidence(first, 'landed', { source: 'preflight' });
    expect(desk.field(first, 'certainty')).toBe('landed');
    expect(desk.outcomeOf(again.attempt)).toMatchObject({ kind: 'Rejected', check: 9, code: 'already_completed', detail: { attempt: first } });
    expect(desk.cleared(again.attempt).commands).toEqual([]);
    expect(desk.sent).toHaveLength(1);
    expect(desk.sums('Order:1')).toEqual({ landedCount: 1, landedTotal: 1000, heldCount: 0, heldTotal: 0 });
    expect(desk.budget()).toMatchObject({ spent: 1000, held: 0 });
  });

  it('and the landing of another amount is found: nothing is sent, and it is not called completed', () => {
    const desk = Desk.open();
    const larger = desk.notHappened('Order:1', 1500);
    desk.notHappened('Order:1', 1000);
    const { attempt } = desk.refund('Order:1', 1000);
    desk.webhook(larger, 'landed');
    expect(desk.field(attempt, 'status')).toBe('dispatched');
    expect(desk.cleared(attempt).commands).toEqual([]);
    expect(desk.outcomeOf(attempt)).toMatchObject({ kind: 'FailedTransiently', code: 'target_moved' });
  });

  it.each([
    ['inconclusive', (desk: Desk, attempt: string) => desk.evidence(attempt, 'preflight_failed', { source: 'preflight', code: 'preflight_inconclusive' })],
    ['cut off by a restart', (desk: Desk) => desk.restart()],
  ] as const)('and the look is %s: nothing is sent, it is no try and moves no epoch', (_how, happens) => {
    const { desk, again } = beforeLaterEpoch();
    const id = desk.field(again.attempt, 'correlationId');
    happens(desk, again.attempt);
    expect(desk.outcomeOf(again.attempt)?.kind).toBe('FailedTransiently');
    expect(desk.field(again.attempt, 'certainty')).toBe('none');
    expect(desk.retryOf(again.attempt)).toEqual({ remaining: 2, ceilingRemaining: 5 });
    const third = desk.refund('Order:1', 1000);
    desk.cleared(third.attempt);
    expect(desk.field(third.attempt, 'correlationId')).toBe(id);
    expect(desk.retryOf(third.attempt)).toEqual({ remaining: 1, ceilingRemaining: 4 });
    expect(desk.sent).toHaveLength(2);
  });

  it('and the target moves meanwhile: nothing is sent', () => {
    const { desk, again } = beforeLaterEpoch();
    // Another landing of the order: the webhook of an older attempt that was thought not to have happened, of another amount.
    const order = desk.object('Order:1');
    desk.state.apply([{ put: { ...order, revision: order.revision + 1 } }], desk.state.head());
    expect(desk.cleared(again.attempt).commands).toEqual([]);
    expect(desk.outcomeOf(again.attempt)).toMatchObject({ kind: 'FailedTransiently', code: 'target_moved' });
    expect(desk.sums('Order:1').heldCount).toBe(0);
  });

  it('and the approval expires meanwhile: nothing is sent, and it is settled as expired', () => {
    const desk = Desk.open();
    desk.must('approval.grant', desk.parked('Order:1', 6000).approval, {}, { by: ann });
    const first = String(desk.log.at(-1)?.events.find(({ name }) => name === 'effect.dispatched')?.object);
    desk.evidence(first, 'unclear');
    desk.shownAbsent(first);
    const { attempt, approval } = desk.parked('Order:1', 6000);
    desk.must('approval.grant', approval, {}, { by: ann });
    desk.pass(86_400_000);
    expect(desk.cleared(attempt).commands).toEqual([]);
    expect(desk.outcomeOf(attempt)).toMatchObject({ kind: 'Rejected', check: 7, code: 'approval_expired' });
    expect(desk.sums('Order:1').heldCount).toBe(0);
    expect(desk.sent).toHaveLength(1);
  });

  it('of an action without read-back there is nothing to look at: it is sent', () => {
    const desk = Desk.open();
    const mail = (): Answer => desk.propose('customer.email', 'Customer:kim', { template: 'refund_denied' });
    desk.evidence(mail().attempt, 'unclear', { integration: 'mail' });
    desk.pass(60_000);
    const { attempt } = { attempt: String(desk.state.marked('unresolved', 1)[0]?.id) };
    desk.must('attempt.reconcile', attempt, { finding: 'not_happened', note: 'asked the customer' }, { by: ann });
    expect(mail().decision.commands.map((command) => command.do)).toEqual(['dispatch']);
  });

  it('a tried attempt that only waits in preflight cannot be told landed by a person: nothing was sent', () => {
    const { desk, again } = beforeLaterEpoch();
    desk.evidence(again.attempt, 'preflight_failed', { source: 'preflight' });
    expect(desk.propose('attempt.reconcile', again.attempt, { finding: 'landed', note: 'x' }, { by: ann }).outcome?.detail).toMatchObject({
      rule: 'is_in_doubt',
    });
  });
});

describe('evidence is never refused', () => {
  it('comes before the answer: a webhook settles what is on its way, and the late answer changes nothing', () => {
    const desk = Desk.open();
    const { attempt } = desk.refund('Order:1', 1000);
    desk.webhook(attempt, 'landed', { status: 'succeeded', rank: 3 });
    expect(desk.field(attempt, 'certainty')).toBe('landed');
    const revision = desk.object('Order:1').revision;
    desk.evidence(attempt, 'unclear', { code: 'timeout' });
    desk.evidence(attempt, 'landed', { status: 'succeeded', rank: 3 });
    expect(desk.object('Order:1').revision).toBe(revision);
    expect(desk.sums('Order:1').landedCount).toBe(1);
    expect(desk.outcomeOf(attempt)?.kind).toBe('Succeeded');
  });

  it('of an unknown correlation id is kept, applied to nothing, up to a bound', () => {
    const desk = Desk.open();
    const tell = (): unknown => desk.evidence('', 'landed', { attempt: null, correlationId: 'f'.repeat(64), source: 'webhook' });
    for (let index = 0; index < 500; index += 1) tell();
    expect(desk.state.ofType('Evidence', null, 1000)).toHaveLength(500);
    tell();
    expect(desk.state.ofType('Evidence', null, 1000)).toHaveLength(500);
    expect(desk.events('evidence.not_kept')).toHaveLength(1);
    expect(desk.sums('Order:1').landedCount).toBe(0);
    expect(desk.refund('Order:1', 1000).outcome).toBeNull();
  });

  it('that contradicts the connection is kept and not applied', () => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    desk.webhook(attempt, 'landed', { foreign: true });
    expect(desk.field(attempt, 'certainty')).toBe('in_doubt');
    expect(desk.state.ofType('Evidence', null, 10).filter(({ state }) => state['foreign'] === true)).toHaveLength(1);
  });

  it('found after *not happened* is recorded as landed and counted, and the conflict stands until a person closes it', () => {
    const desk = Desk.open();
    const attempt = desk.notHappened('Order:1', 1000);
    desk.webhook(attempt, 'landed');
    expect(desk.field(attempt, 'certainty')).toBe('landed');
    expect(desk.sums('Order:1').landedTotal).toBe(1000);
    expect(desk.field('Order:1', 'refundedCents')).toBe(1000);
    const conflicts = (): readonly (string | null)[] =>
      desk
        .frame({ actor: ann })
        .blockers.filter(({ code }) => code === 'conflict')
        .map((blocker) => blocker.attempt);
    expect(conflicts()).toEqual([attempt]);
    expect(desk.propose('attempt.accept_conflict', attempt, { note: 'x' }, { by: agent }).code).toBe('not_authorized');
    desk.must('attempt.accept_conflict', attempt, { note: 'it is there' }, { by: ann });
    expect(conflicts()).toEqual([]);
    expect(desk.propose('attempt.accept_conflict', attempt, { note: 'x' }, { by: bob }).outcome?.detail).toMatchObject({ rule: 'has_a_conflict' });
  });

  it('counts money as the provider counts it, where it is there twice', () => {
    const desk = Desk.open();
    const first = desk.notHappened('Order:1', 1000);
    const second = desk.refund('Order:1', 1000).attempt;
    desk.cleared(second);
    desk.evidence(second, 'landed');
    desk.webhook(first, 'landed');
    expect(desk.sums('Order:1')).toMatchObject({ landedCount: 2, landedTotal: 2000 });
    expect(desk.field('Order:1', 'refundedCents')).toBe(2000);
    expect(desk.budget()).toMatchObject({ spent: 2000, held: 0 });
  });

  it('of a later status moves the refund on, of an earlier one nothing', () => {
    const desk = Desk.open();
    const { attempt } = desk.refund('Order:1', 1000);
    desk.evidence(attempt, 'landed', { status: 'pending', rank: 1 });
    const status = (): unknown => desk.state.ofType('Refund', null, 1)[0]?.state['status'];
    expect(status()).toBe('pending');
    const revision = desk.object('Order:1').revision;
    desk.webhook(attempt, 'landed', { status: 'succeeded', rank: 3 });
    desk.webhook(attempt, 'landed', { status: 'requires_action', rank: 2 });
    expect(status()).toBe('succeeded');
    expect(desk.object('Order:1').revision).toBe(revision);
    desk.webhook(attempt, 'failed', { status: 'failed', rank: 4 });
    desk.webhook(attempt, 'landed', { status: 'succeeded', rank: 3 });
    expect([status(), desk.field(attempt, 'certainty'), desk.field('Order:1', 'refundedCents')]).toEqual(['failed', 'reverted', 0]);
    expect(desk.outcomeOf(attempt)?.kind).toBe('Succeeded');
  });

  const STATUSES: readonly Pick<EvidenceInput, 'says' | 'status' | 'rank'>[] = [
    { says: 'landed', status: 'pending', rank: 1 },
    { says: 'landed', status: 'requires_action', rank: 2 },
    { says: 'landed', status: 'succeeded', rank: 3 },
    { says: 'failed', status: 'failed', rank: 4 },
  ];

  it('comes to the same end in every order and any number, once it has landed', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([0, 1, 2, 3], { minLength: 1 }), fc.array(fc.nat(3), { maxLength: 6 }), (order, doubled) => {
        const desk = Desk.open();
        const { attempt } = desk.refund('Order:1', 1000);
        desk.evidence(attempt, 'landed', STATUSES[0]);
        const seen = [...order, ...doubled.filter((index) => order.includes(index))];
        for (const index of seen) {
          const found = STATUSES[index];
          if (found !== undefined) desk.webhook(attempt, found.says, found);
        }
        const last = Math.max(0, ...order);
        expect(desk.attemptCell(attempt).providerStatus).toBe(STATUSES[last]?.status);
        expect(desk.field(attempt, 'certainty')).toBe(last === 3 ? 'reverted' : 'landed');
        expect(desk.field('Order:1', 'refundedCents')).toBe(last === 3 ? 0 : 1000);
        expect(desk.sums('Order:1').landedCount).toBe(last === 3 ? 0 : 1);
      }),
      { numRuns: 60 },
    );
  });

  it('is kept with the attempt, newest last, at most 32 pieces', () => {
    const desk = Desk.open();
    const attempt = desk.landed('Order:1', 1000);
    for (let index = 0; index < 40; index += 1) desk.webhook(attempt, 'landed', { rank: 3 });
    const kept = desk.field(attempt, 'evidence') as readonly string[];
    expect(kept).toHaveLength(32);
    expect(desk.object(kept.at(-1) ?? '').state).toMatchObject({ about: attempt, source: 'webhook', says: 'landed' });
  });

  it('holds no words of its own: only the normalised fields and a digest', () => {
    const desk = Desk.open();
    const { attempt } = desk.refund('Order:1', 1000);
    desk.evidence(attempt, 'declined', { code: 'card_error', raw: 'sha256:abc' });
    const [id] = desk.field(attempt, 'evidence') as readonly string[];
    expect(Object.keys(desk.object(id ?? '').state).sort()).toEqual(['about', 'at', 'by', 'code', 'delivery', 'fields', 'raw', 'says', 'source', 'status']);
  });
});
