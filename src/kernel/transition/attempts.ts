// Responsibility: ActionAttempt objects: made once per recorded proposal, repeated refusals counted on one (design §2, §7).
// Boundary: writes attempts and their private cells; outcomes are decided elsewhere.
// Invariants: an attempt never disappears; tries and refusals are counted outside its revision.

import { digestHex } from '../base/digest.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { cellKeys, type AttemptCell } from './cells.ts';
import type { Draft } from './draft.ts';
import type { ProposalInput } from './inputs.ts';
import { outcomeJson, type Certainty, type Outcome } from './outcomes.ts';

export type AttemptStatus = 'awaiting_approval' | 'dispatched' | 'settled';

export interface NewAttempt {
  readonly id: string;
  readonly action: string;
  readonly target: string;
  readonly targetRevision: number;
  readonly parameters: JsonObject;
  readonly actor: string;
  readonly task: string | null;
  readonly predecessor: string | null;
  readonly expectedOutcome: string | null;
  readonly outcome: Outcome | null;
  readonly certainty: Certainty;
  readonly status: AttemptStatus;
  readonly correlationId: string | null;
  readonly epoch: number;
  readonly attemptCount: number;
  readonly refusedCount: number;
  readonly retry: JsonObject;
}

/** What a proposal says of itself, for an attempt. Parameters that did not fit are kept as a digest only. */
export function fromInput(
  input: ProposalInput,
): Pick<NewAttempt, 'action' | 'parameters' | 'actor' | 'task' | 'predecessor' | 'expectedOutcome' | 'targetRevision'> {
  return {
    action: input.action,
    parameters: input.parameters.valid ? input.parameters.value : {},
    actor: input.actor.id,
    task: input.task,
    predecessor: input.predecessor,
    expectedOutcome: input.expectedOutcome,
    targetRevision: input.expectedRevision,
  };
}

export const NO_RETRY: JsonObject = { remaining: null, ceilingRemaining: null };

export function createAttempt(draft: Draft, attempt: NewAttempt, mark: string | null): void {
  const settled = attempt.status === 'settled';
  const state: { [field: string]: Json } = {
    ...attempt,
    outcome: outcomeJson(attempt.outcome),
    evidence: [],
    permittedNext: permitted(attempt.outcome),
    manifest: draft.sealed.hash,
    createdAt: draft.now,
    settledAt: settled ? draft.now : null,
  };
  draft.create(attempt.id, state, attempt.actor, mark);
}

function permitted(outcome: Outcome | null): Json {
  return (outcome?.permittedNext ?? []).map(({ action, target }) => ({ action, target }));
}

/** Changes an attempt's own state. A settled outcome brings `settledAt` and what may be done next. */
export function moveAttempt(
  draft: Draft,
  id: string,
  patch: { readonly outcome?: Outcome | null; readonly [field: string]: unknown },
  mark?: string | null,
): void {
  const { outcome, ...rest } = patch;
  const state: { [field: string]: Json } = { ...(rest as JsonObject) };
  if (outcome !== undefined) {
    state['outcome'] = outcomeJson(outcome);
    state['permittedNext'] = permitted(outcome);
  }
  if (state['status'] === 'settled') state['settledAt'] = draft.now;
  draft.move(id, state, mark);
}

export function attemptCell(draft: Draft, id: string): AttemptCell | undefined {
  return draft.cell<AttemptCell>(cellKeys.attempt(id));
}

export function setAttemptCell(draft: Draft, id: string, patch: Partial<AttemptCell>): AttemptCell {
  const before = attemptCell(draft, id) ?? BLANK;
  const next: AttemptCell = { ...before, ...patch };
  draft.setCell(cellKeys.attempt(id), next);
  return next;
}

const BLANK: AttemptCell = {
  signature: '',
  fence: '',
  chain: '',
  epoch: 0,
  phase: 'none',
  amount: 0,
  groups: [],
  budget: null,
  spentDay: null,
  retryKey: null,
  counted: 'none',
  rank: 0,
  providerStatus: null,
  sentAt: null,
  cutAt: null,
  doubtAt: null,
  readBacks: 0,
  lastReadBackAt: null,
  conflict: false,
  approval: null,
  proposerRoles: [],
  evidence: {},
};

/** The same refused proposal: actor, action, target, parameters. */
export function refusalKey(draft: Draft, input: ProposalInput): string {
  const parameters: Json = input.parameters.valid ? input.parameters.value : input.parameters.digest;
  return digestHex([draft.view.birthId, input.actor.id, input.action, input.target, parameters]);
}

/** Records a refusal: on the attempt that was refused before, or on a new one. Returns the attempt's id. */
export function recordRefusal(draft: Draft, input: ProposalInput, outcome: Outcome): string {
  const key = cellKeys.refused(refusalKey(draft, input));
  const known = draft.cell<string>(key);
  if (known !== undefined) {
    const before = draft.required(known);
    draft.note(known, {
      state: { refusedCount: Number(before.state['refusedCount'] ?? 0) + 1, outcome: outcomeJson(outcome), permittedNext: permitted(outcome) },
    });
    return known;
  }
  const id = draft.newId('ActionAttempt');
  const target = input.target.slice(0, 160);
  createAttempt(
    draft,
    {
      ...fromInput(input),
      action: input.action.slice(0, 128),
      id,
      target,
      outcome,
      certainty: 'none',
      status: 'settled',
      correlationId: null,
      epoch: 0,
      attemptCount: 0,
      refusedCount: 1,
      retry: NO_RETRY,
    },
    null,
  );
  draft.setCell(key, id);
  return id;
}
