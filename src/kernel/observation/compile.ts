// Responsibility: the observation compiler: a pure, bounded projection of state for one actor (design §11).
// Boundary: `compile(sealed, state, request)`; mandatory sections are in sections.ts, objects in object-view.ts.
// Invariants: the mandatory core is never dropped; optional content is added in one order until the byte budget is full and then counted.

import { canonical } from '../base/canonical.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { LIMITS } from '../base/limits.ts';
import { isoInstant } from '../base/time.ts';
import type { SealedWorld } from '../manifest/seal.ts';
import { inScope, textField } from '../transition/ask.ts';
import { creations } from '../transition/availability.ts';
import { Draft } from '../transition/draft.ts';
import type { StoredObject, WorldView } from '../transition/state.ts';
import { meets, requiredEffects } from '../transition/tasks.ts';
import type { ActionEntry, Compiled, Frame, FrameRequest, ObjectEntry } from './frame.ts';
import { availabilities, capped, objectEntry, referrersInSight } from './object-view.ts';
import { approvalEntries, blockerEntries, budgetEntries, completedEntries, unresolvedEntries } from './sections.ts';
import { inSight } from './sight.ts';

/** The frame that an actor receives now. Costs are bounded by the manifest, not by the size of the world. */
export function compile(sealed: SealedWorld, view: WorldView, request: FrameRequest): Compiled {
  const draft = new Draft(sealed, view, request.now);
  const seen = (id: string | null): StoredObject | undefined => {
    const object = id === null ? undefined : draft.object(id);
    return object !== undefined && inScope(draft, request.actor, object) ? object : undefined;
  };
  const task = seen(request.task);
  const location = seen(request.focus) ?? seen(textField(task, 'subject'));
  const near = neighbourhood(draft, request, location, task);
  const recent = inSight(draft, request.actor, LIMITS.recentMax, (limit) => view.recent(limit));
  const optional = { objects: optionalObjects(draft, request, { near, recent: recent.objects }), changes: changesSince(draft, request) };
  const core = mandatory(draft, request, { task, location, near });
  // The last sequence in the actor's scope: what happens outside it leaves the frame as it was.
  return { frame: fill(core, optional, request.maxBytes), sequence: (recent.objects[0] ?? recent.unread)?.changedIn ?? 0 };
}

interface Place {
  readonly task: StoredObject | undefined;
  readonly location: StoredObject | undefined;
  readonly near: readonly StoredObject[];
}

function mandatory(draft: Draft, request: FrameRequest, place: Place): Frame {
  const { actor } = request;
  const { name, version } = draft.sealed.manifest;
  const unresolved = unresolvedEntries(draft, actor);
  const shown = [place.task?.id, ...place.near.map(({ id }) => id)].filter((id) => id !== undefined);
  const completed = completedEntries(draft, actor, shown);
  const evidence = [...unresolved, ...completed].flatMap(({ attempt }) => evidenceOf(draft, attempt));
  return {
    manifest: { name, version, hash: draft.sealed.hash },
    world: draft.view.world,
    actor: { id: actor.id, roles: [...actor.roles] },
    location: place.location?.id ?? null,
    now: isoInstant(request.now),
    task: place.task === undefined ? {} : taskEntry(draft, place.task),
    conversation: conversation(draft, request, place),
    objects: place.near.map((object) => objectEntry(draft, actor, object)),
    changes: [],
    unresolved,
    completed,
    blockers: blockerEntries(draft, actor),
    approvals: approvalEntries(draft, actor),
    budgets: budgetEntries(draft, actor),
    actions: actionEntries(draft, request, place),
    evidence: [...new Set(evidence)],
    omitted: {},
  };
}

/** The latest pieces of evidence of an effect; the attempt names the others. */
function evidenceOf(draft: Draft, attempt: string | null): readonly string[] {
  const found = attempt === null ? undefined : draft.object(attempt)?.state['evidence'];
  return Array.isArray(found) ? found.filter((id): id is string => typeof id === 'string').slice(-LIMITS.evidenceShownMax) : [];
}

function taskEntry(draft: Draft, task: StoredObject): JsonObject {
  const requires = requiredEffects(task).map((required): JsonObject => ({
    action: required.action,
    target: required.target,
    met: meets(draft, task, required) ?? null,
  }));
  const { goal, subject, status, reasons } = task.state;
  return {
    id: task.id,
    revision: task.revision,
    goal: capped(goal ?? ''),
    subject: subject ?? null,
    status: status ?? null,
    reasons: reasons ?? [],
    requires,
    refusalsInARow: task.counters['refusalsInARow'] ?? 0,
  };
}

/** What was said about the place, newest last. Text is data in a labelled field. */
function conversation(draft: Draft, request: FrameRequest, place: Place): JsonObject {
  const about = place.location?.id ?? place.task?.id;
  if (about === undefined) return {};
  const messages = referrersInSight(draft, request.actor, { id: about, type: 'Message', field: 'conversation' });
  if (messages.length === 0) return {};
  return { about, messages: messages.map(({ id, createdBy, state }): Json => ({ id, by: createdBy, text: capped(state['text'] ?? '') })) };
}

/** The location, the task's subject, what is one relationship away, and every integration: these never vanish. */
function neighbourhood(draft: Draft, request: FrameRequest, location: StoredObject | undefined, task: StoredObject | undefined): readonly StoredObject[] {
  const ids = new Set<string>();
  const subject = textField(task, 'subject');
  for (const id of [location?.id, subject]) if (typeof id === 'string') ids.add(id);
  for (const { target } of task === undefined ? [] : requiredEffects(task)) ids.add(target);
  if (location !== undefined) for (const id of toOne(draft, location)) ids.add(id);
  const objects = [...ids].map((id) => draft.object(id)).filter((object) => object !== undefined);
  const integrations = draft.view.marked('integration', Object.keys(draft.sealed.manifest.adapters).length);
  return [...objects, ...integrations.filter(({ id }) => !ids.has(id))].filter((object) => inScope(draft, request.actor, object));
}

function toOne(draft: Draft, object: StoredObject): readonly string[] {
  const definition = draft.sealed.manifest.types[object.type];
  return Object.values(definition?.relationships ?? {}).flatMap((relation) => {
    const id = relation.cardinality === 'one' ? object.state[relation.field] : undefined;
    return typeof id === 'string' ? [id] : [];
  });
}

const BOOKKEEPING = new Set(['ActionAttempt', 'Approval', 'Evidence', 'Integration', 'Budget', 'Agent', 'Person', 'Operator', 'Message']);

/** What changed last in sight, newest first: optional, by recency. */
function optionalObjects(
  draft: Draft,
  request: FrameRequest,
  seen: { readonly near: readonly StoredObject[]; readonly recent: readonly StoredObject[] },
): readonly ObjectEntry[] {
  const shown = new Set(seen.near.map(({ id }) => id));
  return seen.recent.filter((object) => !BOOKKEEPING.has(object.type) && !shown.has(object.id)).map((object) => objectEntry(draft, request.actor, object));
}

function changesSince(draft: Draft, request: FrameRequest): readonly JsonObject[] {
  if (request.since === null) return [];
  const { since } = request;
  return inSight(draft, request.actor, LIMITS.changesShownMax, (limit) => draft.view.changedAfter(since, limit)).objects.map(
    ({ id, type, revision, changedIn, mark }) => ({ object: id, type, revision, sequence: changedIn, mark }),
  );
}

/** Actions on what is near, on the task, on unresolved attempts and pending approvals, and the creations. */
function actionEntries(draft: Draft, request: FrameRequest, place: Place): readonly ActionEntry[] {
  const { actor } = request;
  const waiting = ['unresolved', 'pending', 'conflict'].flatMap(
    (mark) => inSight(draft, actor, LIMITS.neighboursMax, (limit) => draft.view.marked(mark, limit)).objects,
  );
  const targets = [...place.near, ...(place.task === undefined ? [] : [place.task]), ...waiting];
  const entries: ActionEntry[] = [];
  const schemas = new Set<string>();
  const schemaOnce = (action: string): Pick<ActionEntry, 'inputSchema'> => {
    if (schemas.has(action)) return {};
    schemas.add(action);
    return { inputSchema: draft.sealed.actions.get(action)?.definition.input as Json };
  };
  for (const target of new Map(targets.map((object) => [object.id, object])).values()) {
    for (const { failing, ...found } of availabilities(draft, actor, target)) {
      entries.push({ ...found, target: target.id, ...(failing === undefined ? schemaOnce(found.action) : { reason: capped(failing.detail) as JsonObject }) });
    }
  }
  for (const action of creations(draft.sealed)) {
    const may = actor.roles.some((role) => action.definition.roles.includes(role));
    if (may) entries.push({ action: action.name, target: action.definition.target[0] ?? '', available: true, ...schemaOnce(action.name) });
  }
  return entries;
}

/** Adds optional content in the declared order until the budget is full; counts what was left out, by kind. */
function fill(core: Frame, optional: { readonly objects: readonly ObjectEntry[]; readonly changes: readonly JsonObject[] }, maxBytes: number): Frame {
  let bytes = canonical(core as unknown as Json).length;
  const take = <T>(items: readonly T[]): { readonly taken: readonly T[]; readonly left: number } => {
    const taken: T[] = [];
    for (const item of items) {
      const size = canonical(item as unknown as Json).length + 1;
      if (bytes + size > maxBytes) break;
      bytes += size;
      taken.push(item);
    }
    return { taken, left: items.length - taken.length };
  };
  const changes = take(optional.changes);
  const objects = take(optional.objects);
  const omitted = { ...(objects.left > 0 ? { objects: objects.left } : {}), ...(changes.left > 0 ? { changes: changes.left } : {}) };
  return { ...core, objects: [...core.objects, ...objects.taken], changes: changes.taken, omitted };
}
