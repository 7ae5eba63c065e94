// Responsibility: the types of conditions at seal time: misspelt paths and comparisons across types are defects of the manifest (design §6).
// Boundary: what stands where is the type scope's to say; form and bounds were parse.ts's.
// Invariants: every defect is found in one pass, with its path; a condition without defects compares like with like on every typed value.

import { assertNever } from '../base/assert.ts';
import { pointer } from '../base/text.ts';
import { nearest } from '../base/nearest.ts';
import { Defects } from './defects.ts';
import { comparisonDefect, type TypedOperand } from './check-comparison.ts';
import { ANY, INTEGER, kindOf, typeAt, type ValueType } from './value-type.ts';
import type { ConditionNode, Defect, OperandNode, Reference } from './types.ts';
import type { Json } from '../base/json.ts';

/** What a condition may refer to where it stands. */
export interface TypeScope {
  /** The type of what a reference stands for; undefined where there is no such thing. */
  type(reference: Reference): ValueType | undefined;
  /** Reference texts that exist, to suggest one in place of another. */
  suggestions(reference: Reference): readonly string[];
  /** Relationships of the target that may be counted. */
  readonly relationships: readonly string[];
}

/** The defects of a condition that stands at a path. */
export function checkCondition(node: ConditionNode, types: TypeScope, at: string): readonly Defect[] {
  const checker = new Checker(types);
  checker.condition(node, at);
  return checker.defects;
}

/** The defects of an operand (of a state change, an event, a mapping), and the type that it has. */
export function checkOperand(node: OperandNode, types: TypeScope, at: string): { readonly type: ValueType; readonly defects: readonly Defect[] } {
  const checker = new Checker(types);
  const type = checker.operand(node, at);
  return { type, defects: checker.defects };
}

class Checker {
  readonly #types: TypeScope;
  readonly #defects = new Defects();

  constructor(types: TypeScope) {
    this.#types = types;
  }

  get defects(): readonly Defect[] {
    return this.#defects.found;
  }

  condition(node: ConditionNode, at: string): void {
    switch (node.kind) {
      case 'constant':
        return;
      case 'all':
      case 'any':
        for (const [index, part] of node.of.entries()) this.condition(part, pointer(pointer(at, node.kind), index));
        return;
      case 'not':
        this.condition(node.of, pointer(at, 'not'));
        return;
      case 'exists':
        this.operand(node.operand, pointer(at, 'exists'));
        if (!readsAnything(node.operand)) this.#defects.add(pointer(at, 'exists'), 'always_present');
        return;
      case 'compare':
        this.#comparison(node, pointer(at, node.operator));
        return;
      default:
        assertNever(node);
    }
  }

  operand(node: OperandNode, at: string): ValueType {
    switch (node.kind) {
      case 'literal':
        return literalType(node.value);
      case 'reference':
        return this.#reference(node.reference, at);
      case 'list':
        return { kinds: ['list'], items: union(node.items.map((item, index) => this.operand(item, pointer(at, index)))) };
      case 'arithmetic':
        for (const [index, operand] of node.operands.entries()) this.#integer(operand, pointer(pointer(at, node.operator), index));
        return INTEGER;
      case 'item':
        return this.#item(node, pointer(at, 'item'));
      case 'count':
        if (!this.#types.relationships.includes(node.relationship)) {
          this.#defects.add(pointer(at, 'count'), 'unknown_relationship', node.relationship, nearest(node.relationship, this.#types.relationships));
        }
        return INTEGER;
      default:
        return assertNever(node);
    }
  }

  #reference(reference: Reference, at: string): ValueType {
    const type = this.#types.type(reference);
    if (type !== undefined) return type;
    this.#defects.add(at, 'unknown_path', reference.text, nearest(reference.text, this.#types.suggestions(reference)));
    return ANY;
  }

  #integer(node: OperandNode, at: string): void {
    const type = this.operand(node, at);
    if (!type.kinds.some((kind) => kind === 'integer' || kind === 'any')) this.#defects.add(at, 'not_an_integer', describe(node));
  }

  #item(node: OperandNode & { readonly kind: 'item' }, at: string): ValueType {
    const list = this.operand(node.list, pointer(at, 0));
    const id = this.operand(node.id, pointer(at, 1));
    if (list.kinds.includes('any')) return ANY;
    if (!list.kinds.includes('list')) {
      this.#defects.add(pointer(at, 0), 'not_a_list', describe(node.list));
      return ANY;
    }
    const element = list.items ?? ANY;
    const own = typeAt(element, ['id']);
    if (own === undefined) this.#defects.add(pointer(at, 0), 'items_without_id', describe(node.list));
    else {
      const found = comparisonDefect('eq', { type: own }, { type: id, ...literalOf(node.id) });
      if (found !== undefined) this.#defects.add(pointer(at, 1), found.code, found.detail ?? describe(node.id), found.suggestion);
    }
    const field = typeAt(element, [node.field]);
    if (field !== undefined) return field;
    this.#defects.add(pointer(at, 2), 'unknown_field', node.field, nearest(node.field, Object.keys(element.fields ?? {})));
    return ANY;
  }

  #comparison(node: ConditionNode & { readonly kind: 'compare' }, at: string): void {
    const left: TypedOperand = { type: this.operand(node.left, pointer(at, 0)), ...literalOf(node.left) };
    const right: TypedOperand = { type: this.operand(node.right, pointer(at, 1)), ...literalOf(node.right) };
    const found = comparisonDefect(node.operator, left, right);
    if (found !== undefined) this.#defects.add(at, found.code, found.detail, found.suggestion);
  }
}

function literalOf(node: OperandNode): { readonly literal?: Json } {
  return node.kind === 'literal' ? { literal: node.value } : {};
}

function literalType(value: Json): ValueType {
  if (!Array.isArray(value)) return { kinds: [kindOf(value)], values: [value] };
  const items: readonly Json[] = value;
  return { kinds: ['list'], items: union(items.map(literalType)) };
}

/** What an item may be that is one of several types. An empty list holds nothing, so anything may be looked for in it. */
function union(types: readonly ValueType[]): ValueType {
  if (types.length === 0) return ANY;
  const kinds = [...new Set(types.flatMap((type) => type.kinds))];
  if (kinds.includes('any')) return ANY;
  const values = types.flatMap((type) => type.values ?? []);
  const listed = types.every((type) => type.values !== undefined);
  return listed ? { kinds, values } : { kinds };
}

function readsAnything(node: OperandNode): boolean {
  switch (node.kind) {
    case 'literal':
      return false;
    case 'reference':
    case 'count':
    case 'item':
      return true;
    case 'list':
      return node.items.some(readsAnything);
    case 'arithmetic':
      return node.operands.some(readsAnything);
    default:
      return assertNever(node);
  }
}

function describe(node: OperandNode): string {
  if (node.kind === 'reference') return node.reference.text;
  return node.kind === 'literal' ? kindOf(node.value) : node.kind;
}
