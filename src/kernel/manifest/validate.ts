// Responsibility: everything wrong with a manifest, at once, each defect with a path and a code (design §5 "Seal").
// Boundary: data against data. Conditions are parsed here; their deep typing over paths is checked by condition/check.ts callers.
// Invariants: stable order (path, then code); errors and warnings apart; a manifest without errors can be sealed.

import { canonical } from '../base/canonical.ts';
import { isJsonObject, ownField, type Json } from '../base/json.ts';
import { byCodeUnit, pointer } from '../base/text.ts';
import { parseCondition, parseOperand, parseReference } from '../condition/parse.ts';
import type { Defect } from '../condition/types.ts';
import type { OutcomeKind } from '../transition/outcomes.ts';
import { CORE } from './core.ts';
import { frameDefects } from './frame-bound.ts';
import { openSchemaDefects, schemaDefects } from './schema.ts';
import type { ActionDefinition, ChangeDefinition, Manifest, TypeDefinition } from './types.ts';

export interface Validation {
  readonly errors: readonly Defect[];
  readonly warnings: readonly Defect[];
}

/** The outcomes that an action of each class must treat, and no others. */
export const TREATED: { readonly [kind in ActionDefinition['class']]: readonly OutcomeKind[] } = {
  internal: ['Succeeded', 'Rejected', 'Blocked', 'Cancelled'],
  read: ['Succeeded', 'FailedTransiently', 'FailedPermanently', 'Rejected', 'TimedOut', 'ProtocolViolated', 'Incompatible', 'Blocked', 'Cancelled'],
  effect: ['Succeeded', 'FailedTransiently', 'FailedPermanently', 'Rejected', 'OutcomeAmbiguous', 'ProtocolViolated', 'Incompatible', 'Blocked', 'Cancelled'],
};

type Add = (path: string, code: string, detail?: string) => void;

export function validateManifest(manifest: Manifest): Validation {
  const errors: Defect[] = [];
  const warnings: Defect[] = [];
  const to =
    (list: Defect[]): Add =>
    (path, code, detail) =>
      void list.push({ path, code, ...(detail === undefined ? {} : { detail }) });
  const error = to(errors);
  for (const [type, definition] of Object.entries(manifest.types)) checkType(manifest, definition, { at: pointer('/types', type), type, error });
  for (const [name, action] of Object.entries(manifest.actions))
    checkAction(manifest, action, { at: pointer('/actions', name), name, error, warning: to(warnings) });
  checkCore(manifest, error);
  checkNames(manifest, error);
  errors.push(...frameDefects(manifest));
  return { errors: sorted(errors), warnings: sorted(warnings) };
}

function sorted(defects: readonly Defect[]): readonly Defect[] {
  return [...defects].sort((a, b) => byCodeUnit(a.path, b.path) || byCodeUnit(a.code, b.code));
}

interface TypeCheck {
  readonly at: string;
  readonly type: string;
  readonly error: Add;
}

function checkType(manifest: Manifest, definition: TypeDefinition, { at, type, error }: TypeCheck): void {
  // The core's own records hold what the kernel writes (parameters, evidence): their schemas are not input to anything.
  if (!Object.hasOwn(CORE.types, type)) for (const { path, code, detail } of schemaDefects(definition.state, `${at}/state`)) error(path, code, detail);
  const fields = Object.keys(isJsonObject(definition.state['properties']) ? definition.state['properties'] : {});
  for (const field of definition.unique) if (!fields.includes(field)) error(`${at}/unique`, 'unknown_field', field);
  for (const field of definition.constant ?? []) if (!fields.includes(field)) error(`${at}/constant`, 'unknown_field', field);
  for (const [name, relation] of Object.entries(definition.relationships)) {
    const where = pointer(`${at}/relationships`, name);
    if (relation.cardinality === 'one') {
      if (!fields.includes(relation.field)) error(where, 'unknown_field', relation.field);
      for (const target of relation.to) if (target !== '*' && !Object.hasOwn(manifest.types, target)) error(where, 'unknown_type', target);
    } else if (!isToOne(manifest, relation.inverse)) error(where, 'no_such_inverse', `${relation.inverse.type}.${relation.inverse.field}`);
  }
  const { lifecycle } = definition;
  if (lifecycle !== undefined) {
    if (!fields.includes(lifecycle.field)) error(`${at}/lifecycle`, 'unknown_field', lifecycle.field);
    if (!lifecycle.states.includes(lifecycle.initial)) error(`${at}/lifecycle/initial`, 'unknown_state', lifecycle.initial);
    for (const [index, move] of lifecycle.moves.entries()) {
      if (!Object.hasOwn(manifest.actions, move.action)) error(`${at}/lifecycle/moves/${index}`, 'unknown_action', move.action);
      for (const state of [...move.from, ...move.to]) if (!lifecycle.states.includes(state)) error(`${at}/lifecycle/moves/${index}`, 'unknown_state', state);
    }
  }
  for (const role of [...Object.keys(definition.scope), ...Object.keys(definition.observe)])
    if (!Object.hasOwn(manifest.roles, role)) error(at, 'unknown_role', role);
}

function isToOne(manifest: Manifest, inverse: { readonly type: string; readonly field: string }): boolean {
  const relations = Object.hasOwn(manifest.types, inverse.type) ? Object.values(manifest.types[inverse.type]?.relationships ?? {}) : [];
  return relations.some((relation) => relation.cardinality === 'one' && relation.field === inverse.field);
}

interface ActionCheck {
  readonly at: string;
  readonly name: string;
  readonly error: Add;
  readonly warning: Add;
}

function checkAction(manifest: Manifest, action: ActionDefinition, check: ActionCheck): void {
  const { at, error } = check;
  for (const { path, code, detail } of schemaDefects(action.input, `${at}/input`)) error(path, code, detail);
  for (const type of action.target) if (type !== '*' && !Object.hasOwn(manifest.types, type)) error(`${at}/target`, 'unknown_type', type);
  if (action.target.length === 0) error(`${at}/target`, 'no_target');
  if (action.roles.length === 0) error(`${at}/roles`, 'no_role_can_take_it');
  for (const role of action.roles) if (!Object.hasOwn(manifest.roles, role)) error(`${at}/roles`, 'unknown_role', role);
  const treated = Object.keys(action.outcomes);
  for (const outcome of TREATED[action.class]) if (!treated.includes(outcome)) error(`${at}/outcomes`, 'untreated_outcome', outcome);
  for (const outcome of treated) if (!TREATED[action.class].some((each) => each === outcome)) error(`${at}/outcomes`, 'outcome_of_another_class', outcome);
  checkConditions(action, check);
  checkChanges(manifest, action, check);
  if (action.class === 'effect') checkEffect(manifest, action, check);
  else if (action.adapter !== undefined) error(`${at}/adapter`, 'not_an_effect');
}

function checkConditions(action: ActionDefinition, { at, error, warning }: ActionCheck): void {
  for (const [list, entries] of [
    ['rules', action.rules],
    ['approvals', action.approvals],
  ] as const) {
    for (const [index, { when }] of entries.entries()) {
      const { defects, node } = parseCondition(when, `${at}/${list}/${index}/when`);
      for (const { path, code, detail } of defects) error(path, code, detail);
      if (node?.kind === 'constant') warning(`${at}/${list}/${index}/when`, 'always_the_same', String(node.value));
    }
  }
  for (const [name, reference] of Object.entries(action.related)) {
    const parsed = parseReference(reference);
    if (!('reference' in parsed)) error(pointer(`${at}/related`, name), 'not_a_reference', reference);
  }
}

function checkChanges(manifest: Manifest, action: ActionDefinition, { at, error }: ActionCheck): void {
  const treatments = [...Object.entries(action.outcomes), ['progressed', action.progressed] as const, ['reverted', action.reverted] as const];
  const made = new Map(
    treatments.flatMap(([, treatment]) => (treatment?.changes ?? []).flatMap((change) => ('create' in change ? [[change.as, change.create] as const] : []))),
  );
  for (const [outcome, treatment] of treatments) {
    for (const [index, change] of (treatment?.changes ?? []).entries()) {
      const where = `${at}/${outcome}/changes/${index}`;
      for (const [field, operand] of Object.entries(change.fields))
        for (const { path, code, detail } of parseOperand(operand as Json, `${where}/${field}`).defects) error(path, code, detail);
      const type = typeOfChange(action, change, made);
      if (type === undefined) continue;
      const state = Object.hasOwn(manifest.types, type) ? manifest.types[type]?.state : undefined;
      if (state === undefined) error(where, 'unknown_type', type);
      else
        for (const field of Object.keys(change.fields))
          if (ownField(ownField(state, 'properties'), field) === undefined) error(`${where}/${field}`, 'unknown_field', `${type}.${field}`);
    }
  }
}

/** The type that a change is about; undefined where only the state decides (a related object, a target of many types). */
function typeOfChange(action: ActionDefinition, change: ChangeDefinition, made: ReadonlyMap<string, string>): string | undefined {
  if ('create' in change) return change.create;
  if ('update' in change) return made.get(change.update) ?? `made:${change.update}`;
  return change.set === '$target' && action.target.length === 1 ? action.target[0] : undefined;
}

function checkEffect(manifest: Manifest, action: ActionDefinition, { at, error }: ActionCheck): void {
  const inputs = ownField(action.input, 'properties');
  for (const field of action.identity) if (ownField(inputs, field) === undefined) error(`${at}/identity`, 'unknown_field', field);
  if (action.amount !== undefined && ownField(ownField(inputs, action.amount), 'type') !== 'integer')
    error(`${at}/amount`, 'not_an_integer_input', action.amount);
  if (action.spends !== undefined && !Object.hasOwn(manifest.budgets, action.spends)) error(`${at}/spends`, 'unknown_budget', action.spends);
  if (action.retry.budget < 1 || action.retry.ceiling < action.retry.budget) error(`${at}/retry`, 'no_try_left');
  if (action.adapter === undefined) return error(`${at}/adapter`, 'effect_without_adapter');
  const { integration, operation, recovery } = action.adapter;
  const contract = Object.hasOwn(manifest.adapters, integration) ? manifest.adapters[integration] : undefined;
  if (contract === undefined) return error(`${at}/adapter/integration`, 'unknown_integration', integration);
  const compiled = Object.hasOwn(contract.operations, operation) ? contract.operations[operation] : undefined;
  if (compiled === undefined) return error(`${at}/adapter/operation`, 'unknown_operation', operation);
  for (const { path, code, detail } of openSchemaDefects(compiled.response.schema, pointer(`/adapters/${integration}/operations`, operation)))
    error(path, code, detail);
  if (recovery === 'read_back' && contract.readBack === undefined) error(`${at}/adapter/recovery`, 'no_read_back', integration);
}

/**
 * The core is the kernel's own: nothing of it may be left out, and what its laws rely on may not be altered. A world decides who sees and
 * does it: scopes, observed fields and roles are its own, and so are the settings of `integration.connect`.
 */
function checkCore(manifest: Manifest, error: Add): void {
  for (const part of ['roles', 'types', 'actions'] as const) {
    for (const [name, definition] of Object.entries(CORE[part])) {
      const found = Object.hasOwn(manifest[part], name) ? manifest[part][name] : undefined;
      const at = pointer(`/${part}`, name);
      if (found === undefined) error(at, 'core_missing');
      else if (name !== 'integration.connect' && lawOf(found) !== lawOf(definition)) error(at, 'core_altered');
    }
  }
  for (const [name, action] of Object.entries(manifest.actions))
    if (action.core === true && !Object.hasOwn(CORE.actions, name)) error(pointer('/actions', name), 'no_such_law');
}

function lawOf(definition: object): string {
  const { scope: _scope, observe: _observe, roles: _roles, ...law } = definition as { readonly [part: string]: Json };
  return canonical(law);
}

/** Function-calling names have no dot: `order.refund` becomes `order_refund`, and must stay the only one. */
function checkNames(manifest: Manifest, error: Add): void {
  const seen = new Map<string, string>();
  for (const name of Object.keys(manifest.actions)) {
    const flat = name.replaceAll('.', '_');
    const other = seen.get(flat);
    if (other !== undefined) error(pointer('/actions', name), 'names_collide', other);
    seen.set(flat, name);
  }
}
