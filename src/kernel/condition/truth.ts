// Responsibility: the truth of a condition and the value of an operand over a scope, and what had no usable value on the way.
// Boundary: reads the scope, changes nothing; evaluate.ts and explain.ts are its doors.
// Invariants: Kleene logic without short circuit: every sub-condition is evaluated, so that every missing value is named at once.
//
// A *reference* that is missing or null makes a comparison unknown; a literal null is a value. So does an operand that does not fit the operator:
// arithmetic over anything but safe integers or with a result beyond them (each step is checked, so no sum is ever rounded), an order over
// anything but integers, `before` over what is no instant, and so on. `eq`, `ne`, `in` and membership compare values of any types.

import { assertNever } from '../base/assert.ts';
import { sameJson } from '../base/equal.ts';
import { isJsonList, isJsonObject, ownField, type Json } from '../base/json.ts';
import { LIMITS } from '../base/limits.ts';
import { instantMs } from '../base/time.ts';
import { operandText } from './to-json.ts';
import type { ConditionNode, OperandNode, Scope, Truth } from './types.ts';

/** What had no usable value, in the order in which it was met. One list serves a whole evaluation. */
export type Gaps = string[];

export function truthOf(node: ConditionNode, scope: Scope, gaps: Gaps): Truth {
  switch (node.kind) {
    case 'constant':
      return known(node.value);
    case 'all':
      return combined(node.of, 'false', 'true', { scope, gaps });
    case 'any':
      return combined(node.of, 'true', 'false', { scope, gaps });
    case 'not':
      return negated(truthOf(node.of, scope, gaps));
    case 'exists':
      return existence(node.operand, scope, gaps);
    case 'compare': {
      const left = valueOf(node.left, scope, gaps);
      const right = valueOf(node.right, scope, gaps);
      if (left === undefined || right === undefined) return 'unknown';
      return compared(node, left, right, gaps);
    }
    default:
      return assertNever(node);
  }
}

/** Never unknown, but where what is missing may still come. */
function existence(node: OperandNode, scope: Scope, gaps: Gaps): Truth {
  const missing: Gaps = [];
  if (valueOf(node, scope, missing) !== undefined) return 'true';
  if (!isOpen(node, scope)) return 'false';
  gaps.push(...missing);
  return 'unknown';
}

function isOpen(node: OperandNode, scope: Scope): boolean {
  switch (node.kind) {
    case 'literal':
    case 'count':
      return false;
    case 'reference':
      return scope.isOpen?.(node.reference) ?? false;
    case 'list':
      return node.items.some((item) => isOpen(item, scope));
    case 'arithmetic':
      return node.operands.some((operand) => isOpen(operand, scope));
    case 'item':
      return isOpen(node.list, scope) || isOpen(node.id, scope);
    default:
      return assertNever(node);
  }
}

/** The value of an operand; undefined where it has none (what is to blame is added to the gaps). */
export function valueOf(node: OperandNode, scope: Scope, gaps: Gaps): Json | undefined {
  switch (node.kind) {
    case 'literal':
      return node.value;
    case 'reference':
      return present(scope.resolve(node.reference), node, gaps);
    case 'list':
      return listOf(node.items, scope, gaps);
    case 'arithmetic':
      return arithmetic(node, scope, gaps);
    case 'item':
      return itemOf(node, scope, gaps);
    case 'count': {
      const count = scope.count(node.relationship);
      return present(count === undefined ? undefined : Math.min(count, LIMITS.countMax), node, gaps);
    }
    default:
      return assertNever(node);
  }
}

/** One sub-condition that is `decisive` decides; else one that is unknown; else all agree. */
function combined(nodes: readonly ConditionNode[], decisive: Truth, agreed: Truth, over: { readonly scope: Scope; readonly gaps: Gaps }): Truth {
  let truth = agreed;
  for (const node of nodes) {
    const part = truthOf(node, over.scope, over.gaps);
    if (part === decisive) truth = decisive;
    else if (part === 'unknown' && truth === agreed) truth = 'unknown';
  }
  return truth;
}

export function negated(truth: Truth): Truth {
  return truth === 'unknown' ? 'unknown' : known(truth === 'false');
}

function known(value: boolean): Truth {
  return value ? 'true' : 'false';
}

function present(value: Json | undefined, node: OperandNode, gaps: Gaps): Json | undefined {
  if (value !== undefined && value !== null) return value;
  gaps.push(operandText(node));
  return undefined;
}

/** All items are looked at, so that every missing one is named. */
function listOf(items: readonly OperandNode[], scope: Scope, gaps: Gaps): Json | undefined {
  const values: Json[] = [];
  for (const item of items) {
    const value = valueOf(item, scope, gaps);
    if (value !== undefined) values.push(value);
  }
  return values.length === items.length ? values : undefined;
}

function arithmetic(node: OperandNode & { readonly kind: 'arithmetic' }, scope: Scope, gaps: Gaps): Json | undefined {
  const values = listOf(node.operands, scope, gaps);
  if (!isJsonList(values)) return undefined;
  let result: number | undefined;
  for (const value of values) {
    if (!isInteger(value)) return present(undefined, node, gaps);
    result = result === undefined ? value : applied(node.operator, result, value);
    if (!Number.isSafeInteger(result)) return present(undefined, node, gaps);
  }
  return present(result, node, gaps);
}

function applied(operator: 'add' | 'sub' | 'mul', a: number, b: number): number {
  if (operator === 'add') return a + b;
  if (operator === 'sub') return a - b;
  // 0 times a negative number is -0, which has no canonical bytes.
  return a * b + 0;
}

function itemOf(node: OperandNode & { readonly kind: 'item' }, scope: Scope, gaps: Gaps): Json | undefined {
  const list = valueOf(node.list, scope, gaps);
  const id = valueOf(node.id, scope, gaps);
  if (list === undefined || id === undefined) return undefined;
  const element = isJsonList(list) ? list.find((item) => hasId(item, id)) : undefined;
  return present(ownField(element, node.field), node, gaps);
}

function hasId(item: Json, id: Json): boolean {
  const own = ownField(item, 'id');
  return own !== undefined && sameJson(own, id);
}

type Compare = ConditionNode & { readonly kind: 'compare' };

function compared(node: Compare, left: Json, right: Json, gaps: Gaps): Truth {
  switch (node.operator) {
    case 'eq':
      return known(sameJson(left, right));
    case 'ne':
      return known(!sameJson(left, right));
    case 'in':
      return isJsonList(right) ? known(right.some((item) => sameJson(item, left))) : unfit(gaps, node.right);
    case 'contains':
      return contained(node, left, right, gaps);
    case 'starts_with':
    case 'ends_with':
      return affixed(node, left, right, gaps);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return ordered({ node, read: asInteger, holds: ORDERS[node.operator] }, left, right, gaps);
    case 'before':
    case 'after':
      return ordered({ node, read: asInstant, holds: ORDERS[node.operator] }, left, right, gaps);
    default:
      return assertNever(node.operator);
  }
}

/** A list holds the value, a text the text, an object the key. */
function contained(node: Compare, left: Json, right: Json, gaps: Gaps): Truth {
  if (isJsonList(left)) return known(left.some((item) => sameJson(item, right)));
  const isText = typeof left === 'string';
  if (!isText && !isJsonObject(left)) return unfit(gaps, node.left, typeof right === 'string' ? undefined : node.right);
  if (typeof right !== 'string') return unfit(gaps, node.right);
  return known(isText ? left.includes(right) : Object.hasOwn(left, right));
}

function affixed(node: Compare, left: Json, right: Json, gaps: Gaps): Truth {
  if (typeof left !== 'string' || typeof right !== 'string') {
    return unfit(gaps, typeof left === 'string' ? undefined : node.left, typeof right === 'string' ? undefined : node.right);
  }
  return known(node.operator === 'starts_with' ? left.startsWith(right) : left.endsWith(right));
}

interface Ordering {
  readonly node: Compare;
  readonly read: (value: Json) => number | undefined;
  readonly holds: (a: number, b: number) => boolean;
}

function ordered({ node, read, holds }: Ordering, left: Json, right: Json, gaps: Gaps): Truth {
  const a = read(left);
  const b = read(right);
  if (a === undefined || b === undefined) return unfit(gaps, a === undefined ? node.left : undefined, b === undefined ? node.right : undefined);
  return known(holds(a, b));
}

const isMore = (a: number, b: number): boolean => a > b;
const isLess = (a: number, b: number): boolean => a < b;
const ORDERS = {
  gt: isMore,
  gte: (a: number, b: number): boolean => a >= b,
  lt: isLess,
  lte: (a: number, b: number): boolean => a <= b,
  before: isLess,
  after: isMore,
} as const;

/** Operands whose values the operator cannot use: unknown, and they are named like missing ones. */
function unfit(gaps: Gaps, ...nodes: readonly (OperandNode | undefined)[]): Truth {
  for (const node of nodes) if (node !== undefined) gaps.push(operandText(node));
  return 'unknown';
}

function asInteger(value: Json): number | undefined {
  return isInteger(value) ? value : undefined;
}

function asInstant(value: Json): number | undefined {
  return typeof value === 'string' ? instantMs(value) : undefined;
}

function isInteger(value: Json): value is number {
  return Number.isSafeInteger(value);
}
