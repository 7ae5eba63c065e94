// Responsibility: the fields that a change sets: they exist, the operand is well typed, its value fits, nothing required is left out.
// Boundary: one change of one treatment; which object it is about is treatments.ts's.
// Invariants: literals are held against the field's own schema; what may resolve to nothing never stands for a required field.

import type { Json, JsonObject } from '../../base/json.ts';
import { ownField } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { pointer } from '../../base/text.ts';
import { checkOperand } from '../../condition/check.ts';
import { parseOperand } from '../../condition/parse.ts';
import type { OperandNode, Reference } from '../../condition/types.ts';
import { schemaType } from '../../condition/value-type.ts';
import { compileSchema, schemaDefects } from '../schema.ts';
import type { ChangeDefinition, TypeDefinition } from '../types.ts';
import type { ActionTypes, NamedAction } from './action-types.ts';
import type { Findings } from './findings.ts';
import { boundDefect, fitDefect, mayBeMissing } from './fits.ts';
import type { Parts } from './parts.ts';
import { fieldsOf, requiredOf } from './schemas.ts';

interface FieldsAt {
  readonly action: NamedAction;
  readonly types: ActionTypes;
  readonly change: ChangeDefinition;
  /** The types that the changed object may be of. */
  readonly changed: readonly TypeDefinition[];
  readonly at: string;
}

export function checkFields(parts: Parts, about: FieldsAt, found: Findings): void {
  const { action, types, change, changed, at } = about;
  const absent = new Set<string>();
  for (const [field, json] of Object.entries(change.fields)) {
    const path = pointer(pointer(at, 'fields'), field);
    const { node, defects } = parseOperand(json, path);
    if (node === undefined) {
      found.addAll(defects);
      continue;
    }
    const checked = checkOperand(node, types, path);
    found.addAll(checked.defects);
    if (mayBeMissing(node, types)) absent.add(field);
    const source: Source = { node, type: checked.type, isWhole: checked.defects.length === 0, schema: schemaOf(parts, action, node) };
    for (const type of changed) {
      checkValue(type, { field, source, at: path }, found);
      checkMove(type, { action, change, field, node, at: path }, found);
    }
  }
  if (!('create' in change)) return;
  for (const type of changed) {
    for (const field of requiredOf(type.state)) {
      if (field === type.lifecycle?.field) continue;
      if (!Object.hasOwn(change.fields, field)) found.error(pointer(at, 'fields'), 'required_field_left_out', field);
      else if (absent.has(field)) found.error(pointer(pointer(at, 'fields'), field), 'may_be_missing', field);
    }
  }
}

interface Source {
  readonly node: OperandNode;
  readonly type: ReturnType<typeof checkOperand>['type'];
  /** True where the operand itself has no defect. */
  readonly isWhole: boolean;
  /** The schema of what it refers to, where it is one reference to something that has a schema. */
  readonly schema: JsonObject | undefined;
}

function checkValue(
  type: TypeDefinition,
  { field, source, at }: { readonly field: string; readonly source: Source; readonly at: string },
  found: Findings,
): void {
  const schema = ownField(fieldsOf(type.state), field);
  if (schema === undefined) return found.error(at, 'unknown_field', field, nearest(field, Object.keys(fieldsOf(type.state))));
  if (!source.isWhole || schemaDefects(schema, at).length > 0) return;
  if (source.node.kind === 'literal') {
    const [error] = compileSchema(schema as JsonObject)(source.node.value);
    if (error !== undefined) found.error(at, 'does_not_fit', error.code);
    return;
  }
  const defect = fitDefect(source.type, schemaType(schema));
  if (defect !== undefined) return found.error(at, defect, source.type.kinds.join(' or '));
  const bound = source.schema === undefined ? undefined : boundDefect(source.schema, schema as JsonObject);
  if (bound !== undefined) found.error(at, 'beyond_the_bound', bound);
}

/** The schema of a parameter or of a field of the target, where the target is of one type. */
function schemaOf(parts: Parts, { definition }: NamedAction, node: OperandNode): JsonObject | undefined {
  if (node.kind !== 'reference') return undefined;
  const { reference } = node;
  if (reference.root === 'args') return schemaAt(definition.input, reference);
  const [only, ...more] = definition.target;
  if (reference.root !== 'target' || only === undefined || more.length > 0) return undefined;
  return schemaAt(parts.types.get(only)?.state, reference);
}

function schemaAt(schema: JsonObject | undefined, reference: Extract<Reference, { readonly path: readonly string[] }>): JsonObject | undefined {
  const found = reference.path.reduce<Json | undefined>((at, step) => ownField(ownField(at, 'properties'), step), schema);
  return typeof found === 'object' && found !== null && !Array.isArray(found) ? (found as JsonObject) : undefined;
}

interface MoveAt {
  readonly action: NamedAction;
  readonly change: ChangeDefinition;
  readonly field: string;
  readonly node: OperandNode;
  readonly at: string;
}

/** A state of a lifecycle that no declared move of the action reaches: such a proposal is always refused, as `lifecycle`. */
function checkMove(type: TypeDefinition, { action, change, field, node, at }: MoveAt, found: Findings): void {
  const { lifecycle } = type;
  if (lifecycle === undefined || field !== lifecycle.field || node.kind !== 'literal') return;
  const reached = lifecycle.moves.filter((move) => move.action === action.name).flatMap(({ to }) => to);
  const start = 'create' in change ? [lifecycle.initial] : [];
  const state = node.value;
  if (![...reached, ...start].some((each) => each === state)) found.warning(at, 'move_not_declared', String(state));
}
