// Responsibility: the name that a misspelt one was probably meant to be, for defects.
// Boundary: advice only; nothing is ever decided by it.
// Invariants: deterministic (ties by code units) and bounded (long names and long lists are compared in part).

import { byCodeUnit } from './text.ts';

const NAME_LENGTH_MAX = 128;
const CANDIDATES_MAX = 1_000;

/** The closest candidate within a third of the name's length (at least two edits); undefined where none is close. */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  if (name.length > NAME_LENGTH_MAX) return undefined;
  let best: string | undefined;
  let bestEdits = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of candidates.slice(0, CANDIDATES_MAX).sort(byCodeUnit)) {
    if (candidate.length > NAME_LENGTH_MAX || candidate === name) continue;
    const edits = editsBetween(name, candidate);
    // A name that shares nothing with the other is no suggestion, however short both are.
    if (edits < bestEdits && edits < Math.max(name.length, candidate.length)) {
      best = candidate;
      bestEdits = edits;
    }
  }
  return best;
}

/** Levenshtein distance, one row at a time. */
function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
