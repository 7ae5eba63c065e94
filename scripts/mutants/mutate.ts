// One mutant put into a text: what it replaces must be there exactly once, however the lines are broken.
import type { Mutant } from './list.ts';

/** The text with the mutant in it; undefined where what it replaces is not there exactly once. */
export function mutated(text: string, { find, replace }: Pick<Mutant, 'find' | 'replace'>): string | undefined {
  const pattern = find
    .trim()
    .split(/\s+/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('\\s+');
  const found = [...text.matchAll(new RegExp(pattern, 'g'))];
  const [only] = found;
  return found.length === 1 && only !== undefined ? text.slice(0, only.index) + replace + text.slice(only.index + only[0].length) : undefined;
}
