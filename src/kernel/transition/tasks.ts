// Responsibility: tasks: requirements, honest terminality, refusals in a row (design §10, invariant I5).
// Boundary: the core actions on tasks are in laws/task.ts; whether an action can still be admitted is asked of availability.ts.
// Invariants: exhaustion is never success; only a person reopens; a reverted effect reopens what counted it.

import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { LIMITS } from '../base/limits.ts';
import { parseCondition } from '../condition/parse.ts';
import { evaluate } from '../condition/evaluate.ts';
import { conditionScope, textField } from './ask.ts';
import { cellKeys } from './cells.ts';
import { openedAt } from './checks/repetition.ts';
import type { Draft } from './draft.ts';
import type { Actor } from './inputs.ts';
import type { StoredObject } from './state.ts';

interface LandedCell {
  readonly attempts: readonly { readonly attempt: string; readonly at: number }[];
}

export interface RequiredEffect {
  readonly action: string;
  readonly target: string;
}

export function requiredEffects(task: StoredObject): readonly RequiredEffect[] {
  const requires = task.state['requires'];
  const effects = isJsonObject(requires) ? requires['effects'] : undefined;
  return Array.isArray(effects)
    ? effects.flatMap((effect: Json) => (isJsonObject(effect) ? [{ action: String(effect['action']), target: String(effect['target']) }] : []))
    : [];
}

/** Tasks that a change of one object can end; the open ones come before those that are over. */
const NEEDING_MAX = 64;

/** Remembers, under every object that a task requires an effect on, that it does. */
export function rememberNeeds(draft: Draft, task: StoredObject): void {
  for (const target of new Set(requiredEffects(task).map((required) => required.target))) {
    const others = (draft.cell<readonly string[]>(cellKeys.needing(target)) ?? []).filter(
      (id) => id !== task.id && draft.object(id)?.state['status'] === 'open',
    );
    draft.setCell(cellKeys.needing(target), [...others, task.id].slice(-NEEDING_MAX));
  }
}

/** Remembers a landed effect for the requirements of its task, or (without task) of every task open meanwhile. */
export function effectLanded(
  draft: Draft,
  effect: { readonly task: string | null; readonly action: string; readonly target: string; readonly attempt: string },
): void {
  const key = cellKeys.landed(effect.task, effect.action, effect.target);
  const before = draft.cell<LandedCell>(key) ?? { attempts: [] };
  draft.setCell(key, { attempts: [...before.attempts, { attempt: effect.attempt, at: draft.at }].slice(-32) });
  for (const shown of shownUnder(effect))
    draft.setCell(shown, [...(draft.cell<readonly string[]>(shown) ?? []), effect.attempt].slice(-LIMITS.completedShownMax));
}

/** The lists from which a frame shows completed effects: of an object, and of a task. */
function shownUnder(effect: { readonly task: string | null; readonly target: string }): readonly string[] {
  return [cellKeys.completedOn(effect.target), ...(effect.task === null ? [] : [cellKeys.completedOn(effect.task)])];
}

/** Forgets it, and reopens the completed tasks that counted it. */
export function effectReverted(
  draft: Draft,
  effect: { readonly task: string | null; readonly action: string; readonly target: string; readonly attempt: string },
): void {
  const key = cellKeys.landed(effect.task, effect.action, effect.target);
  const before = draft.cell<LandedCell>(key) ?? { attempts: [] };
  draft.setCell(key, { attempts: before.attempts.filter(({ attempt }) => attempt !== effect.attempt) });
  for (const shown of shownUnder(effect))
    draft.setCell(
      shown,
      (draft.cell<readonly string[]>(shown) ?? []).filter((id) => id !== effect.attempt),
    );
  const counted = draft.cell<readonly string[]>(`counted:${effect.attempt}`) ?? [];
  for (const id of counted) {
    const task = draft.object(id);
    if (task === undefined || task.state['status'] !== 'completed') continue;
    rememberNeeds(draft, draft.move(id, { status: 'open', reasons: [`${effect.action} on ${effect.target} was reverted`] }, 'open'));
    draft.event('task.reopened', id, { because: 'effect_reverted', attempt: effect.attempt });
  }
}

/** The attempt that meets a required effect of a task, if one landed. */
export function meets(draft: Draft, task: StoredObject, required: RequiredEffect): string | undefined {
  const own = draft.cell<LandedCell>(cellKeys.landed(task.id, required.action, required.target));
  const under = own?.attempts.at(-1)?.attempt;
  if (under !== undefined) return under;
  const free = draft.cell<LandedCell>(cellKeys.landed(null, required.action, required.target));
  return free?.attempts.findLast(({ at }) => at >= openedAt(draft, task.id))?.attempt;
}

export interface Requirements {
  /** What is missing, for people and agents: `{action, target}` or `{condition}`. */
  readonly missing: readonly JsonObject[];
  /** The attempts that were counted. */
  readonly counted: readonly string[];
}

export function requirements(draft: Draft, task: StoredObject, actor: Actor): Requirements {
  const missing: JsonObject[] = [];
  const counted: string[] = [];
  for (const required of requiredEffects(task)) {
    const attempt = meets(draft, task, required);
    if (attempt === undefined) missing.push({ action: required.action, target: required.target });
    else counted.push(attempt);
  }
  const requires = task.state['requires'];
  const condition = isJsonObject(requires) ? requires['condition'] : undefined;
  if (condition !== undefined && condition !== null) {
    const { node } = parseCondition(condition, '/requires/condition');
    const subject = textField(task, 'subject');
    const target = subject === null ? undefined : draft.object(subject);
    const scope = conditionScope(draft, { target, targetId: subject ?? '', task, args: {}, actor, related: new Map() });
    if (node === undefined || evaluate(node, scope).truth !== 'true') missing.push({ condition });
  }
  return { missing, counted };
}

/** A refusal that names a task: too many in a row end it. */
export function countRefusal(draft: Draft, task: StoredObject): void {
  if (task.type !== 'Task' || task.state['status'] !== 'open') return;
  const inARow = Number(task.counters['refusalsInARow'] ?? 0) + 1;
  draft.note(task.id, { counters: { refusalsInARow: inARow } });
  if (inARow >= draft.sealed.manifest.limits.refusalsInARowPerTask) endIncomplete(draft, task.id, [`${inARow} refusals in a row`]);
}

export function clearRefusals(draft: Draft, task: StoredObject | undefined): void {
  if (task !== undefined && Number(task.counters['refusalsInARow'] ?? 0) > 0) draft.note(task.id, { counters: { refusalsInARow: 0 } });
}

/** Nothing can advance the task any more: said plainly, and a person is told by the event. */
export function endIncomplete(draft: Draft, id: string, reasons: readonly string[]): void {
  draft.move(id, { status: 'incomplete', reasons: [...reasons] }, 'incomplete');
  draft.event('task.incomplete', id, { reasons: [...reasons] });
}
