import fc from 'fast-check';
import type { Json, JsonObject } from '../../../src/kernel/base/json.ts';

const FIELDS = ['a', 'b', 'id'];
const PATTERNS = ['^[a-z]*$', '^(ab|cd)?$', '^.{1,3}$', '^\\d+$'];
const TEXTS = ['', 'a', 'ab', 'abc', '12', 'A', '😀', 'x\n', 'Order:1', '2024-02-29', '\ud800'];

function optional(fields: { readonly [name: string]: fc.Arbitrary<Json> }): fc.Arbitrary<JsonObject> {
  return fc.record(fields, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
}

function typed(type: string): fc.Arbitrary<Json> {
  return fc.boolean().map((nullable): Json => (nullable ? [type, 'null'] : type));
}

const text = fc
  .tuple(typed('string'), fc.nat(4), optional({ minLength: fc.nat(1), pattern: fc.constantFrom(...PATTERNS) }))
  .map(([type, spare, rest]): JsonObject => ({ ...rest, type, maxLength: Number(rest['minLength'] ?? 0) + spare }));
const integer = fc
  .tuple(typed('integer'), fc.integer({ min: -3, max: 3 }), fc.nat(3))
  .map(([type, minimum, size]): JsonObject => ({ type, minimum, maximum: minimum + size }));
const listed = fc
  .uniqueArray(fc.constantFrom('a', 'ab', '12', 'A'), { minLength: 1, maxLength: 3 })
  .map((values): JsonObject => ({ type: 'string', enum: values }));
const only = fc.constantFrom<JsonObject>({ const: 'a' }, { const: 1 }, { const: null }, { enum: [1, 'a', null, true] });
const flag = typed('boolean').map((type): JsonObject => ({ type }));

/** A schema of the closed subset without the keywords that only this product knows. */
export const schema: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    text,
    integer,
    listed,
    only,
    flag,
    fc
      .tuple(typed('array'), fc.nat(1), fc.nat(3), tie('schema'))
      .map(([type, minItems, size, items]): JsonObject => ({ type, minItems, maxItems: minItems + size, items })),
    fc
      .tuple(typed('object'), fc.dictionary(fc.constantFrom(...FIELDS), tie('schema'), { maxKeys: 3 }), fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }))
      .map(([type, properties, flags]): JsonObject => ({
        type,
        properties,
        additionalProperties: false,
        required: Object.keys(properties).filter((_, index) => flags[index] === true),
      })),
  ),
})).schema;

/** Values that often nearly fit. */
export const instance: fc.Arbitrary<Json> = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, false),
    fc.constantFrom<Json>(-4, -1, 0, 1, 2, 3, 6, 0.5, 1e300, -0),
    fc.constantFrom<Json>(...TEXTS),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...FIELDS, 'other', '__proto__'), tie('json'), { maxKeys: 4 }),
  ),
})).json;

/** What fits a schema, or nearly: a value made after the schema, with now and then something else in a place. */
export function instanceFor(shape: JsonObject): fc.Arbitrary<Json> {
  return fc.oneof({ arbitrary: fitting(shape), weight: 6 }, { arbitrary: instance, weight: 1 });
}

function fitting(shape: JsonObject): fc.Arbitrary<Json> {
  const { enum: values, const: value, properties, items } = shape;
  if (value !== undefined) return fc.constant(value);
  if (Array.isArray(values)) return fc.constantFrom<Json>(...(values as Json[]));
  const type = Array.isArray(shape['type']) ? (shape['type'] as Json[])[0] : shape['type'];
  if (type === 'object') {
    const fields = Object.entries(properties as { [name: string]: JsonObject }).map(([name, each]) => [name, instanceFor(each)] as const);
    return fc.record(Object.fromEntries(fields), { requiredKeys: (shape['required'] ?? []) as string[] }) as fc.Arbitrary<Json>;
  }
  if (type === 'array') return fc.array(instanceFor(items as JsonObject), { minLength: Number(shape['minItems']), maxLength: Number(shape['maxItems']) });
  if (type === 'boolean') return fc.boolean();
  return type === 'integer' ? fc.integer({ min: Number(shape['minimum']), max: Number(shape['maximum']) }) : fc.constantFrom<Json>(...TEXTS);
}
