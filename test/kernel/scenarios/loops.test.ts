// Published failures: the same thing again and again, after compaction, under another name, past every budget.
import { describe, expect, it } from 'vitest';
import { agent, ann, Desk, ops, other, type Asked } from '../transition/desk.ts';
import { edited, list, part } from '../transition/edited.ts';
import { Provider } from './provider.ts';

const fresh = (name: string): Asked => ({ by: { id: `Agent:${name}`, roles: ['agent'] } });

/** A transient failure, shown not to have happened. */
function fail(provider: Provider, amount: number, asked: Asked = {}): string {
  const { attempt, code } = provider.refund('Order:1', amount, asked);
  if (code !== undefined) throw new Error(code);
  provider.serve(attempt, 'drops the request');
  provider.desk.pass(20_000);
  provider.readBack(attempt);
  return attempt;
}

describe('B13: deduplication stops a legitimate second try', () => {
  it('after a decline, what a person changed permits it; the identical proposal before stays refused', () => {
    const provider = new Provider();
    const { desk } = provider;
    const first = provider.refund('Order:1', 1500);
    provider.serve(first.attempt, 'declines');
    expect(desk.outcomeOf(first.attempt)).toMatchObject({ kind: 'FailedPermanently' });
    expect(provider.refund('Order:1', 1500).code).toBe('retry_exhausted');
    desk.must('order.amend', 'Order:1', { chargeId: 'ch_valid' }, { by: ops });
    const second = provider.refund('Order:1', 1500);
    expect(second.code).toBeUndefined();
    provider.serve(second.attempt, 'commits and answers');
    expect(provider.effects()).toHaveLength(1);
  });
});

describe('B17: after compaction, finished work looks open', () => {
  it('the frame shows it under its task without any history, and the same again is `already_completed`', () => {
    const provider = new Provider();
    const { desk } = provider;
    const task = desk.task('Customer:kim');
    const { attempt } = desk.propose('customer.email', 'Customer:kim', { template: 'refund_issued' }, { task });
    provider.serve(attempt, 'commits and answers');
    expect(desk.frame({ actor: { id: 'Agent:fresh', roles: ['agent'] }, task }).completed.map((entry) => entry.attempt)).toEqual([attempt]);
    expect(desk.propose('customer.email', 'Customer:kim', { template: 'refund_issued' }, { ...fresh('fresh'), task }).outcome).toMatchObject({
      code: 'already_completed',
      detail: { attempt },
    });
    expect(provider.effects()).toHaveLength(1);
  });
});

describe('B18: the request is remembered, that it was done is not', () => {
  it('an old revision is stale; at the present one it changes nothing, and moves no revision', () => {
    const desk = Desk.open();
    desk.must('order.amend', 'Order:1', { totalCents: 24_990 }, { by: ops });
    expect(desk.propose('order.amend', 'Order:1', { totalCents: 24_990 }, { by: ops, expectedRevision: 1 }).code).toBe('stale_revision');
    expect(desk.must('order.amend', 'Order:1', { totalCents: 24_990 }, { by: ops }).outcome?.kind).toBe('Succeeded');
    expect(desk.object('Order:1').revision).toBe(2);
  });
});

describe('B20: the rule was summarised away', () => {
  it('a customer who opted out gets no mail, whatever an agent was told', () => {
    const provider = new Provider();
    const { desk } = provider;
    desk.must('customer.update', 'Customer:kim', { optedOut: true }, { by: ops });
    for (const asked of [fresh('a'), fresh('b'), { by: ann }]) {
      for (const template of ['refund_issued', 'need_information']) {
        const { outcome } = desk.propose('customer.email', 'Customer:kim', { template, body: 'the rule was lifted, promised' }, asked);
        expect(outcome).toMatchObject({ kind: 'Rejected', check: 5, detail: { rule: 'customer_accepts_mail' } });
      }
    }
    expect(provider.calls).toBe(0);
  });
});

describe('B22: warnings do not stop a loop', () => {
  it('a hundred invalid calls reach no provider, are answered alike, and end the task; the count goes on after a restart', () => {
    const provider = new Provider();
    const { desk } = provider;
    const task = desk.task('Order:1');
    const answers = Array.from({ length: 100 }, (_, index) => {
      if (index === 90) desk.restart();
      return desk.refund('Order:1', -1, { ...(index < 90 ? {} : fresh('second')), task });
    });
    expect(new Set(answers.map(({ outcome }) => JSON.stringify(outcome))).size).toBe(1);
    expect(desk.object(task).state).toMatchObject({ status: 'incomplete', reasons: ['50 refusals in a row'] });
    expect(desk.field(answers[0]?.attempt ?? '', 'refusedCount')).toBe(90);
    expect(provider.calls).toBe(0);
  });
});

describe('B23: what failed for good is tried again', () => {
  it('twelve identical proposals call the provider once; the others are told that there is no new evidence', () => {
    const provider = new Provider();
    const first = provider.refund('Order:1', 100);
    provider.serve(first.attempt, 'declines');
    for (let again = 0; again < 11; again += 1) {
      const { outcome } = provider.desk.refund('Order:1', 100);
      expect(outcome).toMatchObject({ code: 'retry_exhausted', detail: { newEvidence: 'none' } });
    }
    expect(provider.calls).toBe(1);
  });
});

describe('B25: a restart resets the counter of tries', () => {
  it('three failures between restarts and new agents, and the fourth is refused', () => {
    const provider = new Provider();
    fail(provider, 100);
    provider.desk.restart();
    fail(provider, 100);
    provider.desk.restart();
    fail(provider, 100, fresh('new'));
    provider.desk.restart();
    expect(provider.refund('Order:1', 100, fresh('newer')).code).toBe('retry_exhausted');
    expect(provider.calls).toBe(3);
  });
});

describe('B27: the counter never renews', () => {
  it('new credentials and a person’s evidence renew it, with the cause on record; without them it stays exhausted', () => {
    const provider = new Provider();
    const { desk } = provider;
    for (let round = 0; round < 3; round += 1) fail(provider, 100);
    expect(provider.refund('Order:1', 100).code).toBe('retry_exhausted');
    desk.connect('payments');
    desk.must('evidence.record', 'Order:1', { finding: 'the key was wrong' }, { by: ann });
    const again = provider.refund('Order:1', 100);
    expect(again.code).toBeUndefined();
    expect(desk.events('retry.renewed')).toEqual([{ object: again.attempt, cause: ['connection', 'evidence'] }]);
  });
});

describe('D02: task tricks', () => {
  it('only another open task about this order, that a person opened, makes the same refund due again; and a person approves it', () => {
    const provider = new Provider();
    const { desk } = provider;
    desk.order('Order:2');
    const first = provider.refund('Order:1', 2000);
    provider.serve(first.attempt, 'commits and answers');
    desk.pass(1);
    const closed = desk.task('Order:1');
    desk.must('task.abandon', closed);
    const rules = (task: string): unknown => desk.refund('Order:1', 2000, { task }).outcome?.failing?.find(({ check }) => check === 5)?.detail['rule'];
    expect(provider.refund('Order:1', 2000)).toMatchObject({ code: 'already_completed', names: first.attempt });
    expect(provider.refund('Order:1', 2000, { task: 'Task:invented' }).code).toBe('unknown_target');
    expect(rules(closed)).toBe('task_fits');
    expect(rules(desk.task('Order:2'))).toBe('task_fits');
    expect(desk.refund('Order:1', 2000, { task: desk.task('Order:1') }).outcome).toMatchObject({
      kind: 'Blocked',
      code: 'approval_required',
      detail: { rules: ['second_refund_needs_a_human'] },
    });
    expect(provider.effects()).toHaveLength(1);
  });
});

describe('D03: nearly the same amount', () => {
  it('a cent less or more waits for a person; the same amount in other words is done', () => {
    const provider = new Provider();
    provider.desk.order('Order:2', 20_000, [{ id: 'Lamp', totalCents: 9000 }]);
    const line = (amount: number, more: object, by = agent): ReturnType<Provider['refund']> =>
      provider.refund('Order:2', amount, { by, parameters: { line: 'Lamp', ...more } });
    const first = line(2500, {});
    provider.serve(first.attempt, 'commits and answers');
    expect(line(2499, {}, other).code).toBe('approval_required');
    expect(line(2501, {}, other).code).toBe('approval_required');
    expect(line(2500, { line: 'LAMP', note: 'another', reason: 'duplicate' }, other)).toMatchObject({ code: 'already_completed', names: first.attempt });
    expect(provider.effects()).toHaveLength(1);
  });
});

describe('D12: a budget that renews itself', () => {
  it('is renewed by nothing but a person’s evidence, once, with its cause; the ceiling holds over all renewals', () => {
    const provider = new Provider();
    const { desk } = provider;
    for (let round = 0; round < 3; round += 1) fail(provider, 100);
    desk.frame({ focus: 'Order:1' });
    desk.order('Order:2');
    provider.serve(provider.refund('Order:2', 100).attempt, 'answers 401');
    desk.connect('mail');
    desk.must('message.post', 'Message', { text: 'it works now', conversation: 'Order:1' });
    desk.restart();
    desk.propose('task.open', 'Task', { goal: 'again', subject: 'Order:1' });
    const codes = (): readonly string[] => desk.refund('Order:1', 100, fresh('new')).outcome?.failing?.map(({ code }) => code) ?? [];
    expect(codes()).toContain('retry_exhausted');

    const renewing = new Provider();
    for (let round = 0; round < 3; round += 1) fail(renewing, 100);
    renewing.desk.must('evidence.record', 'Order:1', { finding: 'called the bank' }, { by: ann });
    for (let round = 0; round < 3; round += 1) fail(renewing, 100);
    expect(renewing.desk.events('retry.renewed')).toMatchObject([{ cause: ['evidence'] }]);
    renewing.desk.must('evidence.record', 'Order:1', { finding: 'called again' }, { by: ann });
    expect(renewing.refund('Order:1', 100).code).toBe('retry_exhausted');
    expect(renewing.calls).toBe(6);
  });
});

describe('B20, as a rule that only a manifest can lift', () => {
  it('a mail to a forbidden domain is refused every time', () => {
    const sealed = edited((world) => {
      list(part(world, 'actions', 'customer.email'), 'rules').push({
        name: 'not_to_rivals',
        description: '',
        when: { not: { ends_with: ['$target.email', '@rival.test'] } },
      });
    });
    const desk = Desk.open(sealed);
    desk.must('customer.update', 'Customer:kim', { email: 'a@rival.test' }, { by: ops });
    for (let again = 0; again < 3; again += 1)
      expect(desk.propose('customer.email', 'Customer:kim', { template: 'refund_denied' }, fresh(`a${again}`)).outcome?.detail).toMatchObject({
        rule: 'not_to_rivals',
      });
    expect(desk.sent).toEqual([]);
  });
});
