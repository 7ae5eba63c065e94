// Responsibility: what a core law is: the kernel's own decision and change for one core action.
// Boundary: laws see the same Ask as manifest rules do; they run after checks 1, 2, 3 and 6 of the manifest have passed.
// Invariants: `authority` and `rules` only read; `carryOut` runs only when nothing failed.

import type { Json, JsonObject } from '../../base/json.ts';
import type { Ask } from '../ask.ts';
import type { Draft } from '../draft.ts';
import type { ProposalInput } from '../inputs.ts';
import type { Failing, Outcome } from '../outcomes.ts';

export interface LawContext {
  readonly draft: Draft;
  readonly ask: Ask;
  readonly input: ProposalInput;
  /** The attempt of this very proposal. */
  readonly attempt: string;
}

/** What carrying out gives: an outcome, or null where the answer comes later (a read-back). */
export interface Carried {
  readonly outcome: Outcome | null;
  /** The id of what was created, where it was not chosen. */
  readonly created?: string;
}

export interface Law {
  /** Check 6 in the law's own words (the approver is not the proposer); undefined where it has none. */
  readonly authority?: (draft: Draft, ask: Ask) => boolean;
  /** Check 5 in the law's own words. */
  readonly rules?: (draft: Draft, ask: Ask) => readonly Failing[];
  /** What of `rules` holds for all parameters; absent where `rules` reads none. */
  readonly always?: (draft: Draft, ask: Ask) => readonly Failing[];
  readonly carryOut: (context: LawContext) => Carried;
}

export const succeeded = (detail?: JsonObject): Carried => ({ outcome: detail === undefined ? { kind: 'Succeeded' } : { kind: 'Succeeded', detail } });

/** A text parameter, or null where it was left out. */
export function textArg(ask: Ask, name: string): string | null {
  const value: Json | undefined = Object.hasOwn(ask.args, name) ? ask.args[name] : undefined;
  return typeof value === 'string' ? value : null;
}
