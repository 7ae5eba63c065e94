// Published failures of agents and workflow engines: effects made twice because an answer was lost, late, or taken for something else.
import { describe, expect, it } from 'vitest';
import { agent, ann, bob, other } from '../transition/desk.ts';
import { Provider, type Way } from './provider.ts';

const DAY_MS = 86_400_000;

describe('B01: the model makes up a new key for the same refund', () => {
  it.each(['idempotencyKey', 'idempotency_key', 'correlationId'])('a `%s` of its own is refused by the schema, and the effect stays one', (field) => {
    const provider = new Provider();
    expect(provider.refund('Order:1', 1200, { parameters: { [field]: 'k1' } }).code).toBe('invalid_parameters');
    const first = provider.refund('Order:1', 1200);
    provider.serve(first.attempt, 'commits and drops the answer');
    expect(provider.desk.outcomeOf(first.attempt)?.kind).toBe('OutcomeAmbiguous');
    expect(provider.refund('Order:1', 1200, { parameters: { [field]: 'k2' } }).code).toBe('invalid_parameters');
    expect(provider.refund('Order:1', 1200)).toMatchObject({ code: 'in_doubt', names: first.attempt });
    expect(provider.effects()).toHaveLength(1);
  });
});

describe('B02: a refund is proposed three times', () => {
  it('after an answer, the second and third point at the first', () => {
    const provider = new Provider();
    const first = provider.refund('Order:1', 500);
    provider.serve(first.attempt, 'commits and answers');
    for (let again = 0; again < 2; again += 1) expect(provider.refund('Order:1', 500)).toMatchObject({ code: 'already_completed', names: first.attempt });
    expect(provider.effects()).toHaveLength(1);
  });

  it('after a lost answer, they are blocked', () => {
    const provider = new Provider();
    const first = provider.refund('Order:1', 500);
    provider.serve(first.attempt, 'commits and drops the answer');
    for (let again = 0; again < 2; again += 1) expect(provider.refund('Order:1', 500)).toMatchObject({ code: 'in_doubt', names: first.attempt });
    expect(provider.effects()).toHaveLength(1);
  });

  it('with ever other amounts never adds up to more than was paid', () => {
    const provider = new Provider();
    provider.desk.order('Order:2', 900);
    for (const amount of [400, 300, 201, 200, 100, 1]) {
      const { attempt, code } = provider.refund('Order:2', amount, { by: ann });
      if (code === undefined) provider.serve(attempt, 'commits and answers');
    }
    expect(provider.total('Order:2')).toBe(900);
  });
});

describe('B03: the failed row is deleted, and its correlation id with it', () => {
  it.each([
    'commits and answers 504',
    'commits and drops the answer',
    'times out',
    'answers 500',
    'answers nonsense',
    'declines',
    'answers 401',
    'answers 429',
    'drops the request',
  ] as const)('the attempt and its id survive where the provider %s, and a restart', (way: Way) => {
    const provider = new Provider();
    const { attempt } = provider.refund('Order:1', 50);
    const id = provider.desk.field(attempt, 'correlationId');
    provider.serve(attempt, way);
    provider.desk.restart();
    expect(provider.desk.field(attempt, 'correlationId')).toBe(id);
  });

  it('and a 504 after the commit is found by that very id: one refund', () => {
    const provider = new Provider();
    const first = provider.refund('Order:1', 50);
    provider.serve(first.attempt, 'commits and answers 504');
    provider.desk.restart();
    expect(provider.refund('Order:1', 50).code).toBe('in_doubt');
    provider.readBack(first.attempt);
    expect(provider.desk.field(first.attempt, 'certainty')).toBe('landed');
    expect(provider.effects()).toHaveLength(1);
  });
});

describe('B05: a time-out is taken for a failure, and time opens the way again', () => {
  it.each([6 * 60_000, 6 * DAY_MS, 60 * DAY_MS])('after %i ms it is still in doubt, and nothing is sent', (ms) => {
    const provider = new Provider();
    const first = provider.refund('Order:1', 900);
    provider.serve(first.attempt, 'times out');
    provider.commit(first.attempt);
    provider.desk.pass(ms);
    expect(provider.desk.outcomeOf(first.attempt)?.kind).toBe('OutcomeAmbiguous');
    for (const by of [agent, other, ann]) expect(provider.refund('Order:1', 900, { by }).code).toBe('in_doubt');
    expect(provider.calls).toBe(1);
    provider.readBack(first.attempt);
    expect(provider.refund('Order:1', 900).code).toBe('already_completed');
    expect(provider.effects()).toHaveLength(1);
  });
});

describe('B06: something unrelated happens while an effect is on its way', () => {
  it('webhooks, frames and timers send nothing again', () => {
    const provider = new Provider();
    const { desk } = provider;
    const mail = desk.propose('customer.email', 'Customer:kim', { template: 'refund_denied' }).attempt;
    desk.evidence('', 'landed', { attempt: null, correlationId: '0'.repeat(64), source: 'webhook' });
    desk.frame();
    desk.pass(2000);
    desk.evidence('', 'failed', { attempt: null, correlationId: '1'.repeat(64), source: 'webhook' });
    provider.serve(mail, 'commits and answers');
    expect(provider.effects()).toHaveLength(1);
    expect(desk.events('effect.dispatched')).toHaveLength(1);
    expect(desk.state.ofType('Evidence', null, 10)).toHaveLength(3);
  });
});

describe('B08: the killed request commits after a fresh agent has tried again', () => {
  it('the second is blocked, and the late webhook settles the first', () => {
    const provider = new Provider();
    const { desk } = provider;
    const first = provider.refund('Order:1', 700);
    desk.pass(1000);
    expect(desk.restart()).toEqual([first.attempt]);
    desk.pass(1000);
    expect(provider.refund('Order:1', 700, { by: other })).toMatchObject({ code: 'in_doubt', names: first.attempt });
    desk.pass(8000);
    provider.commit(first.attempt);
    desk.pass(2000);
    desk.webhook(first.attempt, 'landed');
    expect(desk.outcomeOf(first.attempt)?.kind).toBe('Succeeded');
    expect(provider.effects()).toHaveLength(1);
    expect(provider.calls).toBe(1);
  });
});

describe('B09: a mail is accepted, and the connection drops', () => {
  it('nothing sends it again in an hour; it is shown as unresolved', () => {
    const provider = new Provider();
    const { desk } = provider;
    const { attempt } = desk.propose('customer.email', 'Customer:kim', { template: 'refund_issued' });
    provider.serve(attempt, 'commits and drops the answer');
    for (let minute = 0; minute < 60; minute += 1) desk.pass(60_000);
    expect(provider.effects()).toHaveLength(1);
    expect(provider.calls).toBe(1);
    expect(desk.frame().unresolved.map((entry) => entry.attempt)).toEqual([attempt]);
  });
});

describe('B10: a time-out is taken for delivered', () => {
  it.each([
    ['commits and drops the answer', 'Succeeded', 'landed', 'already_completed'],
    ['drops the request', 'FailedTransiently', 'none', undefined],
  ] as const)('a provider that %s is first ambiguous, then %s by read-back', (way, kind, certainty, code) => {
    const provider = new Provider();
    const { attempt } = provider.refund('Order:1', 800);
    provider.serve(attempt, way);
    expect(provider.desk.outcomeOf(attempt)?.kind).toBe('OutcomeAmbiguous');
    provider.desk.pass(20_000);
    provider.readBack(attempt);
    expect([provider.desk.outcomeOf(attempt)?.kind, provider.desk.field(attempt, 'certainty')]).toEqual([kind, certainty]);
    const again = provider.refund('Order:1', 800);
    expect(again.code).toBe(code);
    if (code === undefined) provider.serve(again.attempt, 'commits and answers');
    expect(provider.effects()).toHaveLength(1);
  });
});

describe('B12: words that vary make another effect of it', () => {
  it('note, reason and the case of the line do not; the second is the same effect, and blocked', () => {
    const provider = new Provider();
    provider.desk.order('Order:2', 20_000, [{ id: 'Lamp', totalCents: 9000 }]);
    const first = provider.refund('Order:2', 500, { parameters: { line: 'Lamp', note: 'a1 rent' } });
    provider.serve(first.attempt, 'commits and drops the answer');
    provider.desk.restart();
    expect(provider.refund('Order:2', 500, { by: other, parameters: { line: 'lamp ', note: 'f9 Rent payment', reason: 'duplicate' } })).toMatchObject({
      code: 'in_doubt',
      names: first.attempt,
    });
    provider.readBack(first.attempt);
    expect(provider.refund('Order:2', 500, { by: other, parameters: { line: 'LAMP', note: 'again' } })).toMatchObject({
      code: 'already_completed',
      names: first.attempt,
    });
    expect(provider.effects()).toHaveLength(1);
  });
});

describe('B14: nine identical calls in one message', () => {
  it('make one dispatch, and eight answers that name it', () => {
    const provider = new Provider();
    const answers = Array.from({ length: 9 }, () => provider.refund('Order:1', 600));
    const [first, ...rest] = answers;
    for (const answer of rest) expect(answer.names).toBe(first?.attempt);
    provider.serve(first?.attempt ?? '', 'commits and answers');
    expect(provider.effects()).toHaveLength(1);
  });
});

describe('B48: a deployment resets the object while ten effects are on their way', () => {
  it('none is a failure: each is in doubt, then settled by read-back; none goes out twice', () => {
    const provider = new Provider();
    const { desk } = provider;
    const attempts = Array.from({ length: 10 }, (_, index) => {
      desk.order(`Order:b${index}`);
      return provider.refund(`Order:b${index}`, 100 + index).attempt;
    });
    desk.restart();
    for (const attempt of attempts) {
      expect(desk.outcomeOf(attempt)?.kind).toBe('OutcomeAmbiguous');
      provider.commit(attempt);
    }
    desk.pass(20_000);
    for (const attempt of attempts) provider.readBack(attempt);
    expect(attempts.map((attempt) => desk.field(attempt, 'certainty'))).toEqual(attempts.map(() => 'landed'));
    expect(provider.effects()).toHaveLength(10);
    expect(new Set(desk.sent).size).toBe(10);
  });
});

describe('D04: absence is asserted too early', () => {
  it('no read-back within the settle time concludes, a person’s finding is refused, and a later one finds it', () => {
    const provider = new Provider();
    const { desk } = provider;
    const { attempt } = provider.refund('Order:1', 1000);
    desk.pass(1000);
    provider.serve(attempt, 'drops the request');
    for (const ms of [1000, 3000, 1000, 4000]) {
      desk.pass(ms);
      provider.readBack(attempt);
      expect(desk.field(attempt, 'certainty')).toBe('in_doubt');
    }
    const finding = desk.propose('attempt.reconcile', attempt, { finding: 'not_happened', note: 'nothing there' }, { by: bob });
    expect(finding.outcome).toMatchObject({ kind: 'Rejected', detail: { rule: 'settle_time_is_over' } });
    desk.pass(5000);
    provider.commit(attempt);
    desk.pass(10_000);
    provider.readBack(attempt);
    expect(desk.field(attempt, 'certainty')).toBe('landed');
    expect(provider.effects()).toHaveLength(1);
  });
});

describe('D05: absence was wrong', () => {
  const wrong = (): { readonly provider: Provider; readonly first: string } => {
    const provider = new Provider();
    const { attempt } = provider.refund('Order:1', 1000);
    provider.serve(attempt, 'drops the request');
    provider.desk.pass(20_000);
    provider.readBack(attempt);
    expect(provider.desk.field(attempt, 'certainty')).toBe('none');
    return { provider, first: attempt };
  };

  it('(a) by webhook: recorded as landed, a person sees the conflict, and money that is there twice counts twice', () => {
    const { provider, first } = wrong();
    const { desk } = provider;
    const second = provider.refund('Order:1', 1000);
    provider.serve(second.attempt, 'commits and answers');
    provider.commit(first);
    desk.webhook(first, 'landed');
    expect(desk.field(first, 'certainty')).toBe('landed');
    expect(desk.frame({ actor: ann }).blockers).toContainEqual(expect.objectContaining({ code: 'conflict', attempt: first }));
    expect(desk.field('Order:1', 'refundedCents')).toBe(provider.total('Order:1'));
  });

  it('(b) when it is proposed again: the look before finds it, and nothing is sent', () => {
    const { provider, first } = wrong();
    provider.commit(first);
    const second = provider.refund('Order:1', 1000);
    expect(provider.desk.field(first, 'certainty')).toBe('landed');
    expect(provider.desk.outcomeOf(second.attempt)).toMatchObject({ code: 'already_completed', detail: { attempt: first } });
    expect(provider.calls).toBe(1);
    expect(provider.effects()).toHaveLength(1);
  });
});

describe('D10: a crash between commit and send, and right after the send', () => {
  it.each([
    ['before a byte left', false, 'none'],
    ['after the bytes left', true, 'landed'],
  ] as const)('%s: in doubt, not sent again, settled by read-back', (_when, commits, certainty) => {
    const provider = new Provider();
    const { desk } = provider;
    const { attempt } = provider.refund('Order:1', 1000);
    if (commits) provider.commit(attempt);
    desk.restart();
    expect(desk.field(attempt, 'certainty')).toBe('in_doubt');
    expect(provider.calls).toBe(1);
    desk.pass(20_000);
    provider.readBack(attempt);
    expect(desk.field(attempt, 'certainty')).toBe(certainty);
    const again = provider.refund('Order:1', 1000);
    if (!commits) provider.serve(again.attempt, 'commits and answers');
    expect(provider.effects()).toHaveLength(1);
  });
});
