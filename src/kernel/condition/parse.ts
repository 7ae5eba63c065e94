// Responsibility: conditions and operands from their JSON form, every defect collected with its path (design §6).
// Boundary: form and bounds; types and misspelt paths are check.ts's.
// Invariants: closed (an unknown operator or root is a defect); bounded by LIMITS in depth, nodes and lists; a node is given only without defects.

import { canonicalDefect } from '../base/canonical.ts';
import { isJsonList, isJsonObject, type Json } from '../base/json.ts';
import { LIMITS } from '../base/limits.ts';
import { nearest } from '../base/nearest.ts';
import { pointer } from '../base/text.ts';
import { Defects } from './defects.ts';
import { NAME, parseReference } from './reference.ts';
import { COMPARISONS, type Comparison, type ConditionNode, type Defect, type OperandNode } from './types.ts';

export { parseReference, type ParsedReference } from './reference.ts';

export interface ParsedCondition {
  /** Undefined where there is any defect: a rule that errs never permits. */
  readonly node: ConditionNode | undefined;
  readonly defects: readonly Defect[];
}

export interface ParsedOperand {
  readonly node: OperandNode | undefined;
  readonly defects: readonly Defect[];
}

const ARITHMETIC = ['add', 'sub', 'mul'] as const;
const CONDITION_OPERATORS = ['all', 'any', 'not', 'exists', ...COMPARISONS];
const OPERAND_OPERATORS = [...ARITHMETIC, 'count', 'item'];

/** Parses a condition that stands at a path. */
export function parseCondition(json: Json, at: string): ParsedCondition {
  const parser = new Parser();
  const node = parser.condition(json, at, 1);
  return parser.defects.length > 0 ? { node: undefined, defects: parser.defects } : { node, defects: [] };
}

/** Parses an operand that stands at a path. */
export function parseOperand(json: Json, at: string): ParsedOperand {
  const parser = new Parser();
  const node = parser.operand(json, at, 1);
  return parser.defects.length > 0 ? { node: undefined, defects: parser.defects } : { node, defects: [] };
}

class Parser {
  readonly #defects = new Defects();
  #nodes = 0;

  get defects(): readonly Defect[] {
    return this.#defects.found;
  }

  condition(json: Json, at: string, depth: number): ConditionNode | undefined {
    if (!this.#enter(at, depth)) return undefined;
    if (typeof json === 'boolean') return { kind: 'constant', value: json };
    const single = this.#single(json, at, 'not_a_condition');
    if (single === undefined) return undefined;
    const { operator, value, path } = single;
    switch (operator) {
      case 'all':
      case 'any': {
        const of = this.#conditions(value, path, depth);
        return of === undefined ? undefined : { kind: operator, of };
      }
      case 'not': {
        const of = this.condition(value, path, depth + 1);
        return of === undefined ? undefined : { kind: 'not', of };
      }
      case 'exists': {
        const operand = this.operand(value, path, depth + 1);
        return operand === undefined ? undefined : { kind: 'exists', operand };
      }
      default:
        return isComparison(operator)
          ? this.#comparison(operator, value, path, depth)
          : this.#defects.add(at, 'unknown_operator', operator, nearest(operator, CONDITION_OPERATORS));
    }
  }

  operand(json: Json, at: string, depth: number): OperandNode | undefined {
    if (!this.#enter(at, depth)) return undefined;
    if (typeof json === 'string') return this.#text(json, at);
    if (isJsonList(json)) return this.#list(json, at, depth);
    if (isJsonObject(json)) return this.#computed(json, at, depth);
    return this.#scalar(json, at);
  }

  #conditions(json: Json, at: string, depth: number): readonly ConditionNode[] | undefined {
    const items = this.#items(json, at, 1);
    return items === undefined ? undefined : whole(items.map((item, index) => this.condition(item, pointer(at, index), depth + 1)));
  }

  #comparison(operator: Comparison, json: Json, at: string, depth: number): ConditionNode | undefined {
    const operands = this.#operands(json, at, depth, 2);
    if (operands === undefined) return undefined;
    const [left, right, more] = operands;
    if (left === undefined || right === undefined || more !== undefined) return this.#defects.add(at, 'wrong_operand_count', operator);
    return { kind: 'compare', operator, left, right };
  }

  #computed(json: Json, at: string, depth: number): OperandNode | undefined {
    const single = this.#single(json, at, 'not_an_operand');
    if (single === undefined) return undefined;
    const { operator, value, path } = single;
    if (operator === 'count') {
      if (typeof value !== 'string' || !NAME.test(value)) return this.#defects.add(path, 'not_a_relationship');
      return { kind: 'count', relationship: value };
    }
    if (operator === 'item') return this.#item(value, path, depth);
    const arithmetic = ARITHMETIC.find((name) => name === operator);
    if (arithmetic === undefined) return this.#defects.add(at, 'unknown_operator', operator, nearest(operator, OPERAND_OPERATORS));
    const operands = this.#operands(value, path, depth, 2);
    return operands === undefined ? undefined : { kind: 'arithmetic', operator: arithmetic, operands };
  }

  #item(json: Json, at: string, depth: number): OperandNode | undefined {
    const [list, id, field] = isJsonList(json) && json.length === 3 ? json : [];
    if (list === undefined || id === undefined || field === undefined) return this.#defects.add(at, 'wrong_operand_count', 'item');
    const listNode = this.operand(list, pointer(at, 0), depth + 1);
    const idNode = this.operand(id, pointer(at, 1), depth + 1);
    if (typeof field !== 'string' || !NAME.test(field)) return this.#defects.add(pointer(at, 2), 'not_a_field');
    return listNode === undefined || idNode === undefined ? undefined : { kind: 'item', list: listNode, id: idNode, field };
  }

  #operands(json: Json, at: string, depth: number, least: number): readonly OperandNode[] | undefined {
    const items = this.#items(json, at, least);
    return items === undefined ? undefined : whole(items.map((item, index) => this.operand(item, pointer(at, index), depth + 1)));
  }

  /** A list of literals is one literal; one reference in it makes it a list of operands. */
  #list(json: readonly Json[], at: string, depth: number): OperandNode | undefined {
    if (this.#items(json, at, 0) === undefined) return undefined;
    const items = whole(json.map((item, index) => (isScalar(item) ? this.#leaf(item, pointer(at, index)) : this.operand(item, pointer(at, index), depth + 1))));
    if (items === undefined) return undefined;
    const values = items.flatMap((item) => (item.kind === 'literal' ? [item.value] : []));
    return values.length === items.length ? { kind: 'literal', value: values } : { kind: 'list', items };
  }

  /** An element of a list: bounded by the list, so it is no node of its own. */
  #leaf(json: Json, at: string): OperandNode | undefined {
    return typeof json === 'string' ? this.#text(json, at) : this.#scalar(json, at);
  }

  #text(text: string, at: string): OperandNode | undefined {
    if (text.length > LIMITS.stringLengthMax) return this.#defects.add(at, 'text_too_long');
    if (!text.startsWith('$')) return this.#scalar(text, at);
    if (text.startsWith('$$')) return this.#scalar(text.slice(1), at);
    const { reference, defect } = parseReference(text);
    if (reference === undefined) return this.#defects.add(at, defect.code, defect.detail, defect.suggestion);
    return { kind: 'reference', reference };
  }

  #scalar(value: Json, at: string): OperandNode | undefined {
    const defect = canonicalDefect(value);
    return defect === undefined ? { kind: 'literal', value } : this.#defects.add(at, defect.code);
  }

  #items(json: Json, at: string, least: number): readonly Json[] | undefined {
    if (!isJsonList(json)) return this.#defects.add(at, 'not_a_list');
    if (json.length < least) return this.#defects.add(at, 'too_few_items');
    if (json.length > LIMITS.conditionListMax) return this.#defects.add(at, 'too_many_items');
    return json;
  }

  /** The one operator of an object, and what stands under it. */
  #single(json: Json, at: string, code: string): { readonly operator: string; readonly value: Json; readonly path: string } | undefined {
    if (!isJsonObject(json)) return this.#defects.add(at, code);
    const [operator, ...more] = Object.keys(json);
    const value = operator === undefined ? undefined : json[operator];
    if (operator === undefined || value === undefined || more.length > 0) return this.#defects.add(at, code);
    return { operator, value, path: pointer(at, operator) };
  }

  #enter(at: string, depth: number): boolean {
    this.#nodes += 1;
    if (depth > LIMITS.conditionDepthMax) this.#defects.add(at, 'too_deep');
    // Said once, at the first node too many.
    else if (this.#nodes === LIMITS.conditionNodesMax + 1) this.#defects.add(at, 'too_many_nodes');
    return depth <= LIMITS.conditionDepthMax && this.#nodes <= LIMITS.conditionNodesMax;
  }
}

function isComparison(operator: string): operator is Comparison {
  return COMPARISONS.some((name) => name === operator);
}

function isScalar(json: Json): boolean {
  return typeof json !== 'object' || json === null;
}

/** All parts, or nothing where one of them is defective (its defect is already noted). */
function whole<T>(parts: readonly (T | undefined)[]): readonly T[] | undefined {
  const present = parts.filter((part): part is T & {} => part !== undefined);
  return present.length === parts.length ? present : undefined;
}
