// Responsibility: the manifest's JSON form of parsed conditions and operands, for traces and for naming an operand.
// Boundary: the inverse of parse.ts.
// Invariants: parsing the result gives the same node; literals that begin with `$` are escaped again.

import { assertNever } from '../base/assert.ts';
import { canonical } from '../base/canonical.ts';
import { isJsonList, type Json } from '../base/json.ts';
import { boundedPath } from '../base/text.ts';
import type { ConditionNode, OperandNode } from './types.ts';

export function conditionJson(node: ConditionNode): Json {
  switch (node.kind) {
    case 'constant':
      return node.value;
    case 'all':
    case 'any':
      return { [node.kind]: node.of.map(conditionJson) };
    case 'not':
      return { not: conditionJson(node.of) };
    case 'exists':
      return { exists: operandJson(node.operand) };
    case 'compare':
      return { [node.operator]: [operandJson(node.left), operandJson(node.right)] };
    default:
      return assertNever(node);
  }
}

export function operandJson(node: OperandNode): Json {
  switch (node.kind) {
    case 'literal':
      return escaped(node.value);
    case 'reference':
      return node.reference.text;
    case 'list':
      return node.items.map(operandJson);
    case 'arithmetic':
      return { [node.operator]: node.operands.map(operandJson) };
    case 'item':
      return { item: [operandJson(node.list), operandJson(node.id), node.field] };
    case 'count':
      return { count: node.relationship };
    default:
      return assertNever(node);
  }
}

/** What `missing` calls an operand: a reference by its text, anything else by its canonical JSON. It is hashed, so no sentence. */
export function operandText(node: OperandNode): string {
  return node.kind === 'reference' ? node.reference.text : boundedPath(canonical(operandJson(node)));
}

function escaped(value: Json): Json {
  if (typeof value === 'string' && value.startsWith('$')) return `$${value}`;
  return isJsonList(value) ? value.map(escaped) : value;
}
