// Responsibility: types agree with themselves and with each other: fields, lifecycle, unique fields, relationships, who sees what.
// Boundary: the core's types are the kernel's; of them only what a world may say (who observes, what is in scope) is checked here.
// Invariants: a scope that is not `all` or `own` is a bounded path of to-one fields that ends at an actor.

import { nearest } from '../../base/nearest.ts';
import { pointer } from '../../base/text.ts';
import { schemaType, type ValueType } from '../../condition/value-type.ts';
import { CORE } from '../core.ts';
import type { Lifecycle, RelationshipDefinition, TypeDefinition } from '../types.ts';
import type { Findings } from './findings.ts';
import { mustBeDeclared, type Parts } from './parts.ts';
import { checkSchema } from './schemas.ts';
import { checkScopes } from './scopes.ts';

/** What every object has beside its state; a field of that name could never be read. */
export const RESERVED_FIELDS = ['id', 'type', 'owner'];

interface TypeAt {
  readonly name: string;
  readonly type: TypeDefinition;
  readonly at: string;
  readonly fields: { readonly [field: string]: ValueType };
}

export function checkTypes(parts: Parts, found: Findings): void {
  for (const [name, type] of parts.saidTypes) {
    const isCore = Object.hasOwn(CORE.types, name);
    const state = isCore ? (CORE.types[name]?.state ?? {}) : type.state;
    const about: TypeAt = { name, type, at: pointer('/types', name), fields: schemaType(state).fields ?? {} };
    checkObservers(parts, about, found);
    checkScopes(parts, { name, scope: type.scope, at: pointer(about.at, 'scope') }, found);
    if (!isCore) checkOwnType(parts, about, found);
  }
}

function checkOwnType(parts: Parts, about: TypeAt, found: Findings): void {
  const { type, at, fields } = about;
  const state = pointer(at, 'state');
  checkSchema(parts, type.state, state, found);
  for (const field of Object.keys(fields)) if (RESERVED_FIELDS.includes(field)) found.error(`${state}/properties/${field}`, 'reserved_field', field);
  checkKeys(about, 'unique', found);
  checkKeys(about, 'constant', found);
  if (type.lifecycle !== undefined) checkLifecycle(parts, about, type.lifecycle, found);
  for (const [relationship, definition] of Object.entries(type.relationships)) {
    checkRelationship(parts, about, { definition, at: pointer(pointer(at, 'relationships'), relationship) }, found);
  }
}

function mustBeField({ fields }: Pick<TypeAt, 'fields'>, field: string, at: string, found: Findings): ValueType | undefined {
  const type = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return type ?? found.error(at, 'unknown_field', field, nearest(field, Object.keys(fields)));
}

/** Fields by whose value an object is found again: texts, integers and ids, since their keys are compared byte for byte. */
function checkKeys(about: TypeAt, list: 'unique' | 'constant', found: Findings): void {
  for (const [index, field] of (about.type[list] ?? []).entries()) {
    const at = `${about.at}/${list}/${index}`;
    const type = mustBeField(about, field, at, found);
    const isKey = type?.kinds.every((kind) => ['text', 'integer', 'object_id', 'instant', 'null'].includes(kind)) ?? true;
    if (!isKey) found.error(at, 'not_a_key', field);
  }
}

function checkLifecycle(parts: Parts, about: TypeAt, lifecycle: Lifecycle, found: Findings): void {
  const at = pointer(about.at, 'lifecycle');
  const type = mustBeField(about, lifecycle.field, pointer(at, 'field'), found);
  for (const [index, state] of lifecycle.states.entries()) {
    if (type !== undefined && type.values?.includes(state) !== true) found.error(`${at}/states/${index}`, 'not_a_value', state);
  }
  const mustBeState = (state: string, path: string): void => {
    if (!lifecycle.states.includes(state)) found.error(path, 'unknown_state', state, nearest(state, lifecycle.states));
  };
  mustBeState(lifecycle.initial, pointer(at, 'initial'));
  for (const [index, move] of lifecycle.moves.entries()) {
    const path = `${at}/moves/${index}`;
    mustBeDeclared(parts, 'actions', { name: move.action, at: pointer(path, 'action') }, found);
    for (const [place, state] of move.from.entries()) mustBeState(state, `${path}/from/${place}`);
    for (const [place, state] of move.to.entries()) mustBeState(state, `${path}/to/${place}`);
  }
  const reached = new Set([lifecycle.initial, ...lifecycle.moves.flatMap(({ to }) => to)]);
  for (const state of lifecycle.states) if (!reached.has(state)) found.warning(pointer(at, 'states'), 'state_never_reached', state);
}

interface RelationshipAt {
  readonly definition: RelationshipDefinition;
  readonly at: string;
}

function checkRelationship(parts: Parts, about: TypeAt, { definition, at }: RelationshipAt, found: Findings): void {
  if (definition.cardinality === 'one') {
    for (const [index, to] of definition.to.entries()) if (to !== '*') mustBeDeclared(parts, 'types', { name: to, at: `${at}/to/${index}` }, found);
    const field = mustBeField(about, definition.field, pointer(at, 'field'), found);
    if (field === undefined) return;
    if (!field.kinds.includes('object_id')) found.error(pointer(at, 'field'), 'not_an_object_id', definition.field);
    else if (field.refers !== undefined && !sameNames(field.refers, definition.to)) found.error(pointer(at, 'to'), 'refers_to_others', field.refers.join(', '));
    return;
  }
  const { type, field } = definition.inverse;
  if (!mustBeDeclared(parts, 'types', { name: type, at: `${at}/inverse/type` }, found)) return;
  const other = parts.types.get(type);
  const inverse = Object.values(other?.relationships ?? {}).find((each) => each.cardinality === 'one' && each.field === field);
  const leadsHere = inverse?.cardinality === 'one' && (inverse.to.includes(about.name) || inverse.to.includes('*'));
  if (other !== undefined && !leadsHere) found.error(`${at}/inverse`, 'no_such_inverse', `${type}.${field}`);
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}

function checkObservers(parts: Parts, about: TypeAt, found: Findings): void {
  for (const [role, seen] of Object.entries(about.type.observe)) {
    const at = pointer(pointer(about.at, 'observe'), role);
    mustBeDeclared(parts, 'roles', { name: role, at }, found);
    if (seen === 'all') continue;
    for (const [index, field] of seen.entries()) mustBeField(about, field, pointer(at, index), found);
  }
}
