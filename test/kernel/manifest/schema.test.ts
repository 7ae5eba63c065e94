import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalDefect } from '../../../src/kernel/base/canonical.ts';
import type { Json, JsonObject } from '../../../src/kernel/base/json.ts';
import { LIMITS } from '../../../src/kernel/base/limits.ts';
import { compileOpenSchema, compileSchema, openSchemaDefects, patternDefect, schemaDefects } from '../../../src/kernel/manifest/schema.ts';
import { instance, schema as anySchema } from './arbitrary-schema.ts';

const text = (maxLength = 20): JsonObject => ({ type: 'string', maxLength });
const amount: JsonObject = { type: 'integer', minimum: 0, maximum: 100 };
const closed = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});

const LINES: JsonObject = { type: 'array', minItems: 1, maxItems: 20, uniqueBy: 'id', items: closed({ id: text(), totalCents: amount }, ['id', 'totalCents']) };
const ORDER = closed(
  {
    customer: { type: 'string', format: 'objectId', refers: ['Customer', 'Person'] },
    about: { type: 'string', format: 'objectId' },
    currency: { type: 'string', enum: ['usd', 'eur'] },
    totalCents: { type: 'integer', minimum: 1, maximum: 1_000 },
    lines: LINES,
    code: { type: 'string', maxLength: 8, minLength: 2, pattern: '^[a-z]{2,8}$' },
    email: { type: 'string', maxLength: 100, format: 'email' },
    dueAt: { type: 'string', format: 'instant' },
    kind: { const: 'order' },
    paid: { type: 'boolean' },
    note: { type: ['string', 'null'], maxLength: 10 },
    address: { ...closed({ city: text() }, ['city']), type: ['object', 'null'] },
    rank: { enum: [1, 'one', null] },
    requires: { format: 'condition' },
  },
  ['customer', 'totalCents'],
);
const GOOD: JsonObject = { customer: 'Customer:1', totalCents: 10 };

const checkOrder = compileSchema(ORDER);

function errorsOf(change: { readonly [field: string]: unknown }): readonly string[] {
  return checkOrder({ ...GOOD, ...change } as Json).map(({ path, code }) => `${path} ${code}`);
}

describe('values that fit', () => {
  it.each<JsonObject>([
    {},
    { about: 'Order:7', currency: 'eur', code: 'ab', email: 'ada@example.com', dueAt: '2024-02-29', kind: 'order', paid: false },
    { note: null, address: null, rank: null },
    { note: 'short', address: { city: 'x' }, rank: 'one' },
    {
      lines: [
        { id: 'a', totalCents: 0 },
        { id: 'b', totalCents: 100 },
      ],
    },
    { requires: { eq: ['$target.status', 'paid'] } },
    { requires: true },
    { code: 'a😀'.slice(0, 1) + 'b' },
    { note: '😀😀😀😀😀😀😀😀😀😀' },
  ])('%j has no error', (change) => {
    expect(errorsOf(change)).toEqual([]);
  });
});

describe('values that do not fit', () => {
  it.each<[{ readonly [field: string]: unknown }, readonly string[]]>([
    [{ totalCents: 0 }, ['/totalCents minimum']],
    [{ totalCents: 1_001 }, ['/totalCents maximum']],
    [{ totalCents: 1.5 }, ['/totalCents type']],
    [{ totalCents: '5' }, ['/totalCents type']],
    [{ totalCents: 1e300 }, ['/totalCents maximum']],
    [{ totalCents: null }, ['/totalCents type']],
    [{ lines: [{ id: 'a', totalCents: -0 }] }, ['/lines/0/totalCents type']],
    [{ currency: 'gbp' }, ['/currency enum']],
    [{ currency: 5 }, ['/currency type']],
    [{ kind: 'ticket' }, ['/kind const']],
    [{ code: 'A' }, ['/code minLength', '/code pattern']],
    [{ code: 'abcdefghi' }, ['/code maxLength', '/code pattern']],
    [{ code: 'ab\n' }, ['/code pattern']],
    [{ email: 'nobody' }, ['/email format']],
    [{ dueAt: '2026-02-30' }, ['/dueAt format']],
    [{ customer: 'ada' }, ['/customer format']],
    [{ customer: 'Order:1' }, ['/customer refers']],
    [{ customer: ['Customer:1'] }, ['/customer type']],
    [{ paid: 'true' }, ['/paid type']],
    [{ note: 7 }, ['/note type']],
    [{ note: 'x\ud800' }, ['/note unpaired_surrogate']],
    [{ rank: 2 }, ['/rank enum']],
    [{ address: {} }, ['/address/city required']],
    [{ address: [] }, ['/address type']],
    [{ lines: {} }, ['/lines type']],
    [{ lines: [] }, ['/lines minItems']],
    [{ lines: Array.from({ length: 21 }, () => 5) }, ['/lines maxItems']],
    [{ lines: [5, { id: 'a' }] }, ['/lines/0 type', '/lines/1/totalCents required']],
    [
      {
        lines: [
          { id: 'A ', totalCents: 1 },
          { id: 'b', totalCents: 1 },
          { id: ' a', totalCents: 1 },
        ],
      },
      ['/lines/2/id unique'],
    ],
    [{ lines: [{ id: 'a', totalCents: 1, sku: 1 }] }, ['/lines/0/sku unknown_field']],
    [{ requires: { eqq: [1, 1] } }, ['/requires unknown_operator']],
    [{ requires: { all: [{ eq: ['$tagret.x', 1] }, 5] } }, ['/requires/all/0/eq/0 unknown_root', '/requires/all/1 not_a_condition']],
    [{ requires: { eq: [0.5, 1] } }, ['/requires/eq/0 not_a_safe_integer']],
    [{ requires: { in: [1, Array.from({ length: 90 }, () => 'x'.repeat(50))] } }, ['/requires too_long']],
    [{ 'extra/~': 1 }, ['/extra~1~0 unknown_field']],
    [{ 'half\ud800': 1 }, ['/half\ufffd unknown_field']],
  ])('%j has exactly its errors', (change, errors) => {
    expect(errorsOf(change)).toEqual(errors);
  });

  it('must be objects where an object is asked for', () => {
    for (const value of [null, 1, 'x', [], true] as Json[]) expect(checkOrder(value)).toEqual([{ path: '', code: 'type' }]);
    expect(checkOrder({})).toEqual([
      { path: '/customer', code: 'required' },
      { path: '/totalCents', code: 'required' },
    ]);
  });

  it('have own keys only: what a prototype lends is neither there nor known', () => {
    const sent = JSON.parse('{"customer":"Customer:1","totalCents":1,"__proto__":{"x":1},"constructor":1,"toString":2}') as Json;
    expect(checkOrder(sent)).toEqual(['/__proto__', '/constructor', '/toString'].map((path) => ({ path, code: 'unknown_field' })));
    const lent = Object.create({ customer: 'Customer:1', totalCents: 1 }) as Json;
    expect(checkOrder(lent).map(({ code }) => code)).toEqual(['required', 'required']);
    expect(compileSchema(closed({ constructor: text() }, ['constructor']))({})).toEqual([{ path: '/constructor', code: 'required' }]);
  });

  it('get the same errors in the same order, however their keys are ordered', () => {
    const fields: [string, Json][] = [
      ['zebra', 1],
      ['paid', 1],
      ['lines', [{ totalCents: 1 }, { id: 'x', totalCents: -1 }]],
      ['apple', 2],
    ];
    expect(checkOrder(Object.fromEntries(fields))).toEqual(checkOrder(Object.fromEntries([...fields].reverse())));
  });

  it('get their lines in the order of numbers', () => {
    const lines = Array.from({ length: 12 }, (_, index) => ({ id: `l${index}`, totalCents: index === 2 || index === 10 ? -1 : 1 }));
    expect(errorsOf({ lines })).toEqual(['/lines/2/totalCents minimum', '/lines/10/totalCents minimum']);
  });

  it('get at most as many errors as a refusal may hold, each with a short path', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`${'k'.repeat(300)}${index}`, 1]));
    const errors = checkOrder({ ...GOOD, ...many });
    expect(errors).toHaveLength(LIMITS.parameterErrorsMax);
    for (const { path } of errors) expect(path.length).toBeLessThanOrEqual(LIMITS.pathLengthMax);
  });

  it('do not overflow the stack, however long or deep they are', () => {
    let deep: Json = 1;
    for (let level = 0; level < 50_000; level += 1) deep = { a: deep };
    expect(errorsOf({ lines: Array.from({ length: 500_000 }, () => 0), address: deep, note: deep })).toEqual([
      '/address/a unknown_field',
      '/address/city required',
      '/lines maxItems',
      '/note type',
    ]);
    expect(errorsOf({ requires: deep })).toHaveLength(1);
  });
});

describe('open schemas', () => {
  const check = compileOpenSchema({
    type: 'object',
    required: ['id'],
    additionalProperties: false,
    properties: { id: { type: 'string' }, list: { type: 'array', items: { type: 'integer' } }, any: {} },
  });
  const errors = (value: unknown): readonly string[] => check(value as Json).map(({ path, code }) => `${path} ${code}`);

  it('ignore what they do not list, whatever it is', () => {
    expect(errors({ id: 'a', created: 0.5, note: '\ud800', nested: { deep: [1e300] } })).toEqual([]);
  });

  it('still ask for what they list', () => {
    expect(errors({ list: [1, '2'] })).toEqual(['/id required', '/list/1 type']);
    expect(errors([])).toEqual([' type']);
  });

  it('bound what names no bound of its own', () => {
    expect(errors({ id: 'x'.repeat(LIMITS.stringLengthMax) })).toEqual([]);
    expect(errors({ id: 'x'.repeat(LIMITS.stringLengthMax + 1) })).toEqual(['/id maxLength']);
    expect(errors({ id: 'a', list: Array.from({ length: LIMITS.listItemsMax + 1 }, () => 1) })).toEqual(['/list maxItems']);
    expect(errors({ id: 'a', list: [2 ** 53, 1.5, -0] })).toEqual(['/list/0 type', '/list/1 type', '/list/2 type']);
  });

  it('take anything that can be hashed where no type is given', () => {
    expect(errors({ id: 'a', any: [{ x: null }] })).toEqual([]);
    expect(errors({ id: 'a', any: [{ x: 0.5 }] })).toEqual(['/any not_a_safe_integer']);
  });
});

describe('compiling', () => {
  it('leaves a frozen schema as it was', () => {
    const freeze = (value: Json): Json => {
      if (typeof value === 'object' && value !== null) Object.values(value).forEach(freeze);
      return Object.freeze(value);
    };
    const frozen = freeze(structuredClone(ORDER) as Json) as JsonObject;
    expect(compileSchema(frozen)(GOOD)).toEqual([]);
    expect(Reflect.ownKeys(frozen)).toEqual(Reflect.ownKeys(ORDER));
  });

  it('makes checks that answer the same twice and leave values alone', () => {
    fc.assert(
      fc.property(anySchema, instance, (schema, value) => {
        const check = compileSchema(schema);
        const before = JSON.stringify(value);
        expect(check(value)).toEqual(check(value));
        return JSON.stringify(value) === before;
      }),
    );
  });

  it('admits only values that have canonical bytes', () => {
    fc.assert(
      fc.property(anySchema, instance, (schema, value) => compileSchema(schema)(value).length > 0 || canonicalDefect(value) === undefined),
      { numRuns: 500 },
    );
  });
});

describe('schemas of the subset', () => {
  it('have no defect', () => {
    expect(schemaDefects(ORDER, '')).toEqual([]);
    fc.assert(fc.property(anySchema, (schema) => schemaDefects(schema, '').length === 0));
  });

  const inside = (property: unknown): unknown => closed({ a: property as Json });
  it.each<[unknown, readonly string[]]>([
    [true, [' not_a_schema']],
    [[], [' not_a_schema']],
    [{}, [' type_missing']],
    [{ type: 'number', minimum: 0, maximum: 1 }, ['/type unsupported_type']],
    [{ type: 'untyped' }, ['/type unsupported_type']],
    [{ type: 'constructor' }, ['/type unsupported_type']],
    [{ type: ['string', 'integer'], maxLength: 1 }, ['/type unsupported_type']],
    [{ type: ['string', 'null', 'null'], maxLength: 1 }, ['/type unsupported_type']],
    [{ type: 'object', properties: {} }, [' object_not_closed']],
    [{ type: 'object', properties: {}, additionalProperties: true }, [' object_not_closed']],
    [{ type: 'object', additionalProperties: false }, ['/properties not_an_object']],
    [closed({}, ['a']), ['/required/0 unknown_field']],
    [closed({ ab: text() }, ['ab', 'ab', 'abc']), ['/required/1 repeated', '/required/2 unknown_field ab']],
    [{ ...closed({}), required: 'a' }, ['/required not_a_list']],
    [closed({ 'a b': text() }), ['/properties/a b not_a_field']],
    [JSON.parse('{"type":"object","additionalProperties":false,"properties":{"__proto__":{"type":"boolean"}}}'), ['/properties/__proto__ not_a_field']],
    [{ type: 'string' }, [' unbounded']],
    [{ type: 'string', maxLength: 1, minLength: 2 }, ['/minLength bounds_crossed']],
    [{ type: 'string', maxLength: LIMITS.parameterBytesMax + 1 }, ['/maxLength bound_out_of_range']],
    [{ type: 'string', maxLength: '9' }, ['/maxLength bound_out_of_range']],
    [{ type: 'string', maxLength: 9, pattern: 'a' }, ['/pattern pattern_not_anchored']],
    [{ type: 'string', maxLength: 9, pattern: 5 }, ['/pattern not_a_text']],
    [{ type: 'string', maxLength: 9, format: 'date' }, ['/format unknown_format']],
    [{ type: 'string', maxLength: 9, format: 'instnat' }, ['/format unknown_format instant']],
    [{ type: 'string', maxLength: 9, refers: ['A'] }, ['/refers keyword_does_not_apply']],
    [{ type: 'string', format: 'objectId', refers: [] }, ['/refers not_type_names']],
    [{ type: 'string', format: 'objectId', refers: ['a b'] }, ['/refers not_type_names']],
    [{ type: 'string', maxLength: 9, minimum: 1 }, ['/minimum keyword_does_not_apply']],
    [{ type: 'string', maxLenght: 9 }, [' unknown_keyword maxLength', ' unbounded']],
    [{ type: 'string', maxLength: 9, default: 'a' }, [' unknown_keyword']],
    [{ $ref: '#/a', type: 'boolean' }, [' unknown_keyword']],
    [{ type: 'string', enum: [] }, ['/enum not_a_list']],
    [{ type: 'string', enum: ['a', 1, 'a', null] }, ['/enum/1 not_of_the_type', '/enum/2 repeated', '/enum/3 not_of_the_type']],
    [{ type: 'string', const: 5 }, ['/const not_of_the_type']],
    [{ const: { a: 1 } }, ['/const not_of_the_type']],
    [{ type: 'integer' }, [' unbounded', ' unbounded']],
    [{ type: 'integer', minimum: 0 }, [' unbounded']],
    [{ type: 'integer', minimum: 2, maximum: 1 }, ['/minimum bounds_crossed']],
    [{ type: 'integer', minimum: 0.5, maximum: 1 }, ['/minimum not_a_safe_integer']],
    [{ type: 'array', maxItems: 1 }, [' items_missing']],
    [{ type: 'array', items: text() }, [' unbounded']],
    [{ type: 'array', maxItems: 1_001, items: text() }, ['/maxItems bound_out_of_range']],
    [{ type: 'array', maxItems: 1, items: text(), uniqueBy: 'id' }, ['/uniqueBy not_a_key']],
    [{ type: 'array', maxItems: 1, items: closed({ id: text() }), uniqueBy: 'id' }, ['/uniqueBy not_a_key']],
    [{ type: 'array', maxItems: 1, items: closed({ id: closed({}) }, ['id']), uniqueBy: 'id' }, ['/uniqueBy not_a_key']],
    [{ format: 'instant' }, ['/format unknown_format']],
    [{ type: 'boolean', description: 5 }, ['/description not_a_text']],
    [inside(inside({ type: 'string' })), ['/properties/a/properties/a unbounded']],
  ])('%j has exactly its defects', (schema, defects) => {
    const found = schemaDefects(schema as Json, '').map(({ path, code, suggestion }) =>
      [path, code, ...(suggestion === undefined ? [] : [suggestion])].join(' '),
    );
    expect(found).toEqual(defects);
  });

  it('are bounded in depth and nodes', () => {
    let deep: unknown = { type: 'boolean' };
    for (let level = 0; level < 16; level += 1) deep = inside(deep);
    expect(schemaDefects(deep as Json, '').map(({ code }) => code)).toEqual(['too_deep']);
    const wide = closed(
      Object.fromEntries(
        Array.from({ length: 50 }, (_, i) => [`f${i}`, closed(Object.fromEntries(Array.from({ length: 50 }, (__, j) => [`g${j}`, { type: 'boolean' }])))]),
      ),
    );
    expect(schemaDefects(wide, '').map(({ code }) => code)).toEqual(['too_many_nodes']);
  });

  it('may leave bounds and closing out where they describe answers from outside', () => {
    const answer: Json = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string' }, list: { type: 'array', items: { type: 'integer' } }, any: {} },
    };
    expect(openSchemaDefects(answer, '')).toEqual([]);
    expect(schemaDefects(answer, '').map(({ code }) => code)).toEqual([
      'object_not_closed',
      'unbounded',
      'unbounded',
      'unbounded',
      'unbounded',
      'type_missing',
    ]);
    expect(openSchemaDefects({ type: 'object', properties: {}, additionalProperties: true }, '')).toHaveLength(1);
  });
});

describe('patterns', () => {
  it.each([
    '^[a-z]{1,8}$',
    '^$',
    '^a*$',
    '^[a-z0-9][a-z0-9-]{0,62}$',
    '^(usd|eur)$',
    '^ch_[A-Za-z0-9]{1,60}$',
    '^(?:ch|py)_\\w+$',
    '^[^@\\s]{1,64}@[^@\\s]{1,190}$',
    '^a(\\.[0-9]{1,3})?$',
    '^([0-9a-f]{2}){1,8}$',
    '^[\\]\\-a\\\\]$',
    '^a/b$',
  ])('%s may stand', (pattern) => {
    expect(patternDefect(pattern, 300)).toBeUndefined();
  });

  it.each([
    ['a', 'pattern_not_anchored'],
    ['^a', 'pattern_not_anchored'],
    ['a$', 'pattern_not_anchored'],
    ['^', 'pattern_not_anchored'],
    ['^a|b$', 'pattern_unsupported'],
    ['^a\\$', 'pattern_unsupported'],
    ['^a^b$', 'pattern_unsupported'],
    ['^(a$', 'pattern_unsupported'],
    ['^a)$', 'pattern_unsupported'],
    ['^[a$', 'pattern_unsupported'],
    ['^[]$', 'pattern_unsupported'],
    ['^[z-a]$', 'pattern_unsupported'],
    ['^*$', 'pattern_unsupported'],
    ['^a**$', 'pattern_unsupported'],
    ['^a+?$', 'pattern_unsupported'],
    ['^a{2,1}$', 'pattern_unsupported'],
    ['^a{x}$', 'pattern_unsupported'],
    ['^(?=a)a$', 'pattern_unsupported'],
    ['^(?<n>a)$', 'pattern_unsupported'],
    ['^(a)\\1$', 'pattern_unsupported'],
    ['^\\bx$', 'pattern_unsupported'],
    ['^\\p{L}$', 'pattern_unsupported'],
    ['^(a+)+$', 'nested_quantifier'],
    ['^(a*b?)*$', 'nested_quantifier'],
    ['^((a{1,2}){2}){3}$', 'nested_quantifier'],
    ['^(a|a)*$', 'pattern_too_costly'],
    ['^(a|b|ab){20}$', 'pattern_too_costly'],
    ['^.*.*.*$', 'pattern_too_costly'],
    [`^${'('.repeat(9)}a${')'.repeat(9)}$`, 'pattern_too_deep'],
    [`^${'a'.repeat(600)}$`, 'pattern_too_long'],
  ])('%s is refused', (pattern, code) => {
    expect(patternDefect(pattern, 300)).toBe(code);
  });

  it('that may stand are quick on the worst texts', () => {
    const worst: readonly (readonly [string, string])[] = [
      ['^[a-z]{1,64}@?[a-z]{1,190}$', `${'a'.repeat(254)}!`],
      ['^a{0,400}a{0,400}$', `${'a'.repeat(800)}!`],
      ['^([ab]|a){10}b$', 'a'.repeat(11)],
    ];
    for (const [pattern, value] of worst) {
      expect(patternDefect(pattern, value.length)).toBeUndefined();
      expect(new RegExp(pattern, 'u').test(value)).toBe(false);
    }
  });
});
