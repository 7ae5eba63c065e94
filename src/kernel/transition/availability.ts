// Responsibility: whether an action can be admitted now for some parameters (design §11), and what a refusal may offer instead.
// Boundary: runs the checks that need no parameters; agrees with decide by construction, since it is the same code.
// Invariants: never says unavailable where some parameters would pass; what only parameters decide is `needs` or `depends`.

import { LIMITS } from '../base/limits.ts';
import { evaluate } from '../condition/evaluate.ts';
import type { SealedAction, SealedWorld } from '../manifest/seal.ts';
import { ANYBODY, conditionScope, effectIdentity, inScope, relatedObjects, type Ask } from './ask.ts';
import { applies } from './checks/identity.ts';
import { kindOf } from './checks/outcome-of-failing.ts';
import { checkPlan, checkRules } from './checks/preconditions.ts';
import { checkFence } from './checks/repetition.ts';
import { checkBudgets, checkIntegration } from './checks/resources.ts';
import type { Draft } from './draft.ts';
import type { Actor } from './inputs.ts';
import { lawOf } from './laws/index.ts';
import { PRECEDENCE, type Failing, type PermittedNext, type RefusalCode } from './outcomes.ts';
import type { StoredObject } from './state.ts';
import { EMPTY_PLAN } from './treatments.ts';

export interface Availability {
  readonly action: string;
  readonly available: boolean;
  readonly code?: RefusalCode;
  /** The failing check that needs no parameters, where unavailable. */
  readonly failing?: Failing;
  readonly needs?: 'approval';
  /** Rules that only parameters decide. */
  readonly depends?: readonly string[];
}

const byType = new WeakMap<SealedWorld, Map<string, readonly SealedAction[]>>();

/** The actions whose target may be an object of a type, in the manifest's order. Creations are not among them. */
export function actionsOn(sealed: SealedWorld, type: string): readonly SealedAction[] {
  const known = byType.get(sealed) ?? new Map<string, readonly SealedAction[]>();
  byType.set(sealed, known);
  const found = known.get(type) ?? [...sealed.actions.values()].filter(({ definition }) => definition.creates !== true && applies(definition.target, type));
  known.set(type, found);
  return found;
}

/** The actions that create, in the manifest's order. */
export function creations(sealed: SealedWorld): readonly SealedAction[] {
  return [...sealed.actions.values()].filter(({ definition }) => definition.creates === true);
}

function askWithout(draft: Draft, action: SealedAction, actor: Actor, target: StoredObject): Ask {
  const base: Omit<Ask, 'related' | 'effect'> = {
    action,
    actor,
    targetId: target.id,
    target,
    task: undefined,
    args: {},
    expectedRevision: target.revision,
    observed: { kind: 'none' },
    withParameters: false,
    facts: {},
    continues: null,
  };
  const effect = action.definition.class === 'effect' ? effectIdentity(draft, action, { target: target.id, args: {}, task: null }) : undefined;
  return { ...base, related: relatedObjects(draft, action, base), effect };
}

/** Whether the action may be taken on the object now; undefined where the actor could never take it (role, or the law's authority). */
export function availability(draft: Draft, actor: Actor, action: SealedAction, target: StoredObject): Availability | undefined {
  if (!actor.roles.some((role) => action.definition.roles.includes(role))) return undefined;
  const ask = askWithout(draft, action, actor, target);
  const law = lawOf(action);
  if (law?.authority !== undefined && !law.authority(draft, ask)) return undefined;
  const failing = parameterless(draft, ask);
  const [first] = [...failing].sort((a, b) => PRECEDENCE.indexOf(a.check) - PRECEDENCE.indexOf(b.check));
  if (first !== undefined) return { action: action.name, available: false, code: first.code, failing: first };
  const depends = dependsOn(draft, ask);
  const asks = action.approvals.length > 0 && action.approvals.some(({ node }) => evaluate(node, conditionScope(draft, ask)).truth !== 'false');
  return { action: action.name, available: true, ...(asks ? { needs: 'approval' as const } : {}), ...(depends.length > 0 ? { depends } : {}) };
}

function parameterless(draft: Draft, ask: Ask): readonly Failing[] {
  const failing: Failing[] = [];
  const { action, effect } = ask;
  if (effect !== undefined && action.definition.fence === 'target') {
    const fence = checkFence(draft, effect);
    if (fence !== undefined) failing.push(fence);
  }
  failing.push(...checkRules(draft, ask, false));
  const law = lawOf(action);
  const rules = law?.always ?? law?.rules;
  if (rules !== undefined) failing.push(...rules(draft, ask));
  failing.push(...checkPlan(draft, ask, EMPTY_PLAN, true));
  if (effect === undefined) return failing;
  failing.push(...checkBudgets(draft, ask, effect));
  const integration = checkIntegration(draft, ask);
  if (integration !== undefined) failing.push(integration);
  return failing;
}

function dependsOn(draft: Draft, ask: Ask): readonly string[] {
  const scope = conditionScope(draft, ask);
  return ask.action.rules.filter(({ node }) => evaluate(node, scope).truth === 'unknown').map(({ name }) => name);
}

/** What may be done next, after a refusal that does not close: actions on the target, on the attempt or approval in the way, on the task. */
export function permittedNext(draft: Draft, ask: Ask | undefined, failing: readonly Failing[]): readonly PermittedNext[] {
  if (ask === undefined) return [];
  const ids = [ask.targetId, ...failing.flatMap(({ detail }) => [detail['attempt'], detail['approval'], detail['integration']]), ask.task?.id];
  const found: PermittedNext[] = [];
  for (const id of new Set(ids.filter((each): each is string => typeof each === 'string'))) {
    const object = draft.object(id);
    if (object === undefined || !inScope(draft, ask.actor, object)) continue;
    for (const action of actionsOn(draft.sealed, object.type)) {
      if (found.length >= LIMITS.permittedNextMax) return found;
      if (id === ask.targetId && action.name === ask.action.name) continue;
      if (availability(draft, ask.actor, action, object)?.available === true) found.push({ action: action.name, target: id });
    }
  }
  return found;
}

/** Codes that a pending decision, a reconciliation, a reconnection or time will lift: waiting, not the end. */
const WAITING: readonly RefusalCode[] = [
  'in_flight',
  'in_doubt',
  'authentication_required',
  'integration_unavailable',
  'approval_required',
  'resource_exhausted',
];

/** Why no parameters can bring the effect about any more; undefined while some could, or while something is waited for. */
export function closedFor(draft: Draft, action: SealedAction, target: StoredObject): Failing | undefined {
  const failing = parameterless(draft, askWithout(draft, action, ANYBODY, target));
  if (failing.some(({ code }) => WAITING.includes(code))) return undefined;
  return failing.find((each) => kindOf(each) === 'Rejected' || kindOf(each) === 'Incompatible');
}
