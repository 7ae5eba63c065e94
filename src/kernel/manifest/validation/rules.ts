// Responsibility: rules, approvals and related objects of an action: they parse, are well typed, have names of their own.
// Boundary: types come from action-types.ts; truth is evaluate.ts's.
// Invariants: no rule of a manifest has the name of a built-in one; a circle of related names is a defect.

import { LIMITS } from '../../base/limits.ts';
import { nearest } from '../../base/nearest.ts';
import { pointer } from '../../base/text.ts';
import type { Json } from '../../base/json.ts';
import { checkCondition, type TypeScope } from '../../condition/check.ts';
import { parseCondition, parseReference } from '../../condition/parse.ts';
import { ActionTypes, type NamedAction } from './action-types.ts';
import type { Findings } from './findings.ts';
import { mustBeDeclared, type Parts } from './parts.ts';
import { hopsOf } from './related.ts';

const BUILT_IN = ['lifecycle', 'task_fits'];

export function checkRules(parts: Parts, action: NamedAction, found: Findings): void {
  const { definition, at } = action;
  const types = new ActionTypes(parts, definition, { kind: 'rule' });
  checkNames(definition.rules, pointer(at, 'rules'), found);
  checkNames(definition.approvals, pointer(at, 'approvals'), found);
  for (const [index, rule] of definition.rules.entries()) checkWhen(types, rule.when, `${at}/rules/${index}/when`, found);
  if (definition.approvals.length > 0 && definition.class !== 'effect') found.error(pointer(at, 'approvals'), 'not_an_effect');
  for (const [index, approval] of definition.approvals.entries()) {
    const path = `${at}/approvals/${index}`;
    checkWhen(types, approval.when, pointer(path, 'when'), found);
    checkApprover(parts, approval.role, pointer(path, 'role'), found);
    if (approval.role !== definition.approvals[0]?.role) found.error(pointer(path, 'role'), 'one_role_decides', approval.role);
  }
  checkRelated(types, action, found);
}

function checkNames(named: readonly { readonly name: string }[], at: string, found: Findings): void {
  const names = named.map(({ name }) => name);
  for (const [index, name] of names.entries()) {
    const path = `${at}/${index}/name`;
    if (names.indexOf(name) < index) found.error(path, 'repeated', name);
    if (BUILT_IN.includes(name)) found.error(path, 'name_of_a_built_in_rule', name);
  }
}

/** The defects of a condition at a path, in its form or, where that is good, in its types. */
export function checkWhen(types: TypeScope, when: Json, at: string, found: Findings): void {
  const { node, defects } = parseCondition(when, at);
  found.addAll(node === undefined ? defects : checkCondition(node, types, at));
  if (node?.kind === 'constant') found.warning(at, 'always_the_same', String(node.value));
}

/** Who decides must be somebody who may grant, and no agent. */
function checkApprover(parts: Parts, role: string, at: string, found: Findings): void {
  if (!mustBeDeclared(parts, 'roles', { name: role, at }, found)) return;
  const definition = parts.roles.get(role);
  if (definition?.kinds.includes('Agent') === true) found.error(at, 'agents_decide_nothing', role);
  const grant = parts.actions.get('approval.grant');
  if (grant !== undefined && !grant.roles.includes(role)) found.error(at, 'role_cannot_decide', role);
}

function checkRelated(types: ActionTypes, { definition, at }: NamedAction, found: Findings): void {
  for (const [name, text] of Object.entries(definition.related)) {
    const path = pointer(pointer(at, 'related'), name);
    if (name === 'target') found.error(path, 'reserved_name', name);
    if (!text.startsWith('$')) {
      found.error(path, 'not_a_reference', text);
      continue;
    }
    const { reference, defect } = parseReference(text);
    if (reference === undefined) {
      found.addAll([{ path, ...defect }]);
      continue;
    }
    const hops = hopsOf(definition.related, name);
    if (hops === undefined) found.error(path, 'leads_back_to_itself', text);
    else if (hops > LIMITS.pathHopsMax) found.error(path, 'too_many_hops', `${hops}, at most ${LIMITS.pathHopsMax}`);
    else {
      const type = types.relatedReference(name);
      if (type === undefined) found.error(path, 'unknown_path', text, nearest(text, types.suggestions(reference)));
      else if (types.relatedTypes(name) === undefined) found.error(path, 'not_an_object_id', text);
    }
  }
}
