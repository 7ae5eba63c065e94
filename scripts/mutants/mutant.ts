// What a mutant is. White space does not matter in `find`; it must be there exactly once.

export interface Mutant {
  readonly name: string;
  /** Under src/kernel. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export const mutants = (file: string, rows: readonly (readonly [name: string, find: string, replace: string])[]): readonly Mutant[] =>
  rows.map(([name, find, replace]) => ({ name, file, find, replace }));
