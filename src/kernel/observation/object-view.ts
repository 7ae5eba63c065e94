// Responsibility: one object as an actor may see it: observed fields, relationships, kernel counters, available actions.
// Boundary: projection only; scope is asked of ask.ts, availability of availability.ts.
// Invariants: a field that the role may not observe never appears; text from outside is capped in frames.

import type { Json, JsonObject } from '../base/json.ts';
import { LIMITS } from '../base/limits.ts';
import { cut } from '../base/text.ts';
import { isoInstant } from '../base/time.ts';
import { sums } from '../transition/ask.ts';
import { actionsOn, availability, type Availability } from '../transition/availability.ts';
import { cellKeys } from '../transition/cells.ts';
import type { Draft } from '../transition/draft.ts';
import type { Actor } from '../transition/inputs.ts';
import type { StoredObject } from '../transition/state.ts';
import { budgetUse } from '../transition/sums.ts';
import type { ObjectEntry } from './frame.ts';
import { inSight } from './sight.ts';

/** The state fields that the actor's roles may observe. */
export function observedState(draft: Draft, actor: Actor, object: StoredObject): JsonObject {
  const types = draft.sealed.manifest.types;
  const observe = Object.hasOwn(types, object.type) ? types[object.type]?.observe : undefined;
  if (observe === undefined) return {};
  const grants = actor.roles.flatMap((role) => (Object.hasOwn(observe, role) ? [observe[role]] : []));
  if (grants.includes('all')) return object.state;
  const fields = new Set(grants.flatMap((grant) => (Array.isArray(grant) ? (grant as readonly string[]) : [])));
  return Object.fromEntries(Object.entries(object.state).filter(([field]) => fields.has(field)));
}

/** Objects in scope whose to-one field holds an id, by their own id, up to a bound. */
export function referrersInSight(
  draft: Draft,
  actor: Actor,
  to: { readonly id: string; readonly type: string; readonly field: string },
): readonly StoredObject[] {
  const read = (limit: number): readonly StoredObject[] => draft.view.referrers(to.id, to.type, to.field, limit).flatMap((id) => draft.object(id) ?? []);
  return inSight(draft, actor, LIMITS.neighboursMax, read).objects;
}

/** To-one relationships as ids; to-many as up to a page of ids. */
export function relationshipsOf(draft: Draft, actor: Actor, object: StoredObject): JsonObject {
  const types = draft.sealed.manifest.types;
  const definitions = Object.hasOwn(types, object.type) ? (types[object.type]?.relationships ?? {}) : {};
  const out: { [name: string]: Json } = {};
  for (const [name, relation] of Object.entries(definitions)) {
    if (relation.cardinality === 'one') out[name] = object.state[relation.field] ?? null;
    else out[name] = referrersInSight(draft, actor, { id: object.id, ...relation.inverse }).map(({ id }) => id);
  }
  return out;
}

/** Kernel counters: what is held and landed on a target, what a budget has left, refusals of a task. Computed, outside the revision. */
export function countersOf(draft: Draft, object: StoredObject): JsonObject {
  if (object.type === 'Budget') {
    const { spent, held, remaining } = budgetUse(draft, object);
    return { spent, held, remaining };
  }
  const out: { [name: string]: Json } = { ...object.counters };
  for (const action of actionsOn(draft.sealed, object.type)) {
    if (action.definition.class !== 'effect') continue;
    const { landedCount, landedTotal, heldCount, heldTotal } = sums(draft, cellKeys.sum(action.name, object.id));
    out[action.name] = { landedCount, landedTotal, heldCount, heldTotal };
    if (action.definition.amount !== undefined) out['held'] = Number(out['held'] ?? 0) + heldTotal;
  }
  return out;
}

interface Bounds {
  readonly text: number;
  readonly items: number;
}

const OBJECT_BOUNDS: Bounds = { text: LIMITS.frameTextMax, items: LIMITS.listItemsMax };
/** In entries that are never dropped: their worst case is proven to fit (manifest/frame-bound.ts). */
export const ENTRY_BOUNDS: Bounds = { text: LIMITS.entryTextMax, items: LIMITS.entryItemsMax };

/** Text fields as data with a size cap: what came from outside can fill no frame. No character is cut in half. */
export function capped(value: Json, bounds: Bounds = OBJECT_BOUNDS): Json {
  if (typeof value === 'string') return value.length > bounds.text ? `${cut(value, bounds.text)}…` : value;
  if (Array.isArray(value)) return value.slice(0, bounds.items).map((item: Json) => capped(item, bounds));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, capped(item as Json, bounds)]));
}

export function objectEntry(draft: Draft, actor: Actor, object: StoredObject): ObjectEntry {
  const { id, type, revision } = object;
  return {
    id,
    type,
    revision,
    state: capped(observedState(draft, actor, object)) as JsonObject,
    relationships: relationshipsOf(draft, actor, object),
    counters: countersOf(draft, object),
  };
}

export function availabilities(draft: Draft, actor: Actor, object: StoredObject): readonly Availability[] {
  return actionsOn(draft.sealed, object.type).flatMap((action) => availability(draft, actor, action, object) ?? []);
}

/** WorldObject of docs/http.md, without the cursor, which only the shell can make. */
export function worldObject(draft: Draft, actor: Actor, object: StoredObject, withActions: boolean): JsonObject {
  const listed = withActions ? availabilities(draft, actor, object).map(({ failing: _failing, ...entry }) => ({ ...entry }) as unknown as Json) : undefined;
  return {
    id: object.id,
    type: object.type,
    manifest: draft.sealed.hash,
    owner: object.owner,
    scope: scopeOf(draft, actor, object),
    revision: object.revision,
    state: observedState(draft, actor, object),
    relationships: relationshipsOf(draft, actor, object),
    counters: countersOf(draft, object),
    provenance: { createdBy: object.createdBy, createdAt: isoInstant(object.createdAt), transition: object.changedIn },
    ...(listed === undefined ? {} : { actions: listed }),
  };
}

function scopeOf(draft: Draft, actor: Actor, object: StoredObject): string {
  const types = draft.sealed.manifest.types;
  const scope = Object.hasOwn(types, object.type) ? (types[object.type]?.scope ?? {}) : {};
  return actor.roles.map((role) => (Object.hasOwn(scope, role) ? scope[role] : undefined)).find((each) => each !== undefined) ?? 'own';
}
