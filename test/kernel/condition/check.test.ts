import { describe, expect, it } from 'vitest';
import type { Json } from '../../../src/kernel/base/json.ts';
import { checkCondition, checkOperand, type TypeScope } from '../../../src/kernel/condition/check.ts';
import { parseCondition, parseOperand } from '../../../src/kernel/condition/parse.ts';
import { INSTANT, INTEGER, OBJECT_ID, pathsWithin, schemaType, typeAt, type ValueType } from '../../../src/kernel/condition/value-type.ts';

const TARGET = schemaType({
  type: 'object',
  required: ['status', 'totalCents', 'lines', 'customer'],
  properties: {
    status: { type: 'string', enum: ['open', 'closed'] },
    kind: { const: 'order' },
    totalCents: { type: 'integer', minimum: 0, maximum: 9 },
    limit: { type: ['integer', 'null'], minimum: 0, maximum: 9 },
    note: { type: 'string', maxLength: 9 },
    paid: { type: 'boolean' },
    placedAt: { type: 'string', format: 'instant' },
    customer: { type: 'string', format: 'objectId', refers: ['Customer'] },
    parent: { type: 'string', format: 'objectId', refers: ['Order'] },
    anyone: { type: 'string', format: 'objectId' },
    tags: { type: 'array', maxItems: 9, items: { type: 'string', maxLength: 9 } },
    lines: {
      type: 'array',
      maxItems: 9,
      items: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'string', maxLength: 9 }, totalCents: { type: 'integer', minimum: 0, maximum: 9 } },
      },
    },
    address: { type: 'object', required: ['city'], properties: { city: { type: 'string', maxLength: 9 } } },
    requires: { format: 'condition' },
  },
});

const TYPES: TypeScope = {
  relationships: ['orders', 'tickets'],
  type: (reference) => {
    if (reference.root === 'target') return typeAt(TARGET, reference.path);
    if (reference.root === 'now') return INSTANT;
    if (reference.root === 'effects') return reference.action === 'order.refund' ? INTEGER : undefined;
    return reference.root === 'actor' && reference.path[0] === 'id' ? OBJECT_ID : undefined;
  },
  suggestions: (reference) => (reference.root === 'effects' ? ['$effects.order.refund.landedTotal'] : pathsWithin(TARGET).map((path) => `$target.${path}`)),
};

function defectsOf(json: Json): readonly string[] {
  const { node, defects } = parseCondition(json, '');
  if (node === undefined) throw new Error(JSON.stringify(defects));
  return checkCondition(node, TYPES, '').map(({ path, code, suggestion }) => [path, code, ...(suggestion === undefined ? [] : [suggestion])].join(' '));
}

describe('well-typed conditions', () => {
  it.each<Json>([
    true,
    { eq: ['$target.status', 'open'] },
    { in: ['$target.status', ['open', 'closed']] },
    { in: ['$target.status', []] },
    { gt: ['$target.limit', '$target.totalCents'] },
    { lte: [{ add: ['$target.totalCents', '$effects.order.refund.landedTotal'] }, { mul: ['$target.limit', 2] }] },
    { before: ['$target.placedAt', '$now'] },
    { after: ['$now', '2026-01-01'] },
    { eq: ['$target.placedAt', '2026-01-01'] },
    { eq: ['$target.customer', '$actor.id'] },
    { eq: ['$target.anyone', '$target.note'] },
    { eq: ['$target.customer', 'Customer:1'] },
    { contains: ['$target.tags', 'urgent'] },
    { contains: ['$target.note', '$target.status'] },
    { contains: ['$target.address', 'city'] },
    { starts_with: ['$target.anyone', 'Agent:'] },
    { exists: ['$target.note', '$target.address.city'] },
    { exists: { item: ['$target.lines', '$target.note', 'totalCents'] } },
    { gt: [{ item: ['$target.lines', 'a', 'totalCents'] }, 0] },
    { gte: [{ count: 'orders' }, 1] },
    { eq: ['$target.requires', 1] },
    { gt: ['$target.requires', 1] },
    { eq: ['$target.requires', '$target.status'] },
    {
      eq: [
        ['$target.status', 1],
        ['open', 1],
      ],
    },
    { eq: [null, null] },
  ])('%j has no defect', (json) => {
    expect(defectsOf(json)).toEqual([]);
  });
});

describe('ill-typed conditions', () => {
  it.each<[Json, readonly string[]]>([
    [{ eq: ['$target.staus', 'open'] }, ['/eq/0 unknown_path $target.status']],
    [{ eq: ['$target.address.town', 'x'] }, ['/eq/0 unknown_path $target.address.city']],
    [{ eq: ['$target.status.x', 'x'] }, ['/eq/0 unknown_path $target.status']],
    [{ gt: ['$effects.order.refnd.landedTotal', 0] }, ['/gt/0 unknown_path $effects.order.refund.landedTotal']],
    [{ eq: ['$target.status', 'opne'] }, ['/eq not_a_value open']],
    [{ in: ['$target.status', ['open', 'close']] }, ['/in not_a_value closed']],
    [{ eq: ['$target.kind', 'ticket'] }, ['/eq not_a_value']],
    [{ eq: ['$target.status', '$target.kind'] }, ['/eq no_common_value']],
    [{ eq: ['$target.totalCents', '1'] }, ['/eq compared_across_types']],
    [{ ne: ['$target.paid', 'true'] }, ['/ne compared_across_types']],
    [{ eq: ['$target.tags', 'urgent'] }, ['/eq compared_across_types']],
    [{ eq: ['$target.placedAt', '$target.anyone'] }, ['/eq compared_across_types']],
    [{ eq: ['$target.customer', '$target.parent'] }, ['/eq compared_across_types']],
    [{ eq: ['$target.customer', 'Order:1'] }, ['/eq not_an_object_id']],
    [{ eq: ['$target.customer', 'ada'] }, ['/eq not_an_object_id']],
    [{ eq: ['$target.placedAt', 'yesterday'] }, ['/eq not_an_instant']],
    [{ eq: ['$target.note', null] }, ['/eq compared_with_null exists']],
    [{ ne: [null, '$target.limit'] }, ['/ne compared_with_null exists']],
    [{ gt: ['$target.note', 1] }, ['/gt not_an_integer']],
    [{ gt: ['$target.totalCents', '1'] }, ['/gt not_an_integer']],
    [{ before: ['$target.note', '$now'] }, ['/before not_an_instant']],
    [{ before: ['$now', 'soon'] }, ['/before not_an_instant']],
    [{ starts_with: ['$target.tags', 'x'] }, ['/starts_with not_a_text']],
    [{ ends_with: ['$target.note', 1] }, ['/ends_with not_a_text']],
    [{ in: ['$target.status', '$target.note'] }, ['/in not_a_list']],
    [{ in: ['$target.totalCents', ['1']] }, ['/in compared_across_types']],
    [{ in: ['$target.note', '$target.lines'] }, ['/in compared_across_types']],
    [{ contains: ['$target.tags', 1] }, ['/contains compared_across_types']],
    [{ contains: ['$target.totalCents', 1] }, ['/contains not_a_container']],
    [{ contains: ['$target.note', 1] }, ['/contains not_a_text']],
    [{ exists: 'x' }, ['/exists always_present']],
    [{ exists: ['x', 1] }, ['/exists always_present']],
    [{ gt: [{ add: ['$target.note', 1] }, 1] }, ['/gt/0/add/0 not_an_integer']],
    [{ gt: [{ count: 'order' }, 1] }, ['/gt/0/count unknown_relationship orders']],
    [{ gt: [{ item: ['$target.lines', 'a', 'totalCent'] }, 1] }, ['/gt/0/item/2 unknown_field totalCents']],
    [{ gt: [{ item: ['$target.note', 'a', 'x'] }, 1] }, ['/gt/0/item/0 not_a_list']],
    [{ gt: [{ item: ['$target.tags', 'a', 'x'] }, 1] }, ['/gt/0/item/0 items_without_id', '/gt/0/item/2 unknown_field']],
    [{ gt: [{ item: ['$target.lines', 1, 'totalCents'] }, 1] }, ['/gt/0/item/1 compared_across_types']],
    [
      { all: [{ eq: ['$target.staus', 1] }, { not: { any: [{ gt: ['$target.note', 1] }, { exists: '$args.x' }] } }] },
      ['/all/0/eq/0 unknown_path $target.status', '/all/1/not/any/0/gt not_an_integer', '/all/1/not/any/1/exists unknown_path'],
    ],
  ])('%j has every defect named', (json, defects) => {
    expect(defectsOf(json)).toEqual(defects);
  });
});

describe('operands', () => {
  it.each<[Json, ValueType['kinds'], number]>([
    ['$target.status', ['text'], 0],
    [{ add: ['$target.totalCents', 1] }, ['integer'], 0],
    [['$target.status', 1], ['list'], 0],
    ['$target.gone', ['any'], 1],
  ])('%j has its type', (json, kinds, defects) => {
    const { node } = parseOperand(json, '');
    const found = node && checkOperand(node, TYPES, '');
    expect(found?.type.kinds).toEqual(kinds);
    expect(found?.defects).toHaveLength(defects);
  });
});

describe('types of schemas', () => {
  it('know what may be absent or null', () => {
    expect(typeAt(TARGET, ['status'])?.optional).toBeUndefined();
    expect(typeAt(TARGET, ['note'])?.optional).toBe(true);
    expect(typeAt(TARGET, ['address', 'city'])?.optional).toBe(true);
    expect(typeAt(TARGET, ['limit'])?.kinds).toEqual(['integer', 'null']);
    expect(typeAt(TARGET, ['constructor'])).toBeUndefined();
    expect(typeAt(TARGET, ['requires', 'whatever'])?.kinds).toEqual(['any']);
  });
});
