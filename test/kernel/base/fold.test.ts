import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../../src/kernel/base/canonical.ts';
import { foldIdentity } from '../../../src/kernel/base/fold.ts';
import type { Json } from '../../../src/kernel/base/json.ts';

/** Unicode's White_Space property, in full. */
const WHITE_SPACE = [
  0x9, 0xa, 0xb, 0xc, 0xd, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029,
  0x202f, 0x205f, 0x3000,
].map((point) => String.fromCodePoint(point));

const spaces = fc.array(fc.constantFrom(...WHITE_SPACE), { maxLength: 3 }).map((all) => all.join(''));
const word = fc.string({ unit: fc.constantFrom('a', 'B', 'é', 'É', '-', '7', '😀'), minLength: 1, maxLength: 5 });

describe('folding identity values', () => {
  it.each([
    ['Bob ', 'bob'],
    ['  Bob \t Smith\n', 'bob smith'],
    ['', ''],
    ['   ', ''],
    ['ÉCLAIR İ ß', 'Éclair İ ß'],
  ])('%j becomes %j', (text, folded) => {
    expect(foldIdentity(text)).toBe(folded);
  });

  it.each(WHITE_SPACE)('treats %j as space', (space) => {
    expect(foldIdentity(`${space}a${space}${space}b${space}`)).toBe('a b');
  });

  it.each(['\u200b', '\u180e', '\ufeff', '\u2060', '\u0000'])('keeps %j, which is no white space', (mark) => {
    expect(foldIdentity(`a${mark}b`)).toBe(`a${mark}b`);
  });

  it('goes into lists and objects, and leaves keys and other values alone', () => {
    const value = { 'Key ': [' A ', 1, null, true, { Inner: 'B  C' }] };
    expect(foldIdentity(value)).toEqual({ 'Key ': ['a', 1, null, true, { Inner: 'b c' }] });
  });

  it('keeps an own key that is called `__proto__`', () => {
    expect(canonical(foldIdentity(JSON.parse('{"__proto__":" A "}') as Json))).toBe('{"__proto__":"a"}');
  });

  it('gives words in any spacing and ASCII case the same form, and is idempotent', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), spaces, spaces, (words, before, after) => {
        const folded = foldIdentity(words.join(' '));
        const spaced = foldIdentity(`${before}${words.join(`${after} `)}${after}`);
        return spaced === folded && foldIdentity(folded) === folded;
      }),
    );
  });
});
