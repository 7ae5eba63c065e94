// Responsibility: the trace of a condition: which sub-conditions decided it, and over which values.
// Boundary: made on demand, after evaluate; whoever renders it has made sure that its reader may see the values.
// Invariants: shows only what decided; its root has the truth that evaluate gives; a value too long to show is counted instead.

import { assertNever } from '../base/assert.ts';
import { canonical } from '../base/canonical.ts';
import type { Json } from '../base/json.ts';
import { LIMITS } from '../base/limits.ts';
import { byCodeUnit } from '../base/text.ts';
import { conditionJson } from './to-json.ts';
import { truthOf, valueOf, type Gaps } from './truth.ts';
import type { ConditionNode, OperandNode, Scope, Trace, Truth } from './types.ts';

type Shown = NonNullable<Trace['operands']>[number];

/** Why a condition has the truth that it has. */
export function explainTruth(node: ConditionNode, scope: Scope): Trace {
  const truth = truthOf(node, scope, []);
  const condition = conditionJson(node);
  switch (node.kind) {
    case 'constant':
      return { condition, truth };
    case 'all':
    case 'any':
      return { condition, truth, because: deciding(node.of, truth, scope) };
    case 'not':
      return { condition, truth, because: [explainTruth(node.of, scope)] };
    case 'exists':
      return { condition, truth, operands: [shown(node.operand, scope)] };
    case 'compare':
      return { condition, truth, operands: [shown(node.left, scope), shown(node.right, scope)] };
    default:
      return assertNever(node);
  }
}

/** The parts with the truth of the whole: the ones that decided it, or all of them where they agree. */
function deciding(nodes: readonly ConditionNode[], truth: Truth, scope: Scope): readonly Trace[] {
  return nodes.filter((node) => truthOf(node, scope, []) === truth).map((node) => explainTruth(node, scope));
}

function shown(node: OperandNode, scope: Scope): Shown {
  const gaps: Gaps = [];
  const value = valueOf(node, scope, gaps);
  if (value === undefined) return { missing: gaps.sort(byCodeUnit)[0] ?? '' };
  const characters = lengthOf(value);
  return characters > LIMITS.frameTextMax ? { omitted: characters } : value;
}

function lengthOf(value: Json): number {
  if (typeof value === 'string') return value.length;
  return typeof value === 'object' && value !== null ? canonical(value).length : 0;
}
