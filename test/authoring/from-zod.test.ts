// What zod says becomes the closed subset, with every bound visible; what the subset lacks is refused with its path.
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { mail } from '../../src/adapters/contracts/mail.ts';
import { defineWorld } from '../../src/authoring/define.ts';
import { conditionData, idOf, schemaOf, uniqueList } from '../../src/authoring/from-zod.ts';
import { compileSchema, LIMITS } from '../../src/kernel/index.ts';

describe('a zod schema becomes', () => {
  test('a closed object whose optional fields are not required', () => {
    expect(schemaOf(z.object({ a: z.boolean(), b: z.boolean().optional() }))).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
      required: ['a'],
    });
    expect(schemaOf(z.object({}))).toMatchObject({ required: [], properties: {}, additionalProperties: false });
  });

  test('texts, lists and integers with a bound, where none was said the kernel’s', () => {
    expect(schemaOf(z.string())).toEqual({ type: 'string', minLength: 0, maxLength: LIMITS.stringLengthMax });
    expect(schemaOf(z.array(z.boolean()))).toEqual({ type: 'array', items: { type: 'boolean' }, minItems: 0, maxItems: LIMITS.listItemsMax });
    expect(schemaOf(z.int())).toEqual({ type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
    expect(schemaOf(z.string().min(2).max(5))).toEqual({ type: 'string', minLength: 2, maxLength: 5 });
  });

  test('an object id, a list told apart by a field, a condition', () => {
    expect(schemaOf(idOf('Order'))).toEqual({ type: 'string', format: 'objectId', refers: ['Order'], maxLength: 193 });
    expect(schemaOf(uniqueList(z.object({ id: z.string().max(8) }), 'id', 3))).toMatchObject({ uniqueBy: 'id', maxItems: 3 });
    expect(schemaOf(conditionData())).toEqual({ format: 'condition' });
  });

  test('one type that may be null, which null then fits', () => {
    for (const nullable of [z.string().max(3).nullable(), z.int().min(0).max(3).nullable(), z.enum(['x']).nullable(), z.object({}).nullable()]) {
      expect(compileSchema(schemaOf(z.object({ a: nullable })))({ a: null })).toEqual([]);
    }
  });

  test('nothing that depends on a default: the value must be there', () => {
    const check = compileSchema(schemaOf(z.object({ a: z.boolean().default(true) })));
    expect(check({})).toEqual([{ path: '/a', code: 'required' }]);
  });
});

describe('refused, with the path, is', () => {
  test.each([
    ['a number with a fraction', z.object({ a: z.number() }), '/in/properties/a/type: unsupported_type'],
    ['an open object', z.looseObject({}), '/in: object_not_closed'],
    ['a choice of plain types', z.object({ a: z.union([z.string(), z.boolean()]) }), '/in/properties/a/type: unsupported_type'],
    ['a choice of shapes', z.object({ a: z.union([z.string(), z.object({})]) }), '/in/properties/a: unknown_keyword `anyOf`'],
    ['a map', z.object({ a: z.record(z.string(), z.boolean()) }), '/in/properties/a'],
    ['anything at all', z.object({ a: z.unknown() }), '/in/properties/a: type_missing'],
  ])('%s', (_name, schema, message) => {
    expect(() => schemaOf(schema, '/in')).toThrow(message);
  });
});

test('an effect whose identity names no parameter is refused', () => {
  const action = (identity: readonly string[]): (() => unknown) => {
    const effect = { adapter: { integration: 'x', operation: 'y', recovery: 'human' }, identity, retry: { budget: 1, ceiling: 1 } } as const;
    const act = { description: 'Act', on: ['Thing'], roles: ['agent'], input: z.object({ amount: z.int().min(1) }), effect } as const;
    return () =>
      defineWorld({
        name: 'w',
        version: '1',
        description: 'w',
        types: { Thing: { description: 'A thing', state: z.object({}) } },
        actions: { 'thing.act': act },
        adapters: { x: mail },
      });
  };
  expect(action(['amount'])).not.toThrow();
  expect(action(['amuont'])).toThrow('/actions/thing.act: no such parameter: `amuont`');
});
