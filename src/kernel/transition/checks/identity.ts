// Responsibility: checks 1, 2, 3 and 6: what exists, what is in sight, who may (design §7).
// Boundary: where one of these fails, nothing later is evaluated. Core laws add their own word on authority in laws/.
// Invariants: out of scope reads exactly like not there: same check, same code, same detail but for the id.

import type { JsonObject } from '../../base/json.ts';
import { isBareType, isObjectId, typeOf } from '../../base/ids.ts';
import { inScope } from '../ask.ts';
import type { Draft } from '../draft.ts';
import type { ProposalInput } from '../inputs.ts';
import type { Failing } from '../outcomes.ts';
import type { SealedAction } from '../../manifest/seal.ts';
import type { StoredObject } from '../state.ts';

/** Check 1: the action exists and its parameters fit. */
export function checkAction(action: SealedAction | undefined, input: ProposalInput): Failing | undefined {
  if (action === undefined) return { check: 1, code: 'unknown_action', detail: { action: input.action.slice(0, 128) } };
  if (input.parameters.valid) return undefined;
  const errors = input.parameters.errors.map(({ path, code }): JsonObject => ({ path, code }));
  return { check: 1, code: 'invalid_parameters', detail: { errors } };
}

/** Checks 2 and 3: the target is there, in scope, and of an applicable type; a named task likewise. */
export function checkTarget(draft: Draft, action: SealedAction, input: ProposalInput): Failing | undefined {
  const { definition } = action;
  const unknown: Failing = { check: 2, code: 'unknown_target', detail: { target: input.target } };
  if (definition.creates === true) {
    const type = isBareType(input.target) ? input.target : isObjectId(input.target) ? typeOf(input.target) : '';
    if (!definition.target.includes(type)) return { check: 2, code: 'wrong_target_type', detail: { expected: [...definition.target] } };
    if (!isBareType(input.target) && choosesIds(draft, input) && draft.object(input.target) !== undefined) {
      return { check: 2, code: 'target_exists', detail: { target: input.target } };
    }
  } else {
    const target = draft.object(input.target);
    if (target === undefined || !inScope(draft, input.actor, target)) return unknown;
    if (!applies(definition.target, target.type)) return { check: 2, code: 'wrong_target_type', detail: { expected: [...definition.target] } };
  }
  if (input.task === null) return undefined;
  const task = draft.object(input.task);
  if (task === undefined || task.type !== 'Task' || !inScope(draft, input.actor, task)) {
    return { check: 2, code: 'unknown_target', detail: { task: input.task } };
  }
  return undefined;
}

export function applies(targets: readonly string[], type: string): boolean {
  return targets.includes(type) || targets.includes('*');
}

function choosesIds(draft: Draft, input: ProposalInput): boolean {
  const { roles } = draft.sealed.manifest;
  return input.actor.roles.some((role) => Object.hasOwn(roles, role) && roles[role]?.choosesIds === true);
}

/** Check 6: a role of the actor may take the action; only named roles choose local ids. */
export function checkAuthority(draft: Draft, action: SealedAction, input: ProposalInput): Failing | undefined {
  const refused: Failing = { check: 6, code: 'not_authorized', detail: { action: action.name } };
  if (!input.actor.roles.some((role) => action.definition.roles.includes(role))) return refused;
  const chosen = action.definition.creates === true && !isBareType(input.target);
  return chosen && !choosesIds(draft, input) ? refused : undefined;
}

/** Check 4: the revision is current, and the cursor proves that the actor has seen it. */
export function checkSight(draft: Draft, target: StoredObject | undefined, input: ProposalInput): readonly Failing[] {
  const failing: Failing[] = [];
  const revision = target === undefined ? 0 : target.revision;
  const about = { target: input.target };
  if (input.expectedRevision !== revision) failing.push({ check: 4, code: 'stale_revision', detail: about });
  const { observed } = input;
  const unproven: Failing = { check: 4, code: 'unproven_observation', detail: about };
  if (observed.kind === 'invalid') return [...failing, unproven];
  if (observed.kind === 'none') return mustObserve(draft, input) ? [...failing, unproven] : failing;
  if (target === undefined) return failing;
  if (observed.subject !== '*' && observed.subject !== target.id) return [...failing, unproven];
  if (observed.sequence < target.changedIn) failing.push({ check: 4, code: 'stale_observation', detail: about });
  return failing;
}

function mustObserve(draft: Draft, input: ProposalInput): boolean {
  const { roles } = draft.sealed.manifest;
  return input.actor.roles.some((role) => Object.hasOwn(roles, role) && roles[role]?.observes === true);
}
