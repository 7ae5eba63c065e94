// Responsibility: actions agree with types, roles, budgets and contracts: target, who may, identity, amount, retries, adapter.
// Boundary: rules are in rules.ts, outcomes in treatments.ts, contracts in contract.ts; the core's actions are compared in core.ts.
// Invariants: what belongs to effects stands at effects only; an effect has an adapter, a recovery, a try, and an identity without secrets.

import { isJsonObject, ownField, type JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { byCodeUnit, pointer } from '../../base/text.ts';
import { CORE } from '../core.ts';
import type { ActionDefinition, AdapterContract } from '../types.ts';
import type { NamedAction } from './action-types.ts';
import type { Findings } from './findings.ts';
import { declared, mustBeDeclared, type Parts } from './parts.ts';
import { checkRules } from './rules.ts';
import { checkSchema, fieldsOf, requiredOf } from './schemas.ts';
import { checkTreatments } from './treatments.ts';

export function checkActions(parts: Parts, found: Findings): void {
  for (const [name, definition] of parts.actions) {
    const action: NamedAction = { name, definition, at: pointer('/actions', name) };
    checkRoles(parts, action, found);
    if (!Object.hasOwn(CORE.actions, name)) checkOwnAction(parts, action, found);
  }
  checkFunctionNames(declared(parts, 'actions'), found);
}

function checkOwnAction(parts: Parts, action: NamedAction, found: Findings): void {
  const { definition, at } = action;
  checkSchema(parts, definition.input, pointer(at, 'input'), found);
  for (const [index, type] of definition.target.entries()) {
    const path = `${at}/target/${index}`;
    if (type !== '*') mustBeDeclared(parts, 'types', { name: type, at: path }, found);
    if (definition.creates === true && Object.hasOwn(CORE.types, type)) found.error(path, 'of_the_core', type);
  }
  checkSecrets(action, found);
  checkRules(parts, action, found);
  checkTreatments(parts, action, found);
  if (definition.class === 'effect') checkEffect(parts, action, found);
  else checkNoEffect(action, found);
}

/** Roles that exist, and somebody who can hold one of them. */
function checkRoles(parts: Parts, { definition, at }: NamedAction, found: Findings): void {
  const path = pointer(at, 'roles');
  if (definition.roles.length === 0) found.error(path, 'no_role_can_take_it');
  for (const [index, role] of definition.roles.entries()) mustBeDeclared(parts, 'roles', { name: role, at: pointer(path, index) }, found);
}

function checkSecrets({ definition, at }: NamedAction, found: Findings): void {
  for (const [index, field] of definition.secrets.entries()) {
    const path = `${at}/secrets/${index}`;
    if (mustBeInput(definition, { field, at: path }, found) === undefined) continue;
    if (definition.identity.includes(field)) found.error(path, 'secret_in_the_identity', field);
  }
}

function mustBeInput(definition: ActionDefinition, { field, at }: { readonly field: string; readonly at: string }, found: Findings): JsonObject | undefined {
  const inputs = fieldsOf(definition.input);
  const schema = ownField(inputs, field);
  return isJsonObject(schema) ? schema : found.error(at, 'unknown_field', field, nearest(field, Object.keys(inputs)));
}

/** What only means something for an effect would be silently without effect elsewhere. */
function checkNoEffect({ definition, at }: NamedAction, found: Findings): void {
  const { adapter, amount, spends, identity, retry } = definition;
  if (definition.class === 'read') found.error(pointer(at, 'class'), 'read_without_a_law');
  if (adapter !== undefined) found.error(pointer(at, 'adapter'), 'not_an_effect');
  if (amount !== undefined) found.error(pointer(at, 'amount'), 'not_an_effect');
  if (spends !== undefined) found.error(pointer(at, 'spends'), 'not_an_effect');
  if (identity.length > 0) found.error(pointer(at, 'identity'), 'not_an_effect');
  if (retry.budget > 0 || retry.ceiling > 0) found.error(pointer(at, 'retry'), 'not_an_effect');
}

function checkEffect(parts: Parts, action: NamedAction, found: Findings): void {
  const { definition, at } = action;
  if (definition.creates === true) found.error(pointer(at, 'creates'), 'effect_creates');
  for (const [index, field] of definition.identity.entries()) {
    const path = `${at}/identity/${index}`;
    const schema = mustBeInput(definition, { field, at: path }, found);
    if (schema !== undefined && ['object', 'array'].includes(String(schema['type']))) found.error(path, 'not_a_key', field);
  }
  checkAmount(action, found);
  if (definition.spends !== undefined) {
    const path = pointer(at, 'spends');
    mustBeDeclared(parts, 'budgets', { name: definition.spends, at: path }, found);
    if (definition.amount === undefined) found.error(path, 'spends_no_amount', definition.spends);
  }
  if (definition.retry.budget < 1 || definition.retry.ceiling < definition.retry.budget) found.error(pointer(at, 'retry'), 'no_try_left');
  checkAdapter(parts, action, found);
}

/** An amount that could be missing or negative would make room instead of taking it. */
function checkAmount({ definition, at }: NamedAction, found: Findings): void {
  const { amount, input } = definition;
  if (amount === undefined) return;
  const path = pointer(at, 'amount');
  const schema = mustBeInput(definition, { field: amount, at: path }, found);
  if (schema === undefined) return;
  if (schema['type'] !== 'integer') found.error(path, 'not_an_integer_input', amount);
  else if (!requiredOf(input).includes(amount)) found.error(path, 'amount_not_required', amount);
  else if (typeof schema['minimum'] !== 'number' || schema['minimum'] < 0) found.error(path, 'amount_may_be_negative', amount);
}

function checkAdapter(parts: Parts, { definition, at }: NamedAction, found: Findings): void {
  const path = pointer(at, 'adapter');
  if (definition.adapter === undefined) return found.error(path, 'effect_without_adapter');
  const { integration, operation, recovery } = definition.adapter;
  if (!mustBeDeclared(parts, 'adapters', { name: integration, at: pointer(path, 'integration') }, found)) return;
  const contract = parts.adapters.get(integration);
  if (contract === undefined) return;
  const compiled = Object.hasOwn(contract.operations, operation) ? contract.operations[operation] : undefined;
  if (compiled === undefined)
    return found.error(pointer(path, 'operation'), 'unknown_operation', operation, nearest(operation, Object.keys(contract.operations)));
  if (compiled.method === 'GET') found.error(pointer(path, 'operation'), 'effect_by_get', operation);
  checkRecovery(contract, { recovery, operation, at: pointer(path, 'recovery') }, found);
}

interface RecoveryAt {
  readonly recovery: string;
  readonly operation: string;
  readonly at: string;
}

function checkRecovery(contract: AdapterContract, { recovery, operation, at }: RecoveryAt, found: Findings): void {
  if (recovery === 'same_key') found.error(at, 'not_implemented', recovery);
  if (recovery !== 'read_back') return;
  if (contract.readBack === undefined) found.error(at, 'no_read_back');
  // What is found is judged by its status; without a table every look would stay inconclusive.
  else if (contract.operations[operation]?.response.status === undefined) found.error(at, 'no_status_table', operation);
}

/** Function-calling names have no dot: `order.refund` becomes `order_refund`, and must stay the only one. `observe` is taken. */
function checkFunctionNames(names: readonly string[], found: Findings): void {
  const seen = new Map<string, string>([['observe', 'observe']]);
  for (const name of [...names].sort(byCodeUnit)) {
    const flat = name.replaceAll('.', '_');
    const other = seen.get(flat);
    if (other !== undefined) found.error(pointer('/actions', name), 'names_collide', other);
    seen.set(flat, name);
  }
}
