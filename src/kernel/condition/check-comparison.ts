// Responsibility: which types each comparison may stand between.
// Boundary: two types and an operator; where they come from is check.ts's.
// Invariants: `any` fits everywhere; a comparison that no value could ever make true is a defect.

import { assertNever } from '../base/assert.ts';
import { sameJson } from '../base/equal.ts';
import { isObjectId, typeOf } from '../base/ids.ts';
import type { Json } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import { instantMs } from '../base/time.ts';
import type { Comparison } from './types.ts';
import { ANY, type ValueKind, type ValueType } from './value-type.ts';

export interface TypedOperand {
  readonly type: ValueType;
  /** The value, where the operand is one. */
  readonly literal?: Json;
}

export interface ComparisonDefect {
  readonly code: string;
  readonly detail?: string;
  readonly suggestion?: string;
}

const TEXTS: readonly ValueKind[] = ['text', 'object_id', 'instant'];

/** What is wrong with a comparison; undefined where nothing is. */
export function comparisonDefect(operator: Comparison, left: TypedOperand, right: TypedOperand): ComparisonDefect | undefined {
  switch (operator) {
    case 'eq':
    case 'ne':
      return equalityDefect(left, right);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return kindDefect(left, ['integer'], 'not_an_integer') ?? kindDefect(right, ['integer'], 'not_an_integer');
    case 'before':
    case 'after':
      return instantDefect(left) ?? instantDefect(right);
    case 'starts_with':
    case 'ends_with':
      return kindDefect(left, TEXTS, 'not_a_text') ?? kindDefect(right, TEXTS, 'not_a_text');
    case 'in':
      return kindDefect(right, ['list'], 'not_a_list') ?? membershipDefect(left, right);
    case 'contains':
      return containmentDefect(left, right);
    default:
      return assertNever(operator);
  }
}

function equalityDefect(left: TypedOperand, right: TypedOperand): ComparisonDefect | undefined {
  // A reference that holds null makes it unknown, so only `exists` can ask for absence.
  if ((left.literal === null) !== (right.literal === null)) return { code: 'compared_with_null', suggestion: 'exists' };
  return literalDefect(left, right.type) ?? literalDefect(right, left.type) ?? likenessDefect(left.type, right.type);
}

function likenessDefect(a: ValueType, b: ValueType): ComparisonDefect | undefined {
  if (!a.kinds.some((kind) => b.kinds.some((other) => alike(kind, other)))) {
    return { code: 'compared_across_types', detail: `${name(a)}, ${name(b)}` };
  }
  if (a.refers !== undefined && b.refers !== undefined && !a.refers.some((type) => b.refers?.includes(type))) {
    return { code: 'compared_across_types', detail: `${a.refers.join(' or ')}, ${b.refers.join(' or ')}` };
  }
  if (a.values !== undefined && b.values !== undefined && !a.values.some((value) => holdsValue(b, value))) {
    return { code: 'no_common_value' };
  }
  return undefined;
}

/** Text is compared with ids and instants, since it may be one; an id with an instant never is. A null says nothing of a type. */
function alike(a: ValueKind, b: ValueKind): boolean {
  if (a === 'any' || b === 'any') return true;
  if (a === b) return true;
  return (a === 'text' && TEXTS.includes(b)) || (b === 'text' && TEXTS.includes(a));
}

/** A literal that the other side can never have: a misspelt state, an id off the pattern or of another type, no instant. */
function literalDefect(operand: TypedOperand, other: ValueType): ComparisonDefect | undefined {
  const { literal } = operand;
  if (typeof literal !== 'string') {
    if (literal === undefined || other.values === undefined || holdsValue(other, literal) || !likeAny(operand.type, other)) return undefined;
    return { code: 'not_a_value', detail: `${String(literal)}` };
  }
  if (other.values !== undefined && !holdsValue(other, literal)) return misspelt(literal, other.values);
  if (other.kinds.some((kind) => kind === 'any' || kind === 'text')) return undefined;
  if (other.kinds.includes('object_id') && !isIdOf(literal, other.refers)) return { code: 'not_an_object_id', detail: literal };
  if (other.kinds.includes('instant') && instantMs(literal) === undefined) return { code: 'not_an_instant', detail: literal };
  return undefined;
}

function likeAny(a: ValueType, b: ValueType): boolean {
  return a.kinds.some((kind) => b.kinds.some((other) => alike(kind, other)));
}

function misspelt(literal: string, values: readonly Json[]): ComparisonDefect | undefined {
  const texts = values.filter((value): value is string => typeof value === 'string');
  if (texts.length === 0) return undefined;
  const suggestion = nearest(literal, texts);
  return { code: 'not_a_value', detail: literal, ...(suggestion === undefined ? {} : { suggestion }) };
}

function isIdOf(text: string, refers: readonly string[] | undefined): boolean {
  return isObjectId(text) && (refers === undefined || refers.includes(typeOf(text)));
}

function holdsValue(type: ValueType, value: Json): boolean {
  return type.values === undefined || type.values.some((item) => sameJson(item, value));
}

/** `in`: each literal of the list must be one that the left side can have. */
function membershipDefect(left: TypedOperand, right: TypedOperand): ComparisonDefect | undefined {
  if (Array.isArray(right.literal)) {
    const items: readonly Json[] = right.literal;
    for (const item of items) {
      const found = literalDefect({ type: right.type.items ?? ANY, literal: item }, left.type);
      if (found !== undefined) return found;
    }
  }
  return memberDefect(left, right.type.items ?? ANY);
}

function memberDefect(member: TypedOperand, items: ValueType): ComparisonDefect | undefined {
  return literalDefect(member, items) ?? likenessDefect(member.type, items);
}

function containmentDefect(left: TypedOperand, right: TypedOperand): ComparisonDefect | undefined {
  const kinds = left.type.kinds;
  if (kinds.includes('any')) return undefined;
  if (kinds.includes('list')) return memberDefect(right, left.type.items ?? ANY);
  const isText = kinds.some((kind) => TEXTS.includes(kind));
  if (!isText && !kinds.includes('object')) return { code: 'not_a_container', detail: name(left.type) };
  return kindDefect(right, TEXTS, 'not_a_text');
}

function instantDefect(operand: TypedOperand): ComparisonDefect | undefined {
  if (typeof operand.literal !== 'string') return kindDefect(operand, ['instant'], 'not_an_instant');
  return instantMs(operand.literal) === undefined ? { code: 'not_an_instant', detail: operand.literal } : undefined;
}

function kindDefect(operand: TypedOperand, wanted: readonly ValueKind[], code: string): ComparisonDefect | undefined {
  const fits = operand.type.kinds.some((kind) => kind === 'any' || wanted.includes(kind));
  return fits ? undefined : { code, detail: name(operand.type) };
}

function name(type: ValueType): string {
  return type.kinds.join(' or ');
}
