// Responsibility: what a decided proposal does to the world: refuse, ask a person, carry out, or start an effect.
// Boundary: the checks are in checks/; effects are started in dispatch.ts; evidence comes back through evidence.ts.
// Invariants: a refusal changes nothing but its record; an admitted proposal is one attempt; the transition that admits an effect is its dispatch.

import { isBareType } from '../base/ids.ts';
import { DAY_MS } from '../base/limits.ts';
import { utcDay } from '../base/time.ts';
import { askForApproval } from './approvals.ts';
import { inScope, type Ask } from './ask.ts';
import { createAttempt, fromInput, moveAttempt, NO_RETRY, recordRefusal } from './attempts.ts';
import { permittedNext } from './availability.ts';
import { cellKeys } from './cells.ts';
import { checkProposal, type Checked } from './checks/all.ts';
import { outcomeOfFailing } from './checks/outcome-of-failing.ts';
import { startEffect } from './dispatch.ts';
import type { Draft } from './draft.ts';
import type { ProposalInput } from './inputs.ts';
import { runApproved } from './laws/approval.ts';
import { lawOf } from './laws/index.ts';
import type { Failing, Outcome } from './outcomes.ts';
import type { Decision } from './state.ts';
import { clearRefusals, countRefusal } from './tasks.ts';
import { considerClosedWays } from './terminality.ts';
import { applyPlan } from './treatments.ts';

/** Decides a proposal on a fresh draft. */
export function decideProposal(draft: Draft, input: ProposalInput): Decision {
  const attempt = draft.newId('ActionAttempt');
  const checked = checkProposal(draft, input, attempt);
  const [first, ...more] = checked.failing;
  if (first === undefined) return admit(draft, input, { checked, attempt });
  const onlyApproval = more.length === 0 && checked.approval.kind === 'ask';
  if (onlyApproval && checked.approval.kind === 'ask' && checked.ask?.effect !== undefined) return park(draft, input, checked);
  return refuse(draft, input, { checked, failing: [first, ...more] });
}

/** Only what `decide` would answer; nothing is kept. */
export function previewProposal(draft: Draft, input: ProposalInput): Outcome | null {
  const checked = checkProposal(draft, input, draft.newId('ActionAttempt'));
  const [first, ...more] = checked.failing;
  return first === undefined ? null : outcomeOfFailing([first, ...more], permittedNext(draft, checked.ask, checked.failing));
}

function appear(draft: Draft, input: ProposalInput): void {
  const { id, roles } = input.actor;
  if (draft.object(id) === undefined) draft.create(id, { roles: [...roles] }, id);
}

interface Refusal {
  readonly checked: Checked;
  readonly failing: readonly [Failing, ...Failing[]];
}

/** Refusals are bounded per actor and day: past the bound nothing is written, and the answer is 429. */
function refuse(draft: Draft, input: ProposalInput, { checked, failing }: Refusal): Decision {
  const key = cellKeys.refusals(input.actor.id);
  const today = utcDay(draft.at);
  const before = draft.cell<{ day: string; count: number }>(key);
  const count = before?.day === today ? before.count : 0;
  if (count >= draft.sealed.manifest.limits.refusalsPerActorDay) {
    return { ...blank('proposal'), recorded: false, retryAfterMs: DAY_MS - (draft.at % DAY_MS) };
  }
  const outcome = outcomeOfFailing(failing, permittedNext(draft, checked.ask, failing));
  const standing = checked.approval.kind === 'refused' && failing.length === 1 ? checked.approval.same : null;
  const attempt = standing === null ? recordRefusal(draft, input, outcome) : repeatParked(draft, String(standing.state['attempt']));
  draft.setCell(key, { day: today, count: count + 1 });
  const named = input.task === null ? undefined : draft.object(input.task);
  if (named !== undefined && inScope(draft, input.actor, named)) countRefusal(draft, named);
  return finish(draft, 'proposal', { outcome, attempt });
}

/** The same proposal again, while a person is asked: the same attempt and approval. */
function repeatParked(draft: Draft, attempt: string): string {
  const before = draft.required(attempt);
  draft.note(attempt, { state: { refusedCount: Number(before.state['refusedCount'] ?? 0) + 1 } });
  return attempt;
}

function park(draft: Draft, input: ProposalInput, checked: Checked): Decision {
  const { ask, approval } = checked;
  if (ask?.effect === undefined || approval.kind !== 'ask') throw new Error('a proposal is parked only for an approval');
  const pending = draft.cell<number>(cellKeys.approvals) ?? 0;
  const { approvalsMax } = draft.sealed.manifest.limits;
  if (pending >= approvalsMax) {
    const full: Failing = { check: 8, code: 'resource_exhausted', detail: { limit: 'approvals', max: approvalsMax } };
    return refuse(draft, input, { checked, failing: [full, ...checked.failing] });
  }
  appear(draft, input);
  const { attempt, outcome } = askForApproval(draft, ask, ask.effect, { input, verdict: approval });
  clearRefusals(draft, ask.task);
  const next = permittedNext(draft, ask, outcome.failing ?? []);
  const whole: Outcome = { ...outcome, permittedNext: next };
  moveAttempt(draft, attempt, { outcome: whole });
  return finish(draft, 'proposal', { outcome: whole, attempt });
}

function admit(draft: Draft, input: ProposalInput, { checked, attempt }: { checked: Checked; attempt: string }): Decision {
  const { ask, approval } = checked;
  if (ask === undefined) throw new Error('an admitted proposal has been looked at');
  appear(draft, input);
  clearRefusals(draft, ask.task);
  if (approval.kind === 'granted') {
    const parked = String(approval.approval.state['attempt']);
    runApproved(draft, approval.approval, ask, parked);
    return finish(draft, 'proposal', { outcome: null, attempt: parked });
  }
  const proposal = {
    ...fromInput(input),
    id: attempt,
    target: ask.targetId,
    certainty: 'none',
    status: 'settled',
    correlationId: null,
    epoch: 0,
    attemptCount: 0,
    refusedCount: 0,
    retry: NO_RETRY,
    outcome: null,
  } as const;
  if (ask.effect !== undefined) {
    startEffect(draft, ask, ask.effect, { id: attempt, proposal });
    return finish(draft, 'proposal', { outcome: null, attempt });
  }
  return carryOut(draft, input, { checked, ask, attempt, proposal });
}

type NewProposal = Parameters<typeof createAttempt>[1];

/** An internal action or a read: the law or the manifest's treatment is the whole of it. */
function carryOut(
  draft: Draft,
  input: ProposalInput,
  about: { readonly checked: Checked; readonly ask: Ask; readonly attempt: string; readonly proposal: NewProposal },
): Decision {
  const { checked, ask, attempt, proposal } = about;
  const law = lawOf(ask.action);
  const carried = law === undefined ? { outcome: { kind: 'Succeeded' } as Outcome } : law.carryOut({ draft, ask, input, attempt });
  applyPlan(draft, ask, checked.plan);
  const created = 'created' in carried ? carried.created : createdBy(ask, checked);
  const target = created ?? ask.targetId;
  const waits = carried.outcome === null;
  createAttempt(draft, { ...proposal, target, outcome: carried.outcome, status: waits ? 'dispatched' : 'settled' }, waits ? 'reading' : null);
  return finish(draft, 'proposal', { outcome: carried.outcome, attempt });
}

function createdBy(ask: Ask, checked: Checked): string | undefined {
  if (!isBareType(ask.targetId)) return undefined;
  return checked.plan.puts.find(({ create, type }) => create && type === ask.targetId)?.id;
}

export function blank(kind: Decision['kind']): Decision {
  return { kind, outcome: null, attempt: null, changes: [], events: [], commands: [], recorded: true, retryAfterMs: 0 };
}

/** Ends a transition: tasks that nothing can advance any more are said to be incomplete, in the same step. */
export function finish(draft: Draft, kind: Decision['kind'], answer: Pick<Decision, 'outcome' | 'attempt'>): Decision {
  considerClosedWays(draft);
  return { ...blank(kind), ...answer, changes: draft.changes(), events: draft.events, commands: draft.commands };
}
