// Responsibility: what outcomes change: every outcome of the class is treated, every change names a field that is there, every value fits it.
// Boundary: types only; the built-in rules (lifecycle, unique, reference) run over the values when a proposal is decided.
// Invariants: a change that the kernel would never make is a defect, not a silence; the core's objects are changed by the kernel alone.

import { nearest } from '../../base/nearest.ts';
import { pointer } from '../../base/text.ts';
import { checkOperand } from '../../condition/check.ts';
import { parseOperand } from '../../condition/parse.ts';
import { CORE } from '../core.ts';
import type { ActionDefinition, ChangeDefinition, Treatment, TypeDefinition } from '../types.ts';
import { OUTCOME_KINDS, type OutcomeKind } from '../../transition/outcomes.ts';
import { ActionTypes, type NamedAction } from './action-types.ts';
import { checkFields } from './changes.ts';
import type { Findings } from './findings.ts';
import { mustBeDeclared, type Parts } from './parts.ts';

/** The outcomes that an action of each class must treat, and no others. */
export const TREATED: { readonly [kind in ActionDefinition['class']]: readonly OutcomeKind[] } = {
  internal: ['Succeeded', 'Rejected', 'Blocked', 'Cancelled'],
  read: ['Succeeded', 'FailedTransiently', 'FailedPermanently', 'Rejected', 'TimedOut', 'ProtocolViolated', 'Incompatible', 'Blocked', 'Cancelled'],
  effect: ['Succeeded', 'FailedTransiently', 'FailedPermanently', 'Rejected', 'OutcomeAmbiguous', 'ProtocolViolated', 'Incompatible', 'Blocked', 'Cancelled'],
};

/** Where the kernel carries out what is declared. A refusal changes nothing, and neither does doubt; an effect is Blocked too when a login is lost. */
const CARRIED_OUT: { readonly [kind in ActionDefinition['class']]: readonly string[] } = {
  internal: ['Succeeded'],
  read: ['Succeeded'],
  effect: ['Succeeded', 'FailedTransiently', 'FailedPermanently', 'Blocked', 'progressed', 'reverted'],
};

export function checkTreatments(parts: Parts, action: NamedAction, found: Findings): void {
  const { definition, at } = action;
  const outcomes = pointer(at, 'outcomes');
  const treated = OUTCOME_KINDS.filter((kind) => definition.outcomes[kind] !== undefined);
  const wanted = TREATED[definition.class];
  for (const outcome of wanted) if (!treated.includes(outcome)) found.error(outcomes, 'untreated_outcome', outcome);
  for (const outcome of treated) if (!wanted.includes(outcome)) found.error(outcomes, 'outcome_of_another_class', outcome);
  const made = madeBy(definition, { at, found });
  for (const [outcome, treatment] of treatmentsOf(definition)) {
    const path = outcome === 'progressed' || outcome === 'reverted' ? pointer(at, outcome) : pointer(outcomes, outcome);
    if ((outcome === 'progressed' || outcome === 'reverted') && definition.class !== 'effect') found.error(path, 'not_an_effect', outcome);
    else checkTreatment(parts, { action, outcome, treatment, at: path, made }, found);
  }
  checkCreation(action, found);
}

export function treatmentsOf(definition: ActionDefinition): readonly (readonly [outcome: string, treatment: Treatment])[] {
  const { outcomes, progressed, reverted } = definition;
  // By the names that there are: an outcome that is none has its defect, and no shape that could be relied on.
  const all = [...OUTCOME_KINDS.map((kind) => [kind, outcomes[kind]] as const), ['progressed', progressed] as const, ['reverted', reverted] as const];
  return all.flatMap(([outcome, treatment]) => (treatment === undefined ? [] : [[outcome, treatment] as const]));
}

/** The types of what the action makes, by name. A name that means two types would find the wrong object again. */
function madeBy(definition: ActionDefinition, { at, found }: { readonly at: string; readonly found: Findings }): ReadonlyMap<string, string> {
  const made = new Map<string, string>();
  for (const [, treatment] of treatmentsOf(definition)) {
    for (const change of treatment.changes) {
      if (!('create' in change)) continue;
      if ((made.get(change.as) ?? change.create) !== change.create) found.error(pointer(at, 'outcomes'), 'name_of_two_types', change.as);
      made.set(change.as, change.create);
    }
  }
  return made;
}

interface TreatmentAt {
  readonly action: NamedAction;
  readonly outcome: string;
  readonly treatment: Treatment;
  readonly at: string;
  readonly made: ReadonlyMap<string, string>;
}

function checkTreatment(parts: Parts, about: TreatmentAt, found: Findings): void {
  const { action, outcome, treatment, at } = about;
  const empty = treatment.changes.length === 0 && treatment.events.length === 0;
  if (!empty && !CARRIED_OUT[action.definition.class].includes(outcome)) return found.error(at, 'never_carried_out', outcome);
  const types = new ActionTypes(parts, action.definition, { kind: 'treatment', outcome });
  const names = new Set<string>();
  for (const [index, change] of treatment.changes.entries()) {
    const path = `${at}/changes/${index}`;
    if ('create' in change && names.has(change.as)) found.error(pointer(path, 'as'), 'repeated', change.as);
    if ('create' in change) names.add(change.as);
    const target = typesOfChange(parts, about, { change, at: path }, found);
    if (target !== undefined) checkFields(parts, { action, types, change, changed: target, at: path }, found);
  }
  for (const [index, event] of treatment.events.entries()) {
    for (const [name, json] of Object.entries(event.data)) {
      const path = pointer(`${at}/events/${index}/data`, name);
      const { node, defects } = parseOperand(json, path);
      found.addAll(node === undefined ? defects : checkOperand(node, types, path).defects);
    }
  }
  return undefined;
}

interface ChangeAt {
  readonly change: ChangeDefinition;
  readonly at: string;
}

/** The world's own types that a change is about; undefined where there are none, with a defect that says why. */
function typesOfChange(parts: Parts, about: TreatmentAt, { change, at }: ChangeAt, found: Findings): readonly TypeDefinition[] | undefined {
  if ('create' in change) return ownTypes(parts, [change.create], pointer(at, 'create'), found);
  if ('update' in change) {
    const type = about.made.get(change.update);
    if (type === undefined) return found.error(pointer(at, 'update'), 'nothing_made', change.update, nearest(change.update, [...about.made.keys()]));
    return ownTypes(parts, [type], pointer(at, 'update'), found);
  }
  const path = pointer(at, 'set');
  const { definition } = about.action;
  if (change.set === '$target') {
    return definition.creates === true ? found.error(path, 'not_there_yet', change.set) : ownTypes(parts, definition.target, path, found);
  }
  const [, name] = /^\$related\.([A-Za-z][A-Za-z0-9_]*)$/.exec(change.set) ?? [];
  if (name === undefined) return found.error(path, 'cannot_be_set', change.set, '$target');
  const types = new ActionTypes(parts, definition, { kind: 'rule' }).relatedTypes(name);
  if (types === undefined) return found.error(path, 'unknown_path', change.set, nearest(name, Object.keys(definition.related)));
  return types === '*' ? found.error(path, 'of_any_type', change.set) : ownTypes(parts, types, path, found);
}

function ownTypes(parts: Parts, names: readonly string[], at: string, found: Findings): readonly TypeDefinition[] | undefined {
  for (const name of names) {
    if (name === '*') return found.error(at, 'of_any_type');
    if (Object.hasOwn(CORE.types, name)) return found.error(at, 'of_the_core', name);
    if (!mustBeDeclared(parts, 'types', { name, at }, found)) return undefined;
  }
  const types = names.flatMap((name) => parts.types.get(name) ?? []);
  return types.length === names.length ? types : undefined;
}

/** An action that creates makes its target, once, when it succeeds; another one makes no target. */
function checkCreation({ definition, at }: NamedAction, found: Findings): void {
  const path = pointer(pointer(at, 'outcomes'), 'Succeeded');
  const targets = treatmentsOf(definition).flatMap(([outcome, { changes }]) =>
    changes.flatMap((change) => ('create' in change && change.as === 'target' ? [{ outcome, type: change.create }] : [])),
  );
  const [made, ...more] = targets;
  if (definition.creates !== true) {
    if (made !== undefined) found.error(path, 'creates_no_target', made.type);
    return;
  }
  if (definition.target.length !== 1 || definition.target.includes('*')) found.error(pointer(at, 'target'), 'creates_one_type');
  if (made === undefined || made.outcome !== 'Succeeded' || more.length > 0) found.error(path, 'target_not_created');
  else if (!definition.target.includes(made.type)) found.error(path, 'target_not_created', made.type);
}
