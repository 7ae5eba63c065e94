import { describe, expect, it } from 'vitest';
import { assertNever, invariant, KernelFault } from '../../../src/kernel/base/assert.ts';
import { isBareType, isObjectId, isTenantName, isWorldName, madeId, parseObjectId, typeOf } from '../../../src/kernel/base/ids.ts';

describe('object ids', () => {
  it.each([
    ['Order:1001', { type: 'Order', local: '1001' }],
    ['a:A._~-9', { type: 'a', local: 'A._~-9' }],
    [`O:${'x'.repeat(128)}`, { type: 'O', local: 'x'.repeat(128) }],
  ])('%s is one', (text, parts) => {
    expect(isObjectId(text)).toBe(true);
    expect(parseObjectId(text)).toEqual(parts);
    expect(typeOf(text)).toBe(parts.type);
  });

  it.each([
    '',
    'Order',
    'Order:',
    ':1',
    '1Order:1',
    'Order:1:2',
    'Order:a b',
    'Order:é',
    'Order:1\n',
    ' Order:1',
    `O:${'x'.repeat(129)}`,
    'Or-der:1',
    `${'T'.repeat(65)}:1`,
  ])('%j is none', (text) => {
    expect(isObjectId(text)).toBe(false);
    expect(parseObjectId(text)).toBeUndefined();
  });

  it('are asked for their type only when they are ids', () => {
    expect(() => typeOf('Order')).toThrow(KernelFault);
    expect(() => typeOf(':1')).toThrow('not_an_object_id');
  });

  it('may be left to the kernel by naming a bare type', () => {
    expect(isBareType('Customer')).toBe(true);
    expect(isBareType('Customer:1')).toBe(false);
    expect(isBareType('1')).toBe(false);
  });

  it('made by the kernel are digests of their parts, the same for the same parts', () => {
    const id = madeId('Task', ['birth', 1]);
    expect(id).toMatch(/^Task:[0-9a-f]{32}$/);
    expect(madeId('Task', ['birth', 1])).toBe(id);
    expect(madeId('Task', ['birth', 2])).not.toBe(id);
    expect(isObjectId(id)).toBe(true);
  });
});

describe('world and tenant names', () => {
  it.each(['a', '0', 'case-7', 'a'.repeat(63)])('%s is one', (name) => {
    expect(isWorldName(name) && isTenantName(name)).toBe(true);
  });

  it.each(['', '-a', 'A', 'a_b', 'a.b', 'a'.repeat(64), 'a\n'])('%j is none', (name) => {
    expect(isWorldName(name) || isTenantName(name)).toBe(false);
  });
});

describe('assertions', () => {
  it('throw a fault with a code, and pass in silence', () => {
    expect(() => invariant(false, 'broken')).toThrow('broken');
    expect(invariant(true, 'broken')).toBeUndefined();
    expect(() => assertNever('other' as never)).toThrow('unreachable at `other`');
  });
});
