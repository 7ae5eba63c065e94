// Design §10 and `task_fits` of §7. SPEC I5: exhaustion is `incomplete`, never success; only a person reopens.
import { describe, expect, it } from 'vitest';
import { DAY_MS, type Json, type JsonObject } from '../../../src/kernel/index.ts';
import { agent, ann, bob, Desk, ops, type Answer, type Asked } from './desk.ts';

const REFUND_OF_1 = [['order.refund', 'Order:1']] as const;

function statusOf(desk: Desk, task: string): Json | undefined {
  return desk.field(task, 'status');
}

function open(desk: Desk, parameters: JsonObject, by = ann): Answer {
  return desk.propose('task.open', 'Task', { goal: 'settle it', ...parameters }, { by });
}

function opened(desk: Desk, parameters: JsonObject): string {
  return String(desk.field(open(desk, parameters).attempt, 'target'));
}

function complete(desk: Desk, task: string, asked: Asked = {}): Answer {
  return desk.propose('task.complete', task, {}, asked);
}

function ruleOf(answer: Answer): JsonObject | undefined {
  return answer.outcome?.failing?.find(({ check }) => check === 5)?.detail;
}

/** Tries until the ceiling of the order's fence is met. */
function useUpCeiling(desk: Desk, asked: Asked = {}): void {
  for (let round = 0; round < 6; round += 1) {
    const { attempt, outcome } = desk.refund('Order:1', 100 + round, asked);
    if (outcome !== null) throw new Error(`refused: ${outcome.code ?? ''}`);
    desk.evidence(attempt, 'unclear');
    desk.shownAbsent(attempt);
  }
}

describe('opening a task', () => {
  it.each([
    ['a person', ann, 'Succeeded'],
    ['an operator', ops, 'Succeeded'],
    ['an agent', agent, 'Rejected'],
  ] as const)('by %s: %s', (_who, by, kind) => {
    expect(open(Desk.open(), { subject: 'Order:1' }, by).outcome?.kind).toBe(kind);
  });

  it('names its subject and what must be true, and is open', () => {
    const desk = Desk.open();
    const task = opened(desk, { subject: 'Order:1', requires: { effects: [{ action: 'order.refund', target: 'Order:1' }] } });
    expect(desk.object(task).state).toMatchObject({ goal: 'settle it', subject: 'Order:1', status: 'open', reasons: [], openedAt: '2026-12-01T08:00:00.000Z' });
  });

  it.each([
    ['a subject that is not there', { subject: 'Order:none' }, 'reference:subject'],
    ['a required effect on what is not there', { requires: { effects: [{ action: 'order.refund', target: 'Order:none' }] } }, 'reference:subject'],
    ['a required effect that is none', { requires: { effects: [{ action: 'order.amend', target: 'Order:1' }] } }, 'required_effect_exists'],
    ['a required action that the manifest lacks', { requires: { effects: [{ action: 'order.explode', target: 'Order:1' }] } }, 'required_effect_exists'],
  ] as const)('is refused for %s', (_what, parameters, rule) => {
    expect(ruleOf(open(Desk.open(), parameters as unknown as JsonObject))).toMatchObject({ rule });
  });

  it('takes an id that a person chose, once', () => {
    const desk = Desk.open();
    desk.must('task.open', 'Task:t1', { goal: 'x' }, { by: ann });
    expect(desk.propose('task.open', 'Task:t1', { goal: 'y' }, { by: bob, expectedRevision: 0 }).code).toBe('target_exists');
    expect(desk.field('Task:t1', 'goal')).toBe('x');
  });
});

describe('task_fits', () => {
  const fits = (desk: Desk, order: string, task: string): boolean => ruleOf(desk.refund(order, 100, { by: ann, task }))?.['rule'] !== 'task_fits';

  function desk(): Desk {
    const made = Desk.open();
    made.order('Order:2');
    made.must('customer.register', 'Customer:lee', { name: 'Lee', email: 'lee@customers.test' }, { by: ops });
    made.must('ticket.open', 'Ticket:1', { customer: 'Customer:kim', order: 'Order:1', subject: 'x' }, { by: ann });
    return made;
  }

  it.each([
    ['the target is its subject', { subject: 'Order:1' }, true],
    ['the target points at its subject', { subject: 'Customer:kim' }, true],
    ['its subject points at the target', { subject: 'Ticket:1' }, true],
    ['the target stands in its required effects', { requires: { effects: [{ action: 'order.refund', target: 'Order:1' }] } }, true],
    ['it requires another action of the target', { subject: 'Customer:lee', requires: { effects: [{ action: 'order.refund', target: 'Order:1' }] } }, true],
    ['it is about another order', { subject: 'Order:2' }, false],
    ['it is about another customer', { subject: 'Customer:lee' }, false],
    ['it is about nothing', {}, false],
  ] as const)('%s', (_what, parameters, expected) => {
    const made = desk();
    expect(fits(made, 'Order:1', opened(made, parameters as unknown as JsonObject))).toBe(expected);
  });

  it('does not go two relationships far', () => {
    const made = desk();
    made.must('ticket.open', 'Ticket:2', { customer: 'Customer:kim', subject: 'x' }, { by: ann });
    expect(fits(made, 'Order:1', opened(made, { subject: 'Ticket:2' }))).toBe(false);
  });

  it.each(['completed', 'abandoned', 'incomplete'] as const)('does not take a task that is %s', (status) => {
    const made = desk();
    const task = opened(made, { subject: 'Order:1' });
    if (status === 'completed') made.must('task.complete', task);
    if (status === 'abandoned') made.must('task.abandon', task);
    if (status === 'incomplete') for (let index = 0; index < 50; index += 1) made.refund('Order:1', 90_000, { task });
    expect(statusOf(made, task)).toBe(status);
    expect(ruleOf(made.refund('Order:1', 100, { task }))).toMatchObject({ rule: 'task_fits', status });
  });

  it('does not mind which action it is', () => {
    const made = desk();
    const task = opened(made, { subject: 'Order:1', requires: { effects: [{ action: 'order.refund', target: 'Order:1' }] } });
    expect(made.propose('customer.email', 'Customer:kim', { template: 'need_information' }, { task }).outcome).toBeNull();
    expect(made.propose('ticket.resolve', 'Ticket:1', { resolution: 'answered' }, { task }).outcome?.kind).toBe('Succeeded');
  });

  it('takes an attempt or an approval for what it is about', () => {
    const made = desk();
    const task = opened(made, { subject: 'Order:1' });
    const doubted = made.doubted('Order:1', 100, { task });
    expect(made.propose('attempt.read_back', doubted, {}, { task }).outcome).toBeNull();
    expect(ruleOf(made.propose('attempt.read_back', doubted, {}, { task: opened(made, { subject: 'Order:2' }) }))).toMatchObject({ rule: 'task_fits' });
  });

  it('takes a creation that refers to what the task is about', () => {
    const made = desk();
    const task = opened(made, { subject: 'Order:1' });
    expect(made.propose('ticket.open', 'Ticket', { customer: 'Customer:kim', order: 'Order:1', subject: 'x' }, { task }).outcome?.kind).toBe('Succeeded');
    expect(ruleOf(made.propose('ticket.open', 'Ticket', { customer: 'Customer:lee', subject: 'x' }, { task }))).toMatchObject({ rule: 'task_fits' });
  });
});

describe('completing a task', () => {
  it('is refused while a required effect is missing, with the list', () => {
    const desk = Desk.open();
    desk.order('Order:2');
    const task = desk.task('Order:1', [
      ['order.refund', 'Order:1'],
      ['order.refund', 'Order:2'],
    ]);
    desk.landed('Order:1', 100, { task });
    expect(ruleOf(complete(desk, task))).toEqual({ rule: 'requirements_met', missing: [{ action: 'order.refund', target: 'Order:2' }] });
    expect(statusOf(desk, task)).toBe('open');
    desk.landed('Order:2', 100, { task });
    expect(complete(desk, task).outcome?.kind).toBe('Succeeded');
    expect(statusOf(desk, task)).toBe('completed');
  });

  it('is refused on a claim alone', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1', REFUND_OF_1);
    expect(desk.propose('task.complete', task, { note: 'I have refunded it' }).outcome).toMatchObject({ kind: 'Rejected', code: 'precondition_failed' });
    expect(statusOf(desk, task)).toBe('open');
  });

  it('is refused while its condition over the subject does not hold', () => {
    const desk = Desk.open();
    const task = opened(desk, { subject: 'Order:1', requires: { condition: { gte: ['$target.refundedCents', 300] } } });
    expect(ruleOf(complete(desk, task))).toMatchObject({ rule: 'requirements_met', missing: [{ condition: { gte: ['$target.refundedCents', 300] } }] });
    desk.landed('Order:1', 300, { by: ann });
    expect(complete(desk, task).outcome?.kind).toBe('Succeeded');
  });

  it.each([
    ['on its way', (desk: Desk, task: string) => desk.refund('Order:1', 100, { task })],
    ['in doubt', (desk: Desk, task: string) => desk.doubted('Order:1', 100, { task })],
    ['waiting for a person', (desk: Desk, task: string) => desk.parked('Order:1', 6000, { task })],
  ] as const)('is refused while an attempt of the task is %s; and so is giving it up', (_what, start) => {
    const desk = Desk.open();
    const task = desk.task('Order:1');
    start(desk, task);
    for (const action of ['task.complete', 'task.abandon']) expect(ruleOf(desk.propose(action, task))).toEqual({ rule: 'nothing_unresolved', attempts: 1 });
  });

  it.each([
    ['landed', (desk: Desk, task: string) => desk.landed('Order:1', 100, { task })],
    ['shown not to have happened', (desk: Desk, task: string) => desk.notHappened('Order:1', 100, { task })],
    ['declined', (desk: Desk, task: string) => desk.evidence(desk.refund('Order:1', 100, { task }).attempt, 'declined')],
    ['denied', (desk: Desk, task: string) => desk.must('approval.deny', desk.parked('Order:1', 6000, { task }).approval, {}, { by: ann })],
    ['expired', (desk: Desk, task: string) => (desk.parked('Order:1', 6000, { task }), desk.pass(DAY_MS))],
    ['withdrawn', (desk: Desk, task: string) => desk.must('attempt.cancel', desk.parked('Order:1', 6000, { task }).attempt)],
    [
      'approved, and landed',
      (desk: Desk, task: string) => {
        const { attempt, approval } = desk.parked('Order:1', 6000, { task });
        desk.must('approval.grant', approval, {}, { by: ann });
        desk.evidence(attempt, 'landed');
      },
    ],
  ] as const)('is free once what was unresolved is %s', (_what, happens) => {
    const desk = Desk.open();
    const task = desk.task('Order:1');
    happens(desk, task);
    expect(complete(desk, task).outcome?.kind).toBe('Succeeded');
  });

  it('counts an effect that landed under no task while it was open, and none from before', () => {
    const desk = Desk.open();
    desk.landed('Order:1', 100, { by: ann });
    desk.pass(1);
    const task = desk.task('Order:1', REFUND_OF_1);
    expect(ruleOf(complete(desk, task))).toMatchObject({ rule: 'requirements_met' });
    desk.landed('Order:1', 200, { by: ann });
    expect(complete(desk, task).outcome?.kind).toBe('Succeeded');
  });

  it('counts no effect that landed under another task', () => {
    const desk = Desk.open();
    const [task, foreign] = [desk.task('Order:1', REFUND_OF_1), desk.task('Order:1')];
    desk.landed('Order:1', 100, { by: ann, task: foreign });
    expect(ruleOf(complete(desk, task))).toMatchObject({ rule: 'requirements_met' });
  });

  it('is refused a second time, and for a task that was given up', () => {
    const desk = Desk.open();
    const [one, two] = [desk.task('Order:1'), desk.task('Order:1')];
    complete(desk, one);
    desk.must('task.abandon', two);
    expect(ruleOf(complete(desk, one))).toEqual({ rule: 'lifecycle', state: 'completed' });
    expect(ruleOf(complete(desk, two))).toEqual({ rule: 'lifecycle', state: 'abandoned' });
  });
});

describe('a reversal', () => {
  it.each([
    ['under the task', (task: string) => ({ task })],
    ['under no task', () => ({})],
  ] as const)('opens again the completed task that counted the effect (%s)', (_how, asked) => {
    const desk = Desk.open();
    const task = desk.task('Order:1', REFUND_OF_1);
    const attempt = desk.landed('Order:1', 100, asked(task));
    complete(desk, task);
    desk.webhook(attempt, 'failed', { status: 'failed', rank: 4 });
    expect(desk.object(task)).toMatchObject({ mark: 'open', state: { status: 'open', reasons: ['order.refund on Order:1 was reverted'] } });
    expect(desk.events('task.reopened')).toEqual([{ object: task, because: 'effect_reverted', attempt }]);
    expect(ruleOf(complete(desk, task))).toMatchObject({ rule: 'requirements_met' });
    expect(desk.refund('Order:1', 100, asked(task)).outcome).toBeNull();
  });

  it('leaves alone a task that did not count it', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1');
    complete(desk, task);
    desk.reverted('Order:1', 100, { by: ann });
    expect(statusOf(desk, task)).toBe('completed');
  });

  it('leaves alone a task that a person gave up', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1', REFUND_OF_1);
    const attempt = desk.landed('Order:1', 100, { task });
    desk.must('task.abandon', task);
    desk.webhook(attempt, 'failed', { rank: 4 });
    expect(statusOf(desk, task)).toBe('abandoned');
  });
});

describe('honest terminality', () => {
  it('ends a task as incomplete when nothing can advance it, with its reasons, and tells a person', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1', REFUND_OF_1);
    useUpCeiling(desk, { task });
    expect(desk.object(task).state).toMatchObject({ status: 'incomplete', reasons: ['order.refund on Order:1: retry_exhausted'] });
    expect(desk.events('task.incomplete')).toEqual([{ object: task, reasons: ['order.refund on Order:1: retry_exhausted'] }]);
    expect(ruleOf(complete(desk, task))).toMatchObject({ rule: 'lifecycle', state: 'incomplete' });
  });

  it('ends it also where the last try was not its own', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1', REFUND_OF_1);
    useUpCeiling(desk, { by: ann });
    expect(statusOf(desk, task)).toBe('incomplete');
  });

  it('does not end it while other parameters could still be admitted', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1', REFUND_OF_1);
    desk.evidence(desk.refund('Order:1', 100, { task }).attempt, 'declined');
    expect(desk.refund('Order:1', 100, { task }).code).toBe('retry_exhausted');
    expect(statusOf(desk, task)).toBe('open');
  });

  it.each([
    ['a reconciliation', (desk: Desk, task: string) => desk.doubted('Order:1', 1000, { by: ann, task })],
    ['a reconciliation of another task', (desk: Desk) => desk.doubted('Order:1', 1000, { by: ann })],
    ['a decision', (desk: Desk, task: string) => desk.parked('Order:1', 6000, { task })],
    ['a reconnection', (desk: Desk) => desk.must('integration.disconnect', 'Integration:payments', {}, { by: ops })],
    ['a new day of the budget', (desk: Desk) => desk.must('budget.set', 'Budget:refunds', { limit: 0 }, { by: ops })],
  ] as const)('does not end it while it waits for %s', (what, waits) => {
    const desk = Desk.open();
    const task = desk.task('Order:1', REFUND_OF_1);
    for (let round = 0; round < 5; round += 1) desk.notHappened('Order:1', 100 + round, { task });
    const last = what.includes('reconciliation') || what === 'a decision' ? null : desk.refund('Order:1', 999, { task }).attempt;
    waits(desk, task);
    if (last !== null) {
      desk.evidence(last, 'unclear');
      desk.shownAbsent(last);
    }
    expect(statusOf(desk, task)).toBe('open');
  });

  it('does not end it while a person is asked, though every try is used up; the denial does', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1', REFUND_OF_1);
    const { approval } = desk.parked('Order:1', 6000, { task });
    useUpCeiling(desk, { by: ann });
    expect(statusOf(desk, task)).toBe('open');
    desk.must('approval.deny', approval, {}, { by: ann });
    expect(statusOf(desk, task)).toBe('incomplete');
  });

  it('does not end it while the last try of somebody else is in doubt', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1', REFUND_OF_1);
    const parked = desk.parked('Order:1', 6000).attempt;
    for (let round = 0; round < 5; round += 1) desk.notHappened('Order:1', 100 + round, { by: ann });
    const doubted = desk.doubted('Order:1', 999, { by: ann });
    desk.must('attempt.cancel', parked);
    expect(statusOf(desk, task)).toBe('open');
    desk.shownAbsent(doubted);
    expect(statusOf(desk, task)).toBe('incomplete');
  });

  it('ends it when what it waited for is decided against it', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1', REFUND_OF_1);
    for (let round = 0; round < 5; round += 1) desk.notHappened('Order:1', 100 + round, { task });
    const doubted = desk.doubted('Order:1', 999, { task });
    expect(statusOf(desk, task)).toBe('open');
    desk.shownAbsent(doubted);
    expect(statusOf(desk, task)).toBe('incomplete');
  });

  it('ends a task that needs a mail, when the customer wants none any more', () => {
    const desk = Desk.open();
    const task = desk.task('Customer:kim', [['customer.email', 'Customer:kim']]);
    desk.must('customer.update', 'Customer:kim', { optedOut: true }, { by: ops });
    expect(desk.object(task).state).toMatchObject({ status: 'incomplete', reasons: ['customer.email on Customer:kim: precondition_failed'] });
  });

  it('leaves a task open that has what it needs', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1', REFUND_OF_1);
    desk.landed('Order:1', 99, { task });
    useUpCeiling(desk, { by: ann });
    expect(statusOf(desk, task)).toBe('open');
    expect(complete(desk, task).outcome?.kind).toBe('Succeeded');
  });

  it('is never success', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1', REFUND_OF_1);
    useUpCeiling(desk, { task });
    for (const by of [agent, ann]) expect(complete(desk, task, { by }).outcome?.kind).toBe('Rejected');
    expect(statusOf(desk, task)).toBe('incomplete');
  });
});

describe('opening a task again', () => {
  function incomplete(): { readonly desk: Desk; readonly task: string } {
    const desk = Desk.open();
    const task = desk.task('Order:1', REFUND_OF_1);
    useUpCeiling(desk, { task });
    return { desk, task };
  }

  it.each([
    ['an agent', agent],
    ['an operator', ops],
  ] as const)('is not for %s', (_who, by) => {
    const { desk, task } = incomplete();
    expect(desk.propose('task.reopen', task, {}, { by }).code).toBe('not_authorized');
  });

  it('by a person brings it back, without its reasons', () => {
    const { desk, task } = incomplete();
    desk.must('task.reopen', task, { note: 'the provider is back' }, { by: ann });
    expect(desk.object(task)).toMatchObject({ mark: 'open', state: { status: 'open', reasons: [] } });
    const [attempt] = desk.state.ofType('ActionAttempt', null, 100).filter(({ state }) => state['correlationId'] !== null);
    desk.must('attempt.allow_retries', attempt?.id ?? '', { additional: 1, note: 'x' }, { by: ann });
    desk.landed('Order:1', 777, { task });
    expect(complete(desk, task).outcome?.kind).toBe('Succeeded');
  });

  it('is nothing for a task that is open', () => {
    const desk = Desk.open();
    expect(ruleOf(desk.propose('task.reopen', desk.task('Order:1'), {}, { by: ann }))).toEqual({ rule: 'lifecycle', state: 'open' });
  });
});

describe('asking a person', () => {
  it('is how an agent says that it is stuck: the task stays open, and says since when', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1');
    desk.must('task.ask_human', task, { note: 'which line?' });
    expect(desk.object(task).state).toMatchObject({ status: 'open', askedHuman: '2026-12-01T08:00:00.000Z', note: 'which line?' });
    expect(desk.events('task.human_asked')).toEqual([{ object: task, by: agent.id }]);
  });
});
