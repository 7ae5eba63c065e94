import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameJson } from '../../../src/kernel/base/equal.ts';
import { canonical } from '../../../src/kernel/base/canonical.ts';
import type { Json } from '../../../src/kernel/base/json.ts';
import { nearest } from '../../../src/kernel/base/nearest.ts';
import { boundedPath, cut, isWellFormed, pointer, utf8Length, wellFormed } from '../../../src/kernel/base/text.ts';

describe('text', () => {
  it('is as long in UTF-8 as its bytes are many', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => utf8Length(text) === new TextEncoder().encode(text).length));
  });

  it('is cut without leaving half a pair', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '😀', '\ud83d', '\ude00') }), fc.nat(6), (text, most) => {
        const short = cut(text, most);
        return short.length <= most && isWellFormed(short) && wellFormed(text).startsWith(short);
      }),
    );
    expect(boundedPath('/'.padEnd(500, 'k'))).toHaveLength(128);
  });

  it('makes pointers as RFC 6901 writes them', () => {
    expect(pointer(pointer('/a', 'b/c~d'), 3)).toBe('/a/b~1c~0d/3');
  });
});

describe('the nearest name', () => {
  it.each([
    ['staus', ['status', 'state', 'amount'], 'status'],
    ['$target.totalCent', ['$target.totalCents', '$target.status'], '$target.totalCents'],
    ['heldcount', ['heldCount', 'heldTotal'], 'heldCount'],
    ['ab', ['cd', 'xy'], undefined],
    ['amount', ['status'], undefined],
    ['x', [], undefined],
  ])('to %s among %j is %s', (name, candidates, expected) => {
    expect(nearest(name, candidates)).toBe(expected);
  });

  it('does not depend on the order of the candidates', () => {
    expect(nearest('abc', ['abd', 'abe'])).toBe(nearest('abc', ['abe', 'abd']));
  });
});

describe('equality of values', () => {
  it('is that of canonical bytes', () => {
    const small = fc.letrec<{ json: Json }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom<Json>(null, true, 0, 1, '0', 'a'),
        fc.array(tie('json'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom('a', 'b'), tie('json'), { maxKeys: 2 }),
      ),
    })).json;
    fc.assert(
      fc.property(small, small, (a, b) => sameJson(a, b) === (canonical(a) === canonical(b))),
      { numRuns: 2_000 },
    );
  });
});
