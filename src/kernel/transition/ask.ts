// Responsibility: one proposal under decision, with everything that its checks look at.
// Boundary: reads only. A grant builds the same thing from the stored attempt, so that "all checks run again" is one code path.
// Invariants: nothing here depends on the order in which checks run.

import { digestHex } from '../base/digest.ts';
import { foldIdentity } from '../base/fold.ts';
import { isJsonObject, ownField, type Json, type JsonObject } from '../base/json.ts';
import { parseObjectId } from '../base/ids.ts';
import { LIMITS } from '../base/limits.ts';
import type { Reference, Scope } from '../condition/types.ts';
import type { SealedAction } from '../manifest/seal.ts';
import { cellKeys, EMPTY_SUM, groupOf, type SumCell } from './cells.ts';
import type { Draft } from './draft.ts';
import type { Actor, Observed } from './inputs.ts';
import type { StoredObject } from './state.ts';

export interface Ask {
  readonly action: SealedAction;
  readonly actor: Actor;
  /** The id asked for: an object id, or the bare type of a creation. */
  readonly targetId: string;
  readonly target: StoredObject | undefined;
  readonly task: StoredObject | undefined;
  readonly args: JsonObject;
  readonly expectedRevision: number;
  readonly observed: Observed;
  /** Where only the state is asked (availability), parameters are unknown and sight is not asked for. */
  readonly withParameters: boolean;
  readonly related: ReadonlyMap<string, StoredObject>;
  readonly effect: EffectIdentity | undefined;
  /** Facts that the shell derived (`endpointAllowed`, `live`); empty where nothing was sent. */
  readonly facts: JsonObject;
  /** The attempt that a grant or an identical proposal continues. */
  readonly continues: string | null;
}

export interface EffectIdentity {
  readonly signature: string;
  readonly fence: string;
  readonly chain: string;
  readonly amount: number;
  /** Sum groups of the identity fields that are present. */
  readonly groups: readonly string[];
}

/** Signature, fence and chain of an effect (design §8). Identity fields are folded, so that case and blanks make no second effect. */
export function effectIdentity(draft: Draft, action: SealedAction, parts: { target: string; args: JsonObject; task: string | null }): EffectIdentity {
  const { definition } = action;
  const identity: { [field: string]: Json } = {};
  const groups: string[] = [];
  for (const field of definition.identity) {
    const value = ownField(parts.args, field);
    if (value === undefined || value === null) continue;
    identity[field] = namesObject(action, field) ? value : foldIdentity(value);
    if (field !== definition.amount) groups.push(groupOf(field, value));
  }
  const birth = draft.view.birthId;
  const signature = digestHex([birth, action.name, parts.target, identity]);
  const fence = definition.fence === 'identity' ? signature : digestHex([birth, action.name, parts.target]);
  const amount = definition.amount === undefined ? 0 : Number(ownField(parts.args, definition.amount) ?? 0);
  return { signature, fence, chain: digestHex([signature, parts.task]), amount, groups };
}

/** Object ids are exact: `Ticket:a` and `Ticket:A` are two tickets. Everything else is folded. */
function namesObject(action: SealedAction, field: string): boolean {
  return ownField(ownField(ownField(action.definition.input, 'properties'), field), 'format') === 'objectId';
}

/** The named objects of an action, each found through a reference that may build on earlier names. */
export function relatedObjects(draft: Draft, action: SealedAction, base: Omit<Ask, 'related' | 'effect'>): ReadonlyMap<string, StoredObject> {
  const found = new Map<string, StoredObject>();
  for (const { name, reference } of action.related) {
    const id = resolveIn(draft, { ...base, related: found }, reference);
    if (typeof id !== 'string') continue;
    const object = draft.object(id);
    if (object !== undefined) found.set(name, object);
  }
  return found;
}

type Seen = Pick<Ask, 'target' | 'targetId' | 'task' | 'args' | 'actor' | 'related'>;

/** Values that only treatments and mappings may refer to. */
export interface Extras {
  readonly evidence?: JsonObject;
  readonly attempt?: JsonObject;
}

/** Resolves a reference over a proposal and the state; undefined when missing. */
export function resolveIn(draft: Draft, ask: Seen, reference: Reference, extras: Extras = {}): Json | undefined {
  switch (reference.root) {
    case 'now':
      return draft.now;
    case 'target':
      return ask.target === undefined ? own({ id: ask.targetId }, reference.path) : fieldOf(ask.target, reference.path);
    case 'task':
      return ask.task === undefined ? undefined : fieldOf(ask.task, reference.path);
    case 'related': {
      const object = ask.related.get(reference.name);
      return object === undefined ? undefined : fieldOf(object, reference.path);
    }
    case 'args':
      return own(ask.args, reference.path);
    case 'actor':
      return ask.actor === ANYBODY
        ? undefined
        : own({ id: ask.actor.id, kind: parseObjectId(ask.actor.id)?.type ?? '', roles: [...ask.actor.roles] }, reference.path);
    case 'evidence':
      return own(extras.evidence ?? {}, reference.path);
    case 'attempt':
      return own(extras.attempt ?? {}, reference.path);
    case 'made':
      return undefined;
    case 'effects':
      return sumOf(draft, ask, reference);
  }
}

function sumOf(draft: Draft, ask: Seen, reference: Extract<Reference, { root: 'effects' }>): Json | undefined {
  const of = reference.of === null ? ask.target : ask.related.get(reference.of);
  if (of === undefined) return undefined;
  if (reference.same === null) return sums(draft, cellKeys.sum(reference.action, of.id))[reference.sum];
  const value = ownField(ask.args, reference.same);
  if (value === undefined || value === null) return undefined;
  return sums(draft, cellKeys.group(reference.action, of.id, groupOf(reference.same, value)))[reference.sum];
}

export function sums(draft: Draft, key: string): SumCell {
  return draft.cell<SumCell>(key) ?? EMPTY_SUM;
}

function fieldOf(object: StoredObject, path: readonly string[]): Json | undefined {
  if (path.length === 1) {
    const [only] = path;
    if (only === 'id') return object.id;
    if (only === 'type') return object.type;
    if (only === 'owner') return object.owner;
  }
  return own(object.state, path);
}

function own(value: Json, path: readonly string[]): Json | undefined {
  let at: Json | undefined = value;
  for (const step of path) at = ownField(at, step);
  return at;
}

/** The scope in which an action's conditions are evaluated. Without parameters, what a proposal would say is open. */
export function conditionScope(draft: Draft, ask: Seen & Partial<Pick<Ask, 'action' | 'withParameters'>>, extras: Extras = {}): Scope {
  const scope: Scope = {
    resolve: (reference) => resolveIn(draft, ask, reference, extras),
    count: (relationship) => countRelated(draft, ask.target, relationship),
  };
  const { action } = ask;
  return ask.withParameters === false && action !== undefined ? { ...scope, isOpen: (reference) => isSaidByProposal(action, reference) } : scope;
}

/** Stands for whoever may take an action, where it is asked whether anybody could. */
export const ANYBODY: Actor = { id: '', roles: [] };

/** True for what only a proposal decides: its parameters, its task, its actor, and what these lead to. */
function isSaidByProposal(action: SealedAction, reference: Reference): boolean {
  switch (reference.root) {
    case 'args':
    case 'task':
    case 'actor':
      return true;
    case 'effects':
      return reference.same !== null || (reference.of !== null && isNamedByProposal(action, reference.of));
    case 'related':
      return isNamedByProposal(action, reference.name);
    default:
      return false;
  }
}

function isNamedByProposal(action: SealedAction, name: string): boolean {
  const found = action.related.find((related) => related.name === name);
  // Names build on earlier ones only, so this ends.
  return found !== undefined && isSaidByProposal(action, found.reference);
}

function countRelated(draft: Draft, target: StoredObject | undefined, relationship: string): number | undefined {
  if (target === undefined) return undefined;
  const types = draft.sealed.manifest.types;
  const definition = Object.hasOwn(types, target.type) ? types[target.type] : undefined;
  const relation = definition !== undefined && Object.hasOwn(definition.relationships, relationship) ? definition.relationships[relationship] : undefined;
  if (relation === undefined) return undefined;
  if (relation.cardinality === 'one') return typeof target.state[relation.field] === 'string' ? 1 : 0;
  return draft.view.countReferrers(target.id, relation.inverse.type, relation.inverse.field, LIMITS.countMax);
}

/** True where the object's scope admits the actor: `all`, `own`, or a to-one path that ends at the actor. */
export function inScope(draft: Draft, actor: Actor, object: StoredObject): boolean {
  if (object.owner === actor.id && refusedUnseen(object)) return true;
  const about = scopeSubject(draft, object);
  if (about === null) return object.owner === actor.id || actor.roles.some((role) => readsAll(draft, role));
  if (typeof about !== 'string') return actor.roles.some((role) => admits(draft, actor, about, roleScope(draft, about.type, role)));
  return object.owner === actor.id || actor.roles.some((role) => roleScope(draft, about, role) === 'all');
}

/** A proposal refused before its target was looked at stays in its proposer's sight, so that it tells nothing of what is there. */
function refusedUnseen(object: StoredObject): boolean {
  const outcome = object.type === 'ActionAttempt' ? object.state['outcome'] : undefined;
  return isJsonObject(outcome) && (outcome['check'] === 1 || outcome['check'] === 2);
}

/** Who reads the log sees everything there. */
function readsAll(draft: Draft, role: string): boolean {
  const { roles } = draft.sealed.manifest;
  return Object.hasOwn(roles, role) && roles[role]?.readsLog === true;
}

/** Attempts, approvals and evidence have the scope of their target; where that does not exist, its type; null for an attempt on an attempt on … */
function scopeSubject(draft: Draft, object: StoredObject): StoredObject | string | null {
  let at = object;
  for (let hops = 0; hops < LIMITS.attemptHopsMax; hops += 1) {
    if (at.type !== 'ActionAttempt' && at.type !== 'Approval' && at.type !== 'Evidence') return at;
    const next = textField(at, at.type === 'Evidence' ? 'about' : 'target');
    const found = next === null ? undefined : draft.object(next);
    if (found === undefined) return missingType(draft, next) ?? object.type;
    at = found;
  }
  return null;
}

function missingType(draft: Draft, id: string | null): string | undefined {
  const type = id?.split(':')[0];
  return type !== undefined && Object.hasOwn(draft.sealed.manifest.types, type) ? type : undefined;
}

function roleScope(draft: Draft, type: string, role: string): string | undefined {
  const types = draft.sealed.manifest.types;
  const scope = Object.hasOwn(types, type) ? types[type]?.scope : undefined;
  return scope !== undefined && Object.hasOwn(scope, role) ? scope[role] : undefined;
}

function admits(draft: Draft, actor: Actor, object: StoredObject, scope: string | undefined): boolean {
  if (scope === undefined) return object.id === actor.id;
  if (scope === 'all') return true;
  if (scope === 'own') return object.owner === actor.id || object.id === actor.id;
  let at: StoredObject | undefined = object;
  for (const step of scope.split('.').slice(0, LIMITS.pathHopsMax)) {
    const next: Json | undefined = at === undefined ? undefined : at.state[step];
    if (next === actor.id) return true;
    at = typeof next === 'string' ? draft.object(next) : undefined;
  }
  return at?.id === actor.id;
}

/** A state object read as JSON fields, for core laws. */
export function textField(object: StoredObject | undefined, field: string): string | null {
  const value = object?.state[field];
  return typeof value === 'string' ? value : null;
}

export function objectField(object: StoredObject | undefined, field: string): JsonObject {
  const value = object?.state[field];
  return isJsonObject(value) ? value : {};
}
