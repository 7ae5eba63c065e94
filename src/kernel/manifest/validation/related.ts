// Responsibility: how far a related name is from what a proposal names itself.
// Boundary: names only; types are action-types.ts's.
// Invariants: ends, whatever the names say of each other.

import { parseReference } from '../../condition/parse.ts';

/** Hops from a name to the first object that is no related one; undefined where names build on each other in a circle. */
export function hopsOf(related: { readonly [name: string]: string }, name: string): number | undefined {
  const seen = new Set<string>();
  let at = name;
  for (;;) {
    if (seen.has(at)) return undefined;
    seen.add(at);
    const { reference } = parseReference(Object.hasOwn(related, at) ? (related[at] ?? '') : '');
    if (reference?.root !== 'related') return seen.size;
    at = reference.name;
  }
}
