// Check 11 and what answers say of an integration: a lost login, a pause, all well again (design §8, §9). Waiting uses nothing.
import { describe, expect, it } from 'vitest';
import { isoInstant, type EvidenceInput } from '../../../src/kernel/index.ts';
import { agent, ann, Desk, ops, type Answer } from './desk.ts';

const PAYMENTS = 'Integration:payments';

function desk(orders = 4): Desk {
  const made = Desk.open();
  for (let index = 2; index <= orders; index += 1) made.order(`Order:${index}`);
  return made;
}

/** A refund of an order that is answered in this way. */
function answered(made: Desk, order: string, says: EvidenceInput['says'], more: Partial<EvidenceInput> = {}): string {
  const { attempt, outcome } = made.refund(order, 100);
  if (outcome !== null) throw new Error(`refused: ${outcome.code ?? ''}`);
  made.evidence(attempt, says, more);
  return attempt;
}

const status = (made: Desk): unknown => made.field(PAYMENTS, 'status');
const retryAt = (made: Desk): unknown => made.field(PAYMENTS, 'retryAt');
const blocker = (made: Desk): unknown => made.frame().blockers.find(({ target }) => target === PAYMENTS);

describe('an integration', () => {
  it('exists from the birth of the world, disconnected, and says why', () => {
    const made = new Desk();
    for (const name of ['payments', 'mail'])
      expect(made.object(`Integration:${name}`).state).toMatchObject({ status: 'disconnected', connection: 0, endpoint: null, cause: 'never connected' });
  });

  it('is connected by an operator alone, and each connection has its number', () => {
    const made = new Desk();
    const parameters = { endpoint: 'http://127.0.0.1:1', credential: 'secret:a', webhookSecret: 'secret:b' };
    for (const by of [agent, ann])
      expect(made.propose('integration.connect', PAYMENTS, parameters, { by, facts: { endpointAllowed: true, settingsFit: true } }).code).toBe(
        'not_authorized',
      );
    made.connect('payments');
    expect(made.object(PAYMENTS).state).toMatchObject({ status: 'connected', connection: 1 });
    made.connect('payments');
    expect(made.field(PAYMENTS, 'connection')).toBe(2);
  });

  it.each([
    ['an endpoint that is not compiled', { endpointAllowed: false, settingsFit: true }, 'endpoint_is_compiled'],
    ['a setting that is not compiled', { endpointAllowed: true, settingsFit: false }, 'setting_is_compiled'],
  ] as const)('is not connected to %s', (_what, facts, rule) => {
    const made = new Desk();
    const answer = made.propose('integration.connect', PAYMENTS, { endpoint: 'http://127.0.0.1:1', credential: 'c', webhookSecret: 'w' }, { by: ops, facts });
    expect(answer.outcome?.detail).toMatchObject({ rule });
    expect(status(made)).toBe('disconnected');
  });

  it('keeps no secret in any object, event or frame, only references in its own cell', () => {
    const made = Desk.open();
    const shown = JSON.stringify([
      made.objects().filter(({ type }) => type !== 'ActionAttempt'),
      made.log.map(({ events }) => events),
      made.frame({ actor: ops }),
    ]);
    expect(shown).not.toContain('secret:');
  });

  it('that is disconnected stops effects, and stays visible with what it waits for', () => {
    const made = desk();
    made.must('integration.disconnect', PAYMENTS, {}, { by: ops });
    expect(made.refund('Order:1', 100).outcome).toMatchObject({
      kind: 'Blocked',
      check: 11,
      code: 'integration_unavailable',
      detail: { integration: PAYMENTS, status: 'disconnected' },
    });
    expect(blocker(made)).toMatchObject({ code: 'integration_unavailable', waitsFor: 'operator: integration.connect' });
  });

  it('that is disconnected does not stop another', () => {
    const made = desk();
    made.must('integration.disconnect', PAYMENTS, {}, { by: ops });
    expect(made.propose('customer.email', 'Customer:kim', { template: 'refund_denied' }).outcome).toBeNull();
  });
});

describe('a lost login', () => {
  it('ends the attempt as Blocked, certainly without effect, and moves the integration', () => {
    const made = desk();
    const attempt = answered(made, 'Order:1', 'login_lost', { code: 'http_401' });
    expect(made.outcomeOf(attempt)).toMatchObject({ kind: 'Blocked', check: 11, code: 'authentication_required' });
    expect(made.field(attempt, 'certainty')).toBe('none');
    expect(status(made)).toBe('authentication_required');
    expect(made.sums('Order:1').heldCount).toBe(0);
  });

  it('blocks the next nineteen without a call, stays visible, and after a reconnection the next one runs', () => {
    const made = desk();
    answered(made, 'Order:1', 'login_lost', { code: 'http_401' });
    for (let index = 0; index < 19; index += 1) {
      made.pass(30_000);
      expect(made.refund('Order:1', 100).outcome).toMatchObject({ kind: 'Blocked', code: 'authentication_required' });
    }
    expect(made.sent).toHaveLength(1);
    expect(made.frame({ focus: 'Order:1' }).objects.map(({ id }) => id)).toContain(PAYMENTS);
    expect(blocker(made)).toMatchObject({ code: 'authentication_required' });
    made.connect('payments');
    const again = made.refund('Order:1', 100);
    expect(again.outcome).toBeNull();
    made.cleared(again.attempt);
    expect(made.sent).toHaveLength(2);
  });

  it('is not lifted by time, a restart, or a later pause that ends', () => {
    const made = desk();
    const [one, two] = [made.refund('Order:1', 100).attempt, made.refund('Order:2', 100).attempt];
    made.evidence(one, 'login_lost');
    made.evidence(two, 'rate_limited', { retryAfterMs: 1000 });
    expect(status(made)).toBe('authentication_required');
    made.restart();
    made.pass(86_400_000);
    expect(status(made)).toBe('authentication_required');
  });

  it('is not reported by a webhook or a read-back: only an answer to our own request says it', () => {
    const made = desk();
    const attempt = made.doubted('Order:1', 100);
    made.webhook(attempt, 'login_lost');
    expect(status(made)).toBe('connected');
  });

  it('of an integration that a person disconnected meanwhile changes nothing there', () => {
    const made = desk();
    const { attempt } = made.refund('Order:1', 100);
    made.must('integration.disconnect', PAYMENTS, {}, { by: ops });
    made.evidence(attempt, 'login_lost');
    expect(status(made)).toBe('disconnected');
  });
});

describe('a 429', () => {
  it('ends the attempt as FailedTransiently, certainly without effect', () => {
    const made = desk();
    const attempt = answered(made, 'Order:1', 'rate_limited', { code: 'http_429', retryAfterMs: 5000 });
    expect(made.outcomeOf(attempt)).toMatchObject({ kind: 'FailedTransiently', detail: { retryAfterMs: 5000 } });
    expect(made.field(attempt, 'certainty')).toBe('none');
  });

  it.each([
    ['what the provider asked for', 5000, 5000],
    ['two seconds, where it asked for none', null, 2000],
    ['two seconds, where it asked for less', 1, 2000],
    ['a day, where it asked for more', 10 * 86_400_000, 86_400_000],
  ] as const)('makes the integration unavailable for %s', (_what, retryAfterMs, ms) => {
    const made = desk();
    answered(made, 'Order:1', 'rate_limited', { retryAfterMs });
    expect([status(made), retryAt(made)]).toEqual(['unavailable', isoInstant(made.at + ms)]);
    expect(made.refund('Order:2', 100).outcome).toMatchObject({
      kind: 'Blocked',
      code: 'integration_unavailable',
      detail: { retryAt: isoInstant(made.at + ms) },
    });
    expect(blocker(made)).toMatchObject({ waitsFor: 'time', retryAt: isoInstant(made.at + ms) });
    made.pass(ms - 1);
    expect(made.refund('Order:2', 100).code).toBe('integration_unavailable');
    made.pass(1);
    expect(status(made)).toBe('connected');
    expect(made.refund('Order:2', 100).outcome).toBeNull();
  });

  it('after n in a row waits 2ⁿ seconds, and any other answer ends the row', () => {
    const made = desk(9);
    const waits = (order: string, says: EvidenceInput['says'] = 'rate_limited'): number => {
      answered(made, order, says, { code: 'http_4xx' });
      const until = Date.parse(String(retryAt(made))) - made.at;
      made.pass(86_400_000);
      return until;
    };
    expect([waits('Order:1'), waits('Order:2'), waits('Order:3'), waits('Order:4')]).toEqual([2000, 4000, 8000, 16_000]);
    answered(made, 'Order:5', 'declined', { code: 'card_error' });
    expect(waits('Order:6')).toBe(2000);
  });

  it.each(['landed', 'declined', 'violated', 'failed'] as const)('`%s` ends the row', (says) => {
    const made = desk();
    answered(made, 'Order:1', 'rate_limited');
    made.pass(3000);
    answered(made, 'Order:2', says);
    expect(made.object(PAYMENTS).counters['rateLimitedInARow']).toBe(0);
  });

  it.each([
    ['a 5xx is an answer', 'http_503', 0],
    ['a time-out is none', 'timeout', 1],
  ] as const)('%s', (_what, code, inARow) => {
    const made = desk();
    answered(made, 'Order:1', 'rate_limited');
    made.pass(3000);
    answered(made, 'Order:2', 'unclear', { code });
    expect(made.object(PAYMENTS).counters['rateLimitedInARow']).toBe(inARow);
  });

  it('is not over before its time, though a timer says so', () => {
    const made = desk();
    answered(made, 'Order:1', 'rate_limited', { retryAfterMs: 60_000 });
    made.at += 59_999;
    made.step({ kind: 'clock', at: made.at, due: [{ kind: 'retry', ref: PAYMENTS, at: made.at }] });
    expect(status(made)).toBe('unavailable');
  });

  it('is over at its time, whether or not the timer ran', () => {
    const made = desk();
    answered(made, 'Order:1', 'rate_limited', { retryAfterMs: 60_000 });
    made.at += 60_000;
    expect(made.refund('Order:2', 100).outcome).toBeNull();
    expect(made.listed('order.refund', 'Order:3')).toMatchObject({ available: true });
  });

  it('does not end what a person did meanwhile', () => {
    const made = desk();
    answered(made, 'Order:1', 'rate_limited', { retryAfterMs: 60_000 });
    made.must('integration.disconnect', PAYMENTS, {}, { by: ops });
    made.pass(60_000);
    expect(status(made)).toBe('disconnected');
    made.connect('payments');
    expect([status(made), retryAt(made)]).toEqual(['connected', null]);
  });

  it('leaves an incompatible integration incompatible', () => {
    const made = desk();
    const { attempt } = made.refund('Order:1', 100);
    const integration = made.object(PAYMENTS);
    made.state.apply([{ put: { ...integration, state: { ...integration.state, status: 'incompatible' } } }], made.state.head());
    made.evidence(attempt, 'rate_limited', { retryAfterMs: 1000 });
    made.pass(2000);
    expect(status(made)).toBe('incompatible');
    expect(made.refund('Order:2', 100).outcome).toMatchObject({ kind: 'Incompatible', check: 11, code: 'adapter_incompatible' });
  });
});

describe('the connection number', () => {
  it('is part of the retry key, and moves only when a person connects', () => {
    const made = desk();
    const numbers: unknown[] = [];
    const note = (): number => numbers.push(made.field(PAYMENTS, 'connection'));
    note();
    answered(made, 'Order:1', 'rate_limited');
    note();
    made.pass(5000);
    note();
    answered(made, 'Order:2', 'login_lost');
    note();
    made.connect('payments');
    note();
    expect(numbers).toEqual([1, 1, 1, 1, 2]);
  });
});

describe('a person’s read-back', () => {
  const ask = (made: Desk, attempt: string): Answer => made.propose('attempt.read_back', attempt);

  it('asks the shell once, and is on its way until it is told', () => {
    const made = desk();
    const doubted = made.doubted('Order:1', 100);
    const asker = ask(made, doubted);
    expect(asker.outcome).toBeNull();
    expect(asker.decision.commands).toEqual([{ do: 'read_back', attempt: doubted, asker: asker.attempt }]);
    expect(made.field(asker.attempt, 'status')).toBe('dispatched');
  });

  it.each([
    ['landed', 'landed'],
    ['absent', 'not_happened'],
    ['inconclusive', 'inconclusive'],
  ] as const)('that finds `%s` succeeds with the finding %s', (says, finding) => {
    const made = desk();
    const doubted = made.doubted('Order:1', 100);
    made.pass(20_000);
    const asker = ask(made, doubted).attempt;
    const revision = made.object(doubted).revision;
    made.readBack(doubted, says, { asker });
    expect(made.outcomeOf(asker)).toEqual({ kind: 'Succeeded', detail: { finding, attempt: doubted } });
    if (says === 'inconclusive') expect(made.object(doubted).revision).toBe(revision);
  });

  it('that a restart cut off timed out: reading is never in doubt', () => {
    const made = desk();
    const doubted = made.doubted('Order:1', 100);
    const asker = ask(made, doubted).attempt;
    expect(made.restart()).toEqual([asker]);
    expect(made.outcomeOf(asker)).toMatchObject({ kind: 'TimedOut' });
    expect(made.field(asker, 'certainty')).toBe('none');
    expect(made.field(doubted, 'certainty')).toBe('in_doubt');
  });

  it('is refused where nothing is in doubt, and where the contract has none', () => {
    const made = desk();
    expect(ask(made, made.landed('Order:1', 100)).outcome?.detail).toMatchObject({ rule: 'is_in_doubt' });
    const mail = made.propose('customer.email', 'Customer:kim', { template: 'refund_denied' }).attempt;
    made.evidence(mail, 'unclear', { integration: 'mail' });
    expect(ask(made, mail).outcome?.detail).toMatchObject({ rule: 'has_a_read_back' });
  });
});
