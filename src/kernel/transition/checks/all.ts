// Responsibility: the eleven checks over one proposal, reported in the one precedence (design §7).
// Boundary: reads only; what is done with the result is admit.ts.
// Invariants: 1, 2, 3 and 6 close; otherwise everything that can be evaluated is, in the order 9 10 4 5 8 11 7.

import type { SealedAction } from '../../manifest/seal.ts';
import { approvalFailing, checkApproval, type ApprovalVerdict } from '../approvals.ts';
import { effectIdentity, relatedObjects, type Ask } from '../ask.ts';
import type { Draft } from '../draft.ts';
import type { ProposalInput } from '../inputs.ts';
import { lawOf } from '../laws/index.ts';
import type { Failing } from '../outcomes.ts';
import { EMPTY_PLAN, planTreatment, type Plan } from '../treatments.ts';
import { checkAction, checkAuthority, checkSight, checkTarget } from './identity.ts';
import { checkPlan, checkRules, checkTask } from './preconditions.ts';
import { checkCompletion, checkFence } from './repetition.ts';
import { checkBudgets, checkIntegration } from './resources.ts';

export interface Checked {
  readonly failing: readonly Failing[];
  readonly ask: Ask | undefined;
  /** What an internal action would change. */
  readonly plan: Plan;
  readonly approval: ApprovalVerdict;
}

const CLOSED: Omit<Checked, 'failing'> = { ask: undefined, plan: EMPTY_PLAN, approval: { kind: 'not_needed' } };

/** All checks of a proposal. `attempt` is the id that its own attempt would have (for what it makes). */
export function checkProposal(draft: Draft, input: ProposalInput, attempt: string): Checked {
  const action = draft.sealed.actions.get(input.action);
  const first = checkAction(action, input);
  if (first !== undefined || action === undefined) return { ...CLOSED, failing: first === undefined ? [] : [first] };
  const second = checkTarget(draft, action, input) ?? checkAuthority(draft, action, input);
  if (second !== undefined) return { ...CLOSED, failing: [second] };
  const ask = askFrom(draft, action, input);
  const law = lawOf(action);
  if (law?.authority !== undefined && !law.authority(draft, ask)) {
    return { ...CLOSED, failing: [{ check: 6, code: 'not_authorized', detail: { action: action.name } }] };
  }
  return checkRest(draft, ask, { input, attempt });
}

/** The checks after authority: also what a grant and a cleared preflight run again (without sight, which the approval's revision stands for). */
export function checkRest(draft: Draft, ask: Ask, about: { readonly input: ProposalInput | null; readonly attempt: string }): Checked {
  const failing: Failing[] = [];
  const { effect } = ask;
  if (effect !== undefined) failing.push(...[checkCompletion(draft, ask, effect), checkFence(draft, effect)].filter((found) => found !== undefined));
  const sight = about.input === null ? revisionOnly(ask) : checkSight(draft, ask.target, about.input);
  failing.push(...sight, ...checkRules(draft, ask, sight.length === 0));
  const law = lawOf(ask.action);
  if (law?.rules !== undefined) failing.push(...law.rules(draft, ask));
  const fits = checkTask(draft, ask);
  if (fits !== undefined) failing.push(fits);
  const plan = effect === undefined ? planTreatment(draft, ask, ask.action.treatments.get('Succeeded'), { attempt: about.attempt }) : EMPTY_PLAN;
  failing.push(...checkPlan(draft, ask, plan, sight.length === 0));
  if (effect === undefined) return { failing, ask, plan, approval: { kind: 'not_needed' } };
  failing.push(...checkBudgets(draft, ask, effect));
  const integration = checkIntegration(draft, ask);
  if (integration !== undefined) failing.push(integration);
  const approval = checkApproval(draft, ask, effect);
  const wanted = approvalFailing(approval);
  if (wanted !== undefined) failing.push(wanted);
  return { failing, ask, plan, approval };
}

function revisionOnly(ask: Ask): readonly Failing[] {
  return ask.target?.revision === ask.expectedRevision ? [] : [{ check: 4, code: 'stale_revision', detail: { target: ask.targetId } }];
}

function askFrom(draft: Draft, action: SealedAction, input: ProposalInput): Ask {
  const args = input.parameters.valid ? input.parameters.value : {};
  const base: Omit<Ask, 'related' | 'effect'> = {
    action,
    actor: input.actor,
    targetId: input.target,
    target: action.definition.creates === true ? undefined : draft.object(input.target),
    task: input.task === null ? undefined : draft.object(input.task),
    args,
    expectedRevision: input.expectedRevision,
    observed: input.observed,
    withParameters: true,
    facts: input.facts,
    continues: null,
  };
  const effect = action.definition.class === 'effect' ? effectIdentity(draft, action, { target: input.target, args, task: input.task }) : undefined;
  return { ...base, related: relatedObjects(draft, action, base), effect };
}
