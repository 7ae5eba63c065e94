// Responsibility: conditions as sentences, for people: documents, approvals, consoles.
// Boundary: wording only. Nothing printed here is hashed, so the wording may change; traces keep the manifest's own JSON.
// Invariants: deterministic; brackets wherever a sentence could be read in two ways.

import { assertNever } from '../base/assert.ts';
import { canonical } from '../base/canonical.ts';
import { isJsonList, type Json } from '../base/json.ts';
import type { Comparison, ConditionNode, EffectSum, OperandNode, Reference } from './types.ts';

const VERBS: Readonly<Record<Comparison, string>> = {
  eq: 'is',
  ne: 'is not',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  in: 'is one of',
  contains: 'contains',
  starts_with: 'starts with',
  ends_with: 'ends with',
  before: 'is before',
  after: 'is after',
};

const ARITHMETIC = { add: 'plus', sub: 'minus', mul: 'times' } as const;

const SUMS: Readonly<Record<EffectSum, string>> = {
  landedCount: 'the number of landed',
  landedTotal: 'the total of landed',
  heldCount: 'the number of held',
  heldTotal: 'the total of held',
};

const ROOTS = { target: 'the target', args: 'the proposal', actor: 'the actor', task: 'the task', evidence: 'the evidence', attempt: 'the attempt' } as const;

/** A condition as a sentence, without a full stop. */
export function printCondition(node: ConditionNode): string {
  switch (node.kind) {
    case 'constant':
      return node.value ? 'always' : 'never';
    case 'all':
      return joined(node.of, 'and', 'always');
    case 'any':
      return joined(node.of, 'or', 'never');
    case 'not':
      return `not (${printCondition(node.of)})`;
    case 'exists':
      return `${printOperand(node.operand)} ${node.operand.kind === 'list' ? 'are all' : 'is'} present`;
    case 'compare':
      return `${printOperand(node.left)} ${VERBS[node.operator]} ${printOperand(node.right)}`;
    default:
      return assertNever(node);
  }
}

/** An operand as a noun phrase. */
export function printOperand(node: OperandNode): string {
  switch (node.kind) {
    case 'literal':
      return printValue(node.value);
    case 'reference':
      return printReference(node.reference);
    case 'list':
      return bracketed(node.items.map(printOperand));
    case 'arithmetic':
      return node.operands
        .map((operand) => (operand.kind === 'arithmetic' ? `(${printOperand(operand)})` : printOperand(operand)))
        .join(` ${ARITHMETIC[node.operator]} `);
    case 'item':
      return `${node.field} of the entry of (${printOperand(node.list)}) whose id is (${printOperand(node.id)})`;
    case 'count':
      return `the number of ${node.relationship} of the target`;
    default:
      return assertNever(node);
  }
}

function joined(nodes: readonly ConditionNode[], word: string, empty: string): string {
  const [only] = nodes;
  if (only === undefined) return empty;
  if (nodes.length === 1) return printCondition(only);
  return nodes.map((node) => (node.kind === 'all' || node.kind === 'any' ? `(${printCondition(node)})` : printCondition(node))).join(` ${word} `);
}

function printReference(reference: Reference): string {
  switch (reference.root) {
    case 'now':
      return 'now';
    case 'related':
      return `${reference.path.join('.')} of the related ${reference.name}`;
    case 'made': {
      const [name = '', ...path] = reference.path;
      return path.length === 0 ? `the new ${name}` : `${path.join('.')} of the new ${name}`;
    }
    case 'effects': {
      const same = reference.same === null ? '' : ` with the same ${reference.same}`;
      return `${SUMS[reference.sum]} ${reference.action}${same} on the ${reference.of === null ? 'target' : `related ${reference.of}`}`;
    }
    case 'target':
    case 'args':
    case 'actor':
    case 'task':
    case 'evidence':
    case 'attempt':
      return `${reference.path.join('.')} of ${ROOTS[reference.root]}`;
    default:
      return assertNever(reference);
  }
}

function printValue(value: Json): string {
  return isJsonList(value) ? bracketed(value.map(printValue)) : canonical(value);
}

function bracketed(items: readonly string[]): string {
  return `[${items.join(', ')}]`;
}
