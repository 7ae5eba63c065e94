// Design §9: keys, renewal with its cause, the ceiling, what gives a try back. SPEC I2: for one key what remains never rises.
import { describe, expect, it } from 'vitest';
import { agent, ann, Desk, ops, other, type Asked } from './desk.ts';

const AMOUNT = 1000;
const QUIET: Asked = {};

/** Proposes, and ends the try as a transient failure: cut off, and then shown not to have happened. */
function failOnce(desk: Desk, asked: Asked = QUIET): string {
  const { attempt, outcome } = desk.refund('Order:1', AMOUNT, asked);
  if (outcome !== null) throw new Error(`refused: ${JSON.stringify(outcome.code)}`);
  if (desk.attemptCell(attempt).phase === 'preflight') desk.cleared(attempt);
  desk.evidence(attempt, 'unclear', { code: 'http_504' });
  desk.shownAbsent(attempt);
  return attempt;
}

function exhausted(asked: Asked = QUIET): { readonly desk: Desk; readonly last: string } {
  const desk = Desk.open();
  failOnce(desk, asked);
  failOnce(desk, asked);
  return { desk, last: failOnce(desk, asked) };
}

const codeOf = (desk: Desk, asked: Asked = QUIET): string | undefined => desk.refund('Order:1', AMOUNT, asked).code;
const failing = (desk: Desk, asked: Asked = QUIET): readonly string[] => desk.refund('Order:1', AMOUNT, asked).outcome?.failing?.map(({ code }) => code) ?? [];

describe('the budget of a key', () => {
  it('falls with every failure, and at nothing the proposal is refused without new evidence', () => {
    const desk = Desk.open();
    const left = [1, 2, 3].map(() => desk.retryOf(failOnce(desk)));
    expect(left).toEqual([
      { remaining: 2, ceilingRemaining: 5 },
      { remaining: 1, ceilingRemaining: 4 },
      { remaining: 0, ceilingRemaining: 3 },
    ]);
    expect(desk.refund('Order:1', AMOUNT).outcome).toMatchObject({
      kind: 'Rejected',
      check: 8,
      code: 'retry_exhausted',
      detail: { remaining: 0, ceilingRemaining: 3, newEvidence: 'none' },
    });
    expect(desk.sent).toHaveLength(3);
  });

  it('is met with the same number by a fresh agent, after a restart, and days later', () => {
    const { desk } = exhausted();
    desk.restart();
    desk.pass(30 * 86_400_000);
    for (const by of [agent, other, { id: 'Agent:fresh', roles: ['agent'] }]) expect(failing(desk, { by })).toContain('retry_exhausted');
    expect(desk.sent).toHaveLength(3);
  });

  it('counts a try that a restart cut off', () => {
    const desk = Desk.open();
    const { attempt } = desk.refund('Order:1', AMOUNT);
    desk.restart();
    desk.shownAbsent(attempt);
    expect(desk.retryOf(attempt)).toEqual({ remaining: 2, ceilingRemaining: 5 });
  });

  it('is nothing after a definite decline', () => {
    const desk = Desk.open();
    const { attempt } = desk.refund('Order:1', AMOUNT);
    desk.evidence(attempt, 'declined', { code: 'card_error' });
    expect(desk.retryOf(attempt)).toEqual({ remaining: 0, ceilingRemaining: 5 });
    expect(codeOf(desk)).toBe('retry_exhausted');
    expect(desk.sent).toHaveLength(1);
  });

  it('is of one signature: another amount has its own', () => {
    const { desk } = exhausted();
    expect(desk.refund('Order:1', AMOUNT + 1).outcome).toBeNull();
  });

  it('is the same whatever the note and the reason', () => {
    const { desk } = exhausted();
    expect(desk.refund('Order:1', AMOUNT, { parameters: { note: 'please', reason: 'duplicate' } }).code).toBe('retry_exhausted');
  });

  it.each([
    ['a read', (desk: Desk) => desk.frame()],
    ['a message', (desk: Desk) => desk.must('message.post', 'Message', { text: 'again?', conversation: 'Order:1' })],
    ['something remembered', (desk: Desk) => desk.must('memory.record', 'Memory', { text: 'try again', about: 'Order:1' })],
    ['a ticket of the order', (desk: Desk) => desk.must('ticket.open', 'Ticket', { customer: 'Customer:kim', order: 'Order:1', subject: 'x' })],
    ['a refusal', (desk: Desk) => desk.refund('Order:1', 90_000)],
    ['a failed login of another order', (desk: Desk) => (desk.order('Order:2'), desk.evidence(desk.refund('Order:2', 1).attempt, 'login_lost'))],
    ['a landing on another order', (desk: Desk) => (desk.order('Order:2'), desk.landed('Order:2', 1))],
    ['evidence about another order', (desk: Desk) => (desk.order('Order:2'), desk.must('evidence.record', 'Order:2', { finding: 'x' }, { by: ann }))],
    ['a restart', (desk: Desk) => desk.restart()],
    ['a new task of a person about it', (desk: Desk) => desk.task('Order:1')],
    ['a question to a person', (desk: Desk) => desk.must('task.ask_human', desk.task('Order:1'), { note: 'stuck' })],
    ['an amendment of what no rule reads', (desk: Desk) => desk.must('customer.update', 'Customer:kim', { email: 'new@customers.test' }, { by: ops })],
  ] as const)('is not renewed by %s', (_what, happens) => {
    const { desk } = exhausted();
    happens(desk);
    expect(failing(desk)).toContain('retry_exhausted');
  });

  it('is not renewed by naming a task, with or without evidence from before', () => {
    const desk = Desk.open();
    const [quiet, told] = [desk.task('Order:1'), desk.task('Order:1')];
    desk.must('evidence.record', told, { finding: 'the customer called' }, { by: ann });
    for (let round = 0; round < 3; round += 1) failOnce(desk);
    for (const task of [quiet, told]) expect(failing(desk, { task })).toContain('retry_exhausted');
    expect(desk.sent).toHaveLength(3);
  });

  it('is not renewed by dropping a task that had evidence', () => {
    const desk = Desk.open();
    const told = desk.task('Order:1');
    desk.must('evidence.record', told, { finding: 'the customer called' }, { by: ann });
    for (let round = 0; round < 3; round += 1) failOnce(desk, { task: told });
    expect(failing(desk)).toContain('retry_exhausted');
  });
});

describe('a key is renewed, and says why', () => {
  const renewals: readonly (readonly [cause: string, how: string, happens: (desk: Desk) => unknown])[] = [
    ['evidence', 'a person’s evidence about the order', (desk) => desk.must('evidence.record', 'Order:1', { finding: 'the bank is back' }, { by: ann })],
    ['connection', 'a person connecting anew', (desk) => desk.connect('payments')],
    ['revision', 'a change of the order', (desk) => desk.must('order.amend', 'Order:1', { chargeId: 'ch_other' }, { by: ops })],
  ];

  it.each(renewals)('cause `%s`: %s', (cause, _how, happens) => {
    const { desk } = exhausted();
    happens(desk);
    const { attempt, outcome } = desk.refund('Order:1', AMOUNT);
    expect(outcome).toBeNull();
    desk.cleared(attempt);
    expect(desk.events('retry.renewed')).toEqual([{ object: attempt, cause: [cause] }]);
    expect(desk.retryOf(attempt)).toEqual({ remaining: 2, ceilingRemaining: 2 });
  });

  it('cause `conditions`: what the rules read of the order has changed, beside its revision', () => {
    const { desk } = exhausted();
    desk.must('order.amend', 'Order:1', { totalCents: 21_000 }, { by: ops });
    const { attempt } = desk.refund('Order:1', AMOUNT);
    desk.cleared(attempt);
    expect(desk.events('retry.renewed')).toEqual([{ object: attempt, cause: ['revision', 'conditions'] }]);
  });

  it('once for one piece of evidence', () => {
    const { desk } = exhausted();
    desk.must('evidence.record', 'Order:1', { finding: 'x' }, { by: ann });
    for (let round = 0; round < 3; round += 1) failOnce(desk);
    expect(codeOf(desk)).toBe('retry_exhausted');
    expect(desk.events('retry.renewed')).toHaveLength(1);
  });

  it('also after a decline', () => {
    const desk = Desk.open();
    desk.evidence(desk.refund('Order:1', AMOUNT).attempt, 'declined');
    expect(codeOf(desk)).toBe('retry_exhausted');
    desk.must('evidence.record', 'Order:1', { finding: 'a new card' }, { by: ann });
    expect(desk.refund('Order:1', AMOUNT).outcome).toBeNull();
  });

  it('by evidence on its task, if the proposal names it', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1');
    for (let round = 0; round < 3; round += 1) failOnce(desk, { task });
    desk.must('evidence.record', task, { finding: 'x' }, { by: ann });
    expect(codeOf(desk)).toBe('retry_exhausted');
    expect(codeOf(desk, { task })).toBeUndefined();
  });

  it('says nothing where nothing had been lost', () => {
    const desk = Desk.open();
    desk.landed('Order:1', AMOUNT, { by: ann });
    desk.must('evidence.record', 'Order:1', { finding: 'x' }, { by: ann });
    desk.pass(1);
    desk.landed('Order:1', AMOUNT, { by: ann, task: desk.task('Order:1') });
    expect(desk.events('retry.renewed')).toEqual([]);
  });
});

describe('the ceiling of a fence', () => {
  /** Six tries under two keys. */
  function atTheCeiling(): Desk {
    const { desk } = exhausted();
    desk.must('evidence.record', 'Order:1', { finding: 'x' }, { by: ann });
    for (let round = 0; round < 3; round += 1) failOnce(desk);
    return desk;
  }

  it('bounds all keys and all signatures together', () => {
    const desk = atTheCeiling();
    desk.must('evidence.record', 'Order:1', { finding: 'y' }, { by: ann });
    desk.connect('payments');
    for (const amount of [AMOUNT, AMOUNT + 1]) expect(desk.refund('Order:1', amount).outcome?.detail).toMatchObject({ ceilingRemaining: 0 });
    expect(desk.sent).toHaveLength(6);
  });

  it('is raised by a person, who is evidence too; not by an agent or an operator', () => {
    const desk = atTheCeiling();
    const [attempt] = desk.state.ofType('ActionAttempt', null, 100).filter(({ state }) => state['correlationId'] !== null);
    const id = attempt?.id ?? '';
    for (const by of [agent, ops]) expect(desk.propose('attempt.allow_retries', id, { additional: 2, note: 'x' }, { by }).code).toBe('not_authorized');
    desk.must('attempt.allow_retries', id, { additional: 2, note: 'the provider is back' }, { by: ann });
    expect(desk.events('retries.allowed')).toEqual([{ object: id, additional: 2, by: ann.id }]);
    expect(desk.retryOf(failOnce(desk))).toEqual({ remaining: 2, ceilingRemaining: 1 });
    expect(desk.retryOf(failOnce(desk))).toEqual({ remaining: 1, ceilingRemaining: 0 });
    expect(codeOf(desk)).toBe('retry_exhausted');
  });

  it('is of one fence: another order has its own', () => {
    const desk = atTheCeiling();
    desk.order('Order:2');
    expect(desk.refund('Order:2', AMOUNT).outcome).toBeNull();
  });

  it('is not raised for what is no effect', () => {
    const desk = Desk.open();
    const { attempt } = desk.must('message.post', 'Message', { text: 'x' });
    expect(desk.propose('attempt.allow_retries', attempt, { additional: 1, note: 'x' }, { by: ann }).outcome?.detail).toMatchObject({ rule: 'is_an_effect' });
  });
});

describe('what uses no try', () => {
  const used = (desk: Desk): unknown => {
    const { attempt } = desk.refund('Order:1', AMOUNT + 5, { by: ann });
    return desk.retryOf(attempt);
  };

  it('waiting for a fence, an integration or a person', () => {
    const desk = Desk.open();
    const doubted = desk.doubted('Order:1', AMOUNT);
    for (let round = 0; round < 8; round += 1) desk.refund('Order:1', AMOUNT + 5, { by: ann });
    desk.evidence(doubted, 'landed');
    desk.must('integration.disconnect', 'Integration:payments', {}, { by: ops });
    for (let round = 0; round < 8; round += 1) desk.refund('Order:1', AMOUNT + 5, { by: ann });
    desk.connect('payments');
    expect(used(desk)).toEqual({ remaining: 2, ceilingRemaining: 5 });
  });

  it('losing the login: the try is given back, to the key and to the ceiling', () => {
    const desk = Desk.open();
    const { attempt } = desk.refund('Order:1', AMOUNT);
    desk.evidence(attempt, 'login_lost', { code: 'http_401' });
    expect(desk.retryOf(attempt)).toEqual({ remaining: 3, ceilingRemaining: 6 });
  });

  it('a landing: the try is given back', () => {
    const desk = Desk.open();
    expect(desk.retryOf(desk.landed('Order:1', AMOUNT))).toEqual({ remaining: 3, ceilingRemaining: 6 });
  });

  it('a landing that was found after *not happened*', () => {
    const desk = Desk.open();
    const attempt = failOnce(desk);
    expect(desk.retryOf(attempt)).toEqual({ remaining: 2, ceilingRemaining: 5 });
    desk.webhook(attempt, 'landed');
    expect(desk.retryOf(attempt)).toEqual({ remaining: 3, ceilingRemaining: 6 });
    desk.webhook(attempt, 'landed');
    desk.webhook(attempt, 'failed', { rank: 4 });
    expect(desk.fence(attempt).used).toBe(0);
  });

  it('a 429: it lowers the ceiling alone; a landing found later gives that back too', () => {
    const desk = Desk.open();
    const { attempt } = desk.refund('Order:1', AMOUNT);
    desk.evidence(attempt, 'rate_limited', { code: 'http_429' });
    expect(desk.retryOf(attempt)).toEqual({ remaining: 3, ceilingRemaining: 5 });
    desk.webhook(attempt, 'landed');
    expect(desk.retryOf(attempt)).toEqual({ remaining: 3, ceilingRemaining: 6 });
  });

  it('is given back to the key it was taken from, also where that was chosen anew after a preflight', () => {
    const desk = Desk.open();
    failOnce(desk);
    failOnce(desk);
    const { attempt } = desk.refund('Order:1', AMOUNT);
    desk.must('evidence.record', 'Order:1', { finding: 'x' }, { by: ann });
    desk.cleared(attempt);
    expect(desk.retryOf(attempt)).toEqual({ remaining: 2, ceilingRemaining: 3 });
    desk.evidence(attempt, 'landed');
    expect(desk.retryOf(attempt)).toEqual({ remaining: 3, ceilingRemaining: 4 });
  });
});
