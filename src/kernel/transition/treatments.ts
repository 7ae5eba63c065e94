// Responsibility: the state changes and events that the manifest declares for an outcome, worked out and carried out.
// Boundary: changes objects of the world's own types only; attempts, approvals and counters are the kernel's.
// Invariants: a plan is made before anything changes, so that the built-in rules see what would be; fields that resolve to nothing are left out.

import type { Json, JsonObject } from '../base/json.ts';
import { isBareType, madeId } from '../base/ids.ts';
import { evaluateOperand } from '../condition/evaluate.ts';
import type { SealedAction, SealedTreatment } from '../manifest/seal.ts';
import { conditionScope, type Ask, type Extras } from './ask.ts';
import { cellKeys } from './cells.ts';
import type { Draft } from './draft.ts';

export interface Put {
  readonly id: string;
  readonly type: string;
  readonly create: boolean;
  readonly fields: JsonObject;
}

export interface Plan {
  readonly puts: readonly Put[];
  readonly events: readonly { readonly name: string; readonly data: JsonObject }[];
}

export const EMPTY_PLAN: Plan = { puts: [], events: [] };

/** Works out a treatment. `attempt` names what a `create` makes, so that later treatments find it again. */
export function planTreatment(
  draft: Draft,
  ask: Ask,
  treatment: SealedTreatment | undefined,
  about: { readonly attempt: string; readonly extras?: Extras },
): Plan {
  if (treatment === undefined) return EMPTY_PLAN;
  const scope = conditionScope(draft, ask, about.extras);
  const fieldsOf = (fields: SealedTreatment['changes'][number]['fields']): JsonObject => {
    const out: { [field: string]: Json } = {};
    for (const { field, node } of fields) {
      const value = evaluateOperand(node, scope);
      if (value !== undefined) out[field] = value;
    }
    return out;
  };
  const puts = treatment.changes.flatMap((change): Put[] => {
    const fields = fieldsOf(change.fields);
    if (change.kind === 'create') {
      const id = change.as === 'target' && !isBareType(ask.targetId) ? ask.targetId : madeFor(draft, about.attempt, change.type, change.as);
      return [{ id, type: change.type, create: true, fields: { ...initialState(draft, change.type), ...fields } }];
    }
    const object =
      change.kind === 'update'
        ? draft.object(madeFor(draft, about.attempt, change.type, change.as))
        : change.of === 'target'
          ? ask.target
          : ask.related.get(change.of);
    return object === undefined ? [] : [{ id: object.id, type: object.type, create: false, fields }];
  });
  const events = treatment.events.map(({ name, data }) => ({ name, data: fieldsOf(data) }));
  return { puts, events };
}

/** The id of what an attempt makes under a name: a digest, so that nobody can guess it. */
export function madeFor(draft: Draft, attempt: string, type: string, as: string): string {
  return madeId(type, [draft.view.birthId, attempt, as]);
}

function initialState(draft: Draft, type: string): JsonObject {
  const lifecycle = draft.sealed.manifest.types[type]?.lifecycle;
  return lifecycle === undefined ? {} : { [lifecycle.field]: lifecycle.initial };
}

/** Carries a plan out, and keeps the exact indexes of unique and constant fields. Returns the id of the target that was created, if any. */
export function applyPlan(draft: Draft, ask: Pick<Ask, 'actor' | 'targetId'>, plan: Plan): void {
  for (const put of plan.puts) {
    const before = draft.object(put.id);
    if (put.create && before === undefined) draft.create(put.id, put.fields, ask.actor.id);
    else draft.move(put.id, put.fields);
    const definition = draft.sealed.manifest.types[put.type];
    for (const field of definition?.unique ?? []) {
      const value = put.fields[field];
      if (value === undefined) continue;
      const old = before?.state[field];
      if (old !== undefined && old !== null) draft.setCell(cellKeys.unique(put.type, field, old), null);
      if (value !== null) draft.setCell(cellKeys.unique(put.type, field, value), put.id);
    }
    for (const field of definition?.constant ?? []) {
      const value = put.fields[field];
      if (value !== undefined) draft.setCell(cellKeys.constant(put.type, field), value as string);
    }
  }
  for (const { name, data } of plan.events) draft.event(name, ask.targetId, data);
}

export function treatmentOf(action: SealedAction, outcome: string): SealedTreatment | undefined {
  return action.treatments.get(outcome);
}
