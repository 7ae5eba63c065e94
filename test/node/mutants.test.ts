// The mutants of `npm run mutants` fit the source that they are about, so that none is skipped unseen. Running them takes minutes and is a command of its own.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MUTANTS } from '../../scripts/mutants/list.ts';
import { mutated } from '../../scripts/mutants/mutate.ts';

describe('the mutants', () => {
  it('each replace something that is in the kernel exactly once', () => {
    const unfit = MUTANTS.filter((mutant) => mutated(readFileSync(`src/kernel/${mutant.file}`, 'utf8'), mutant) === undefined);
    expect(unfit.map(({ name, file }) => `${file}: ${name}`)).toEqual([]);
  });

  it('have names of their own, and there are some for every check', () => {
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
    for (let check = 1; check <= 11; check += 1)
      expect(
        MUTANTS.some(({ name }) => new RegExp(`^checks? (\\d+ and )?${check}\\b`).test(name)),
        `check ${check}`,
      ).toBe(true);
  });

  it('are not put into a text that lacks what they replace, or has it twice', () => {
    expect(mutated('a b a', { find: 'a', replace: 'c' })).toBeUndefined();
    expect(mutated('a b', { find: 'c', replace: 'd' })).toBeUndefined();
    expect(mutated('if (a\n  && b) x;', { find: 'a && b', replace: 'true' })).toBe('if (true) x;');
  });
});
