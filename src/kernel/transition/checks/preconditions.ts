// Responsibility: check 5: the manifest's rules, then the built-in ones (`task_fits`, `lifecycle`, `reference:…`, `unique:…`, `constant:…`).
// Boundary: evaluates; the would-be changes of an internal action come from treatments.ts.
// Invariants: every failing rule is reported, in the manifest's order; unknown refuses with the missing paths; no values where sight fails.

import type { Json, JsonObject } from '../../base/json.ts';
import { evaluate, explainTruth } from '../../condition/evaluate.ts';
import { conditionScope, inScope, type Ask } from '../ask.ts';
import { cellKeys } from '../cells.ts';
import { same, type Draft } from '../draft.ts';
import type { Failing } from '../outcomes.ts';
import type { StoredObject } from '../state.ts';
import type { Plan } from '../treatments.ts';

/** A failing rule as a refusal. */
export function ruleFailure(rule: string, detail: JsonObject = {}): Failing {
  return { check: 5, code: 'precondition_failed', detail: { rule, ...detail } };
}

/** The rules that the manifest gives the action. `values`: whether traces may show what they saw. */
export function checkRules(draft: Draft, ask: Ask, values: boolean): readonly Failing[] {
  const scope = conditionScope(draft, ask);
  const failing: Failing[] = [];
  for (const { name, node } of ask.action.rules) {
    const { truth, missing } = evaluate(node, scope);
    if (truth === 'true') continue;
    if (truth === 'unknown' && !ask.withParameters) continue;
    const trace: JsonObject = values ? { trace: explainTruth(node, scope) as unknown as Json } : {};
    if (truth === 'false') failing.push({ check: 5, code: 'precondition_failed', detail: { rule: name, ...trace } });
    else failing.push({ check: 5, code: 'precondition_unobservable', detail: { rule: name, ...trace, missing: [...missing] } });
  }
  return failing;
}

/** `task_fits`: a named task is open and about the target. Which action it is does not matter. */
export function checkTask(draft: Draft, ask: Ask): Failing | undefined {
  const { task } = ask;
  if (task === undefined) return undefined;
  if (task.id === ask.target?.id) return undefined;
  if (task.state['status'] !== 'open') return ruleFailure('task_fits', { task: task.id, status: task.state['status'] ?? null });
  return fits(draft, task, ask) ? undefined : ruleFailure('task_fits', { task: task.id });
}

function fits(draft: Draft, task: StoredObject, ask: Ask): boolean {
  const subject = typeof task.state['subject'] === 'string' ? task.state['subject'] : null;
  const about = ask.target === undefined ? referencesIn(ask.args) : aboutOf(draft, ask.target);
  if (about.includes(task.id)) return true;
  for (const id of about) {
    if (requiredTargets(task).includes(id)) return true;
    if (subject !== null && (id === subject || related(draft, id, subject))) return true;
  }
  return ask.target === undefined && ask.action.definition.class !== 'effect' && about.length === 0;
}

/** The target itself; for an attempt, approval or piece of evidence also what it concerns. */
function aboutOf(draft: Draft, target: StoredObject): readonly string[] {
  const ids = [target.id];
  for (const field of ['target', 'task', 'about']) {
    const value = target.state[field];
    if (typeof value === 'string' && (target.type === 'ActionAttempt' || target.type === 'Approval' || target.type === 'Evidence')) ids.push(value);
  }
  return ids;
}

function referencesIn(args: JsonObject): readonly string[] {
  return Object.values(args).filter((value): value is string => typeof value === 'string' && value.includes(':'));
}

function requiredTargets(task: StoredObject): readonly string[] {
  const requires = task.state['requires'];
  const effects = typeof requires === 'object' && requires !== null && 'effects' in requires ? requires['effects'] : [];
  return Array.isArray(effects)
    ? effects.flatMap((effect: Json) => (typeof effect === 'object' && effect !== null && 'target' in effect ? [String(effect['target'])] : []))
    : [];
}

/** One declared to-one relationship apart, in either direction. */
function related(draft: Draft, a: string, b: string): boolean {
  return pointsAt(draft, a, b) || pointsAt(draft, b, a);
}

function pointsAt(draft: Draft, from: string, to: string): boolean {
  const object = draft.object(from);
  const definition = object === undefined ? undefined : draft.sealed.manifest.types[object.type];
  if (object === undefined || definition === undefined) return false;
  return Object.values(definition.relationships).some((relation) => relation.cardinality === 'one' && object.state[relation.field] === to);
}

/** The built-in rules over what an internal action would change. `values`: whether they may show what they saw. */
export function checkPlan(draft: Draft, ask: Ask, plan: Plan, values = false): readonly Failing[] {
  const { target } = ask;
  const changed = plan.puts.find(({ id }) => id === target?.id);
  const of = target === undefined ? [] : [{ id: target.id, type: target.type, create: false, fields: changed?.fields ?? {} }];
  const moved = [...of, ...plan.puts.filter((put) => put !== changed)].filter((put) => !movesAsDeclared(draft, ask, put));
  const failing = moved.map(({ id }) => ruleFailure('lifecycle', values && id === target?.id ? { state: lifecycleState(draft, id) } : {}));
  for (const put of plan.puts) failing.push(...checkPut(draft, ask, put));
  return failing;
}

function lifecycleState(draft: Draft, id: string): Json {
  const object = draft.object(id);
  const lifecycle = object === undefined ? undefined : draft.sealed.manifest.types[object.type]?.lifecycle;
  return lifecycle === undefined ? null : (object?.state[lifecycle.field] ?? lifecycle.initial);
}

/** `lifecycle`: an action that moves states starts from one of its own, and no state is reached but by a declared move of this action. */
function movesAsDeclared(draft: Draft, ask: Ask, put: Plan['puts'][number]): boolean {
  const lifecycle = draft.sealed.manifest.types[put.type]?.lifecycle;
  if (lifecycle === undefined) return true;
  const at = put.create ? lifecycle.initial : String(lifecycleState(draft, put.id));
  const own = lifecycle.moves.filter((move) => move.action === ask.action.name);
  const from = own.filter((move) => move.from.includes(at));
  if (put.id === ask.target?.id && own.length > 0 && from.length === 0) return false;
  const next = put.fields[lifecycle.field];
  return next === undefined || next === at || from.some((move) => move.to.some((state) => state === next));
}

function checkPut(draft: Draft, ask: Ask, put: Plan['puts'][number]): readonly Failing[] {
  const definition = draft.sealed.manifest.types[put.type];
  if (definition === undefined) return [];
  const failing: Failing[] = [];
  for (const relation of Object.values(definition.relationships)) {
    if (relation.cardinality !== 'one') continue;
    const id = put.fields[relation.field];
    if (typeof id !== 'string') continue;
    const object = draft.object(id);
    const good = object !== undefined && inScope(draft, ask.actor, object) && (relation.to.includes(object.type) || relation.to.includes('*'));
    if (!good) failing.push(ruleFailure(`reference:${relation.field}`));
  }
  for (const field of definition.unique) {
    const value = put.fields[field];
    if (value === undefined || value === null) continue;
    const holder = draft.cell<string>(cellKeys.unique(put.type, field, value));
    if (holder !== undefined && holder !== put.id) failing.push(ruleFailure(`unique:${field}`));
  }
  for (const field of definition.constant ?? []) {
    const value = put.fields[field];
    const common = draft.cell<Json>(cellKeys.constant(put.type, field));
    if (value !== undefined && common !== undefined && !same(value, common)) failing.push(ruleFailure(`constant:${field}`));
  }
  return failing;
}
