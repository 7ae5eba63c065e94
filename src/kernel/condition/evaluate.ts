// Responsibility: the door to evaluation: truth with what is missing, values of operands, and which references a condition reads.
// Boundary: pure; a scope is asked, nothing else. The laws of truth are in truth.ts, traces in explain.ts.
// Invariants: the same node and answers give the same result; `missing` is empty exactly when the truth is known.

import { assertNever } from '../base/assert.ts';
import type { Json } from '../base/json.ts';
import { byCodeUnit } from '../base/text.ts';
import { truthOf, valueOf, type Gaps } from './truth.ts';
import type { ConditionNode, Evaluation, OperandNode, Reference, Scope } from './types.ts';

export { explainTruth } from './explain.ts';
export { conditionJson, operandJson } from './to-json.ts';

const NOTHING_MISSING: readonly string[] = [];

/** The truth of a condition. No trace is made: see explainTruth. */
export function evaluate(node: ConditionNode, scope: Scope): Evaluation {
  const gaps: Gaps = [];
  const truth = truthOf(node, scope, gaps);
  return { truth, missing: truth === 'unknown' ? sortedUnique(gaps) : NOTHING_MISSING };
}

/**
 * The value of an operand for a state change, an event or a mapping; undefined where it resolves to nothing. Here a reference that holds null
 * stands for null, which a change may set; inside lists and arithmetic, as in comparisons, null is nothing.
 */
export function evaluateOperand(node: OperandNode, scope: Scope): Json | undefined {
  return node.kind === 'reference' ? scope.resolve(node.reference) : valueOf(node, scope, []);
}

/** Every reference that a condition reads, sorted by text, without repetition. */
export function referencesOf(node: ConditionNode): readonly Reference[] {
  const found = new Map<string, Reference>();
  for (const operand of leavesOf(node)) if (operand.kind === 'reference') found.set(operand.reference.text, operand.reference);
  return [...found.values()].sort((a, b) => byCodeUnit(a.text, b.text));
}

/** Every relationship that a condition counts, sorted, without repetition. */
export function relationshipsOf(node: ConditionNode): readonly string[] {
  return sortedUnique(leavesOf(node).flatMap((operand) => (operand.kind === 'count' ? [operand.relationship] : [])));
}

function leavesOf(node: ConditionNode): readonly OperandNode[] {
  switch (node.kind) {
    case 'constant':
      return [];
    case 'all':
    case 'any':
      return node.of.flatMap(leavesOf);
    case 'not':
      return leavesOf(node.of);
    case 'exists':
      return leavesOfOperand(node.operand);
    case 'compare':
      return [...leavesOfOperand(node.left), ...leavesOfOperand(node.right)];
    default:
      return assertNever(node);
  }
}

function leavesOfOperand(node: OperandNode): readonly OperandNode[] {
  switch (node.kind) {
    case 'literal':
    case 'reference':
    case 'count':
      return [node];
    case 'list':
      return node.items.flatMap(leavesOfOperand);
    case 'arithmetic':
      return node.operands.flatMap(leavesOfOperand);
    case 'item':
      return [...leavesOfOperand(node.list), ...leavesOfOperand(node.id)];
    default:
      return assertNever(node);
  }
}

function sortedUnique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort(byCodeUnit);
}
