// Responsibility: the first so many objects of a list that are in an actor's scope.
// Boundary: reads a view in growing pages; what the list is, the caller says.
// Invariants: what is out of scope displaces nothing that is in it (up to a bound), so it leaves no trace in a frame.

import { LIMITS } from '../base/limits.ts';
import { inScope } from '../transition/ask.ts';
import type { Draft } from '../transition/draft.ts';
import type { Actor } from '../transition/inputs.ts';
import type { StoredObject } from '../transition/state.ts';

export interface Sight {
  readonly objects: readonly StoredObject[];
  /** Where the bound was met before the list ended: the last object that was read. */
  readonly unread: StoredObject | undefined;
}

const GROWTH = 4;

export function inSight(draft: Draft, actor: Actor, limit: number, read: (limit: number) => readonly StoredObject[]): Sight {
  for (let size = limit; ; size = Math.min(size * GROWTH, LIMITS.countMax)) {
    const page = read(size);
    const objects = page.filter((object) => inScope(draft, actor, object)).slice(0, limit);
    if (objects.length === limit || page.length < size) return { objects, unread: undefined };
    if (size >= LIMITS.countMax) return { objects, unread: page.at(-1) };
  }
}
