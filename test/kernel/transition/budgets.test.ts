// The resource budget: spent, held and free, and the days on which it is counted (design §7 check 8, §2 "held").
import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../../../src/kernel/index.ts';
import { agent, ann, Desk, ops } from './desk.ts';

const LIMIT = 100_000;
const MIDNIGHT = '2026-12-02T00:00:00.000Z';

/** A desk with orders of 1000.00 each, at 08:00. */
function desk(): Desk {
  const made = Desk.open();
  for (const id of ['Order:2', 'Order:3', 'Order:4']) made.order(id, LIMIT);
  return made;
}

function untilMidnight(made: Desk): number {
  return Date.parse(MIDNIGHT) - made.at;
}

/** A large refund, granted by a person. */
function granted(made: Desk, order: string, amount: number): string {
  const { attempt, approval } = made.parked(order, amount);
  made.must('approval.grant', approval, {}, { by: ann });
  return attempt;
}

describe('the budget', () => {
  it('has its declared limit from birth', () => {
    expect(desk().object('Budget:refunds').state).toEqual({ limit: LIMIT, unit: 'cents', period: 'utc_day' });
  });

  it('holds an amount on its way and in doubt, spends it when it lands, frees it when it did not happen', () => {
    const made = desk();
    const { attempt } = made.refund('Order:2', 4000);
    expect(made.budget()).toMatchObject({ spent: 0, held: 4000, remaining: LIMIT - 4000 });
    made.evidence(attempt, 'unclear');
    expect(made.budget()).toMatchObject({ spent: 0, held: 4000 });
    made.evidence(attempt, 'landed');
    expect(made.budget()).toMatchObject({ spent: 4000, held: 0 });
    made.notHappened('Order:3', 3000);
    expect(made.budget()).toMatchObject({ spent: 4000, held: 0, remaining: LIMIT - 4000 });
  });

  it('is not overrun by what is held: the last cent goes, the next does not', () => {
    const made = desk();
    granted(made, 'Order:2', 90_000);
    const over = made.refund('Order:3', 10_001);
    expect(over.outcome?.failing?.[0]).toEqual({ check: 8, code: 'resource_exhausted', detail: { budget: 'Budget:refunds', remaining: 10_000, limit: LIMIT } });
    granted(made, 'Order:3', 10_000);
    expect(made.budget().remaining).toBe(0);
    expect(made.refund('Order:4', 1).code).toBe('resource_exhausted');
    expect(made.listed('order.refund', 'Order:4')).toMatchObject({ available: false, code: 'resource_exhausted' });
  });

  it('is new on the next UTC day: nothing is spent, what is held stays held', () => {
    const made = desk();
    made.landed('Order:2', 4000);
    made.doubted('Order:3', 3000);
    made.pass(untilMidnight(made) - 1);
    expect(made.budget()).toMatchObject({ spent: 4000, held: 3000 });
    made.pass(1);
    expect(made.budget()).toMatchObject({ spent: 0, held: 3000, remaining: LIMIT - 3000 });
  });

  it('spends on the day of the landing, whenever it was dispatched', () => {
    const made = desk();
    const attempt = made.doubted('Order:2', 4000);
    made.pass(untilMidnight(made));
    made.evidence(attempt, 'landed');
    expect(made.budget()).toMatchObject({ spent: 4000, held: 0 });
    made.pass(DAY_MS);
    expect(made.budget()).toMatchObject({ spent: 0, held: 0 });
  });

  it('is given back by a reversal on the day of the landing, and by a later one not', () => {
    const made = desk();
    const [early, late] = [made.landed('Order:2', 4000), made.landed('Order:3', 3000)];
    made.webhook(early, 'failed', { rank: 4 });
    expect(made.budget()).toMatchObject({ spent: 3000 });
    made.pass(untilMidnight(made));
    made.landed('Order:4', 500);
    made.webhook(late, 'failed', { rank: 4 });
    expect(made.budget()).toMatchObject({ spent: 500 });
  });

  it('is given back by a reversal of what was dispatched yesterday and landed today', () => {
    const made = desk();
    const attempt = made.doubted('Order:2', 4000);
    made.pass(untilMidnight(made));
    made.evidence(attempt, 'landed');
    made.webhook(attempt, 'failed', { rank: 4 });
    expect(made.budget()).toMatchObject({ spent: 0, held: 0 });
  });

  it('is set by an operator alone, to nothing too', () => {
    const made = desk();
    for (const by of [agent, ann]) expect(made.propose('budget.set', 'Budget:refunds', { limit: 1 }, { by }).code).toBe('not_authorized');
    made.must('budget.set', 'Budget:refunds', { limit: 0 }, { by: ops });
    expect(made.refund('Order:2', 1).code).toBe('resource_exhausted');
  });

  it('below what was spent leaves nothing, and never less', () => {
    const made = desk();
    made.landed('Order:2', 4000);
    made.must('budget.set', 'Budget:refunds', { limit: 1000 }, { by: ops });
    expect(made.budget()).toEqual({ limit: 1000, spent: 4000, held: 0, remaining: 0 });
  });

  it('is not touched by mails, which spend none', () => {
    const made = desk();
    made.must('budget.set', 'Budget:refunds', { limit: 0 }, { by: ops });
    expect(made.propose('customer.email', 'Customer:kim', { template: 'refund_denied' }).outcome).toBeNull();
    expect(made.budget()).toMatchObject({ spent: 0, held: 0 });
  });
});

describe('the sums of a target', () => {
  it('count what landed and what is held, in all and by line', () => {
    const made = Desk.open();
    made.order('Order:9', 9000, [
      { id: 'a', totalCents: 3000 },
      { id: 'b', totalCents: 6000 },
    ]);
    const refund = (amount: number, line: string): ReturnType<Desk['refund']> => made.refund('Order:9', amount, { by: ann, parameters: { line } });
    made.evidence(refund(2000, 'a').attempt, 'landed');
    expect(refund(1001, 'a').outcome?.detail).toMatchObject({ rule: 'within_remaining' });
    expect(refund(1000, 'A').outcome?.failing?.map(({ detail }) => detail['rule'])).toContain('line_is_recorded');
    made.evidence(refund(1000, 'a').attempt, 'unclear');
    expect(made.sums('Order:9')).toEqual({ landedCount: 1, landedTotal: 2000, heldCount: 1, heldTotal: 1000 });
  });

  it('keep a refund within the order while another is in doubt, and an amendment away', () => {
    const made = Desk.open();
    made.doubted('Order:1', 4000);
    expect(made.propose('order.amend', 'Order:1', { totalCents: 100 }, { by: ops }).outcome?.detail).toMatchObject({ rule: 'no_refund_under_way' });
  });

  it('keep an amendment above what landed', () => {
    const made = Desk.open();
    made.landed('Order:1', 4000);
    expect(made.propose('order.amend', 'Order:1', { totalCents: 3999 }, { by: ops }).outcome?.detail).toMatchObject({ rule: 'not_below_landed' });
    expect(made.propose('order.amend', 'Order:1', { totalCents: 4000 }, { by: ops }).outcome?.kind).toBe('Succeeded');
  });
});
