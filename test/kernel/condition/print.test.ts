import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/kernel/base/json.ts';
import { parseCondition } from '../../../src/kernel/condition/parse.ts';
import { printCondition } from '../../../src/kernel/condition/print.ts';

describe('conditions as sentences', () => {
  it.each<[Json, string]>([
    [true, 'always'],
    [false, 'never'],
    [{ eq: ['$target.status', 'open'] }, 'status of the target is "open"'],
    [{ ne: ['$args.address.city', null] }, 'address.city of the proposal is not null'],
    [{ in: ['$args.reason', ['duplicate', 'fraudulent']] }, 'reason of the proposal is one of ["duplicate", "fraudulent"]'],
    [{ contains: ['$target.tags', '$$x'] }, 'tags of the target contains "$x"'],
    [{ starts_with: ['$actor.id', 'Agent:'] }, 'id of the actor starts with "Agent:"'],
    [{ before: ['$now', '$task.dueAt'] }, 'now is before dueAt of the task'],
    [{ exists: '$args.line' }, 'line of the proposal is present'],
    [{ exists: ['$args.line', '$made.refund.id'] }, '[line of the proposal, id of the new refund] are all present'],
    [{ not: { exists: '$made.refund' } }, 'not (the new refund is present)'],
    [
      { lte: [{ add: ['$args.amountCents', '$effects.order.refund.landedTotal', '$effects.order.refund.heldTotal'] }, '$target.totalCents'] },
      'amountCents of the proposal plus the total of landed order.refund on the target plus the total of held order.refund on the target is at most totalCents of the target',
    ],
    [
      { gt: ['$related.order.$effects.order.refund.same.line.landedCount', 0] },
      'the number of landed order.refund with the same line on the related order is more than 0',
    ],
    [
      { lt: [{ mul: [{ sub: ['$related.order.a', 1] }, 2] }, { count: 'orders' }] },
      '(a of the related order minus 1) times 2 is less than the number of orders of the target',
    ],
    [
      { gte: [{ item: ['$target.lines', '$args.line', 'totalCents'] }, 1] },
      'totalCents of the entry of (lines of the target) whose id is (line of the proposal) is at least 1',
    ],
    [{ all: [{ after: ['$evidence.at', '$attempt.createdAt'] }] }, 'at of the evidence is after createdAt of the attempt'],
    [
      { all: [true, { any: [{ eq: ['$target.a', 1] }, { ends_with: ['$target.b', 'x'] }] }, { not: { all: [true, false] } }] },
      'always and (a of the target is 1 or b of the target ends with "x") and not (always and never)',
    ],
  ])('%j', (json, sentence) => {
    const { node } = parseCondition(json, '');
    expect(node && printCondition(node)).toBe(sentence);
  });
});
