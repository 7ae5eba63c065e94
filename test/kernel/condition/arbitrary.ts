import fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/kernel/base/json.ts';
import type { PlainContext } from './plain-scope.ts';

/** Few names and few values, so that references often resolve and comparisons are often close. */
const REFERENCES = [
  '$target.a',
  '$target.b',
  '$target.list',
  '$target.obj',
  '$target.obj.k',
  '$target.lines',
  '$args.a',
  '$args.x.y',
  '$actor.id',
  '$task.a',
  '$related.order.a',
  '$now',
  '$effects.order.refund.landedTotal',
  '$effects.order.refund.same.line.heldCount',
  '$related.order.$effects.order.refund.landedCount',
];
const TEXTS = ['', 'a', 'ab', 'b', '$', '$x', '2024-02-29', '2026-08-25T00:00:00', '2026-08-25T02:00:00+02:00', 'k'];

const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false),
  fc.constantFrom<Json>(-1, 0, 1, 2, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 94_906_267),
  fc.constantFrom<Json>(...TEXTS),
);

/** What a state may hold. */
export const value: fc.Arbitrary<Json> = fc.oneof(
  { arbitrary: scalar, weight: 4 },
  { arbitrary: fc.array(scalar, { maxLength: 3 }), weight: 1 },
  { arbitrary: fc.dictionary(fc.constantFrom('k', 'id', 'a'), scalar, { maxKeys: 2 }), weight: 1 },
  { arbitrary: fc.array(fc.record({ id: scalar, a: scalar }), { maxLength: 3 }), weight: 1 },
);

const literal: fc.Arbitrary<Json> = scalar.map((one) => (typeof one === 'string' && one.startsWith('$') ? `$${one}` : one));

export const operand: fc.Arbitrary<Json> = fc.letrec<{ operand: Json }>((tie) => ({
  operand: fc.oneof(
    { maxDepth: 3 },
    { arbitrary: fc.constantFrom<Json>(...REFERENCES), weight: 5 },
    { arbitrary: literal, weight: 3 },
    { arbitrary: fc.array(tie('operand'), { maxLength: 3 }), weight: 1 },
    {
      arbitrary: fc
        .tuple(fc.constantFrom('add', 'sub', 'mul'), fc.array(tie('operand'), { minLength: 2, maxLength: 3 }))
        .map(([name, of]): Json => ({ [name]: of })),
      weight: 2,
    },
    { arbitrary: fc.constantFrom<Json>({ count: 'orders' }, { count: 'gone' }), weight: 1 },
    {
      arbitrary: fc
        .tuple(fc.constantFrom<Json>('$target.lines', '$target.list', '$target.a'), tie('operand'))
        .map(([list, id]): Json => ({ item: [list, id, 'a'] })),
      weight: 1,
    },
  ),
})).operand;

const comparison = fc
  .tuple(fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'starts_with', 'ends_with', 'before', 'after'), operand, operand)
  .map(([name, left, right]): Json => ({ [name]: [left, right] }));

export const condition: fc.Arbitrary<Json> = fc.letrec<{ condition: Json }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4 },
    { arbitrary: fc.boolean(), weight: 1 },
    { arbitrary: comparison, weight: 6 },
    { arbitrary: operand.map((each): Json => ({ exists: each })), weight: 2 },
    { arbitrary: tie('condition').map((each): Json => ({ not: each })), weight: 2 },
    {
      arbitrary: fc
        .tuple(fc.constantFrom('all', 'any'), fc.array(tie('condition'), { minLength: 1, maxLength: 4 }))
        .map(([name, of]): Json => ({ [name]: of })),
      weight: 4,
    },
  ),
})).condition;

const object = (names: readonly string[]): fc.Arbitrary<JsonObject> => fc.dictionary(fc.constantFrom(...names), value, { maxKeys: names.length });

export const context: fc.Arbitrary<PlainContext> = fc.record({
  target: object(['a', 'b', 'list', 'obj', 'lines']),
  args: object(['a', 'x']),
  actor: fc.constant({ id: 'a' }),
  task: object(['a']),
  related: fc.record({ order: object(['a']) }, { requiredKeys: [] }),
  now: fc.constant('2026-08-25T00:00:00.000Z'),
  effects: fc.dictionary(fc.constantFrom(...REFERENCES.filter((text) => text.includes('$effects'))), fc.nat(3), { maxKeys: 3 }),
  counts: fc.constant({ orders: 2 }),
});
