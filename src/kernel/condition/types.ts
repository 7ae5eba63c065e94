// Responsibility: the shape of the closed condition language (design §6).
// Boundary: data only; parsing is in parse.ts, typing in check.ts, truth in evaluate.ts, sentences in print.ts.
// Invariants: a condition is plain JSON, so it is hashed, diffed and reviewed with the manifest that holds it.

import type { Json } from '../base/json.ts';

/**
 * An operand as it stands in a manifest.
 * - a JSON literal;
 * - a reference string: `$target.x`, `$args.x`, `$actor.x`, `$task.x`, `$related.<name>.x`, `$now`,
 *   `$evidence.x` (only in state changes and request mappings), `$attempt.x` (likewise),
 *   `$made.<as>.x` (what the same treatment makes), `$effects.<action>.<sum>`, `$effects.<action>.same.<identityField>.<sum>`,
 *   `$related.<name>.$effects.<action>.<sum>` (also with `same`);
 *   `$$text` is the literal string `$text`;
 * - `{add|sub|mul: [a, b, …]}` over integers; `{count: "<relationship of the target>"}`;
 * - `{item: [list, id, field]}`: the field of the list element whose `id` equals the second operand;
 * - a list of operands.
 */
export type Operand = Json;

/** A condition as it stands in a manifest: `true`, `false`, or an object with exactly one operator. */
export type Condition = Json;

export const COMPARISONS = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'starts_with', 'ends_with', 'before', 'after'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const EFFECT_SUMS = ['landedCount', 'landedTotal', 'heldCount', 'heldTotal'] as const;
export type EffectSum = (typeof EFFECT_SUMS)[number];

export type Truth = 'true' | 'false' | 'unknown';

/** A reference, taken apart. `text` is what the manifest says, and what `missing` reports. */
export type Reference =
  | { readonly root: 'target' | 'args' | 'actor' | 'task' | 'evidence' | 'attempt' | 'made'; readonly path: readonly string[]; readonly text: string }
  | { readonly root: 'related'; readonly name: string; readonly path: readonly string[]; readonly text: string }
  | { readonly root: 'now'; readonly text: string }
  | {
      readonly root: 'effects';
      /** The related object whose sums are meant; null for the target's own. */
      readonly of: string | null;
      readonly action: string;
      /** Only attempts whose identity field has the same value as this proposal's; null for all. */
      readonly same: string | null;
      readonly sum: EffectSum;
      readonly text: string;
    };

export type OperandNode =
  | { readonly kind: 'literal'; readonly value: Json }
  | { readonly kind: 'reference'; readonly reference: Reference }
  | { readonly kind: 'list'; readonly items: readonly OperandNode[] }
  | { readonly kind: 'arithmetic'; readonly operator: 'add' | 'sub' | 'mul'; readonly operands: readonly OperandNode[] }
  | { readonly kind: 'item'; readonly list: OperandNode; readonly id: OperandNode; readonly field: string }
  | { readonly kind: 'count'; readonly relationship: string };

export type ConditionNode =
  | { readonly kind: 'constant'; readonly value: boolean }
  | { readonly kind: 'all' | 'any'; readonly of: readonly ConditionNode[] }
  | { readonly kind: 'not'; readonly of: ConditionNode }
  | { readonly kind: 'exists'; readonly operand: OperandNode }
  | { readonly kind: 'compare'; readonly operator: Comparison; readonly left: OperandNode; readonly right: OperandNode };

/**
 * Where references get their values. `undefined` means missing; a present null is a value that comparisons with it find unknown.
 * A world answers from its state, a test from a plain object.
 */
export interface Scope {
  /** The value a reference stands for (own keys only, along its whole path); undefined when missing. */
  resolve(reference: Reference): Json | undefined;
  /** How many objects the declared relationship of the target leads to (bounded by limits); undefined when there is no target. */
  count(relationship: string): number | undefined;
  /** True where a reference that resolves to nothing may still resolve to something: what a proposal has not said yet. Absent: never. */
  isOpen?(reference: Reference): boolean;
}

/**
 * What decided: one line per sub-condition on the path to the truth value. Values are rendered only where checks 1 to 4 and 6 pass.
 * It is made only when somebody asks (`explainTruth`), since most conditions are true and need no explanation.
 */
export interface Trace {
  /** The sub-condition in the manifest's JSON form. */
  readonly condition: Condition;
  readonly truth: Truth;
  /**
   * The values its operands had, in order; absent for connectives. `missing` names what had no usable value; `omitted` gives the
   * characters of a value that is too long to show.
   */
  readonly operands?: readonly (Json | { readonly missing: string } | { readonly omitted: number })[];
  /** The sub-conditions that decided a connective. */
  readonly because?: readonly Trace[];
}

export interface Evaluation {
  readonly truth: Truth;
  /**
   * What had no usable value, sorted, without repetition; empty exactly when the truth is known. References stand as the manifest says them;
   * an operand that has a value for none of its own fault (a sum beyond the integers, a text where a number belongs) as its canonical JSON, cut.
   */
  readonly missing: readonly string[];
}

/** One thing wrong with a condition or a schema. The sentence about it is made at the edge. */
export interface Defect {
  /** JSON pointer into the manifest (or the parameters). */
  readonly path: string;
  readonly code: string;
  /** The name or text that is wrong, cut. */
  readonly detail?: string;
  /** What was probably meant. */
  readonly suggestion?: string;
}
