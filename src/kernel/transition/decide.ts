// Responsibility: the transition function: same manifest, state and input give the same decision, byte for byte (design §3).
// Boundary: reads a sealed world and a view; returns data. The shell commits it, then acts on its commands.
// Invariants: total over all inputs; no clock, randomness, I/O; a fault throws and so commits nothing.

import { previewProposal, decideProposal, finish } from './admit.ts';
import { expireUnsent, isExpired, voidApproval } from './approvals.ts';
import { attemptCell, setAttemptCell } from './attempts.ts';
import { cellKeys } from './cells.ts';
import { Draft } from './draft.ts';
import { available, decideEvidence } from './evidence.ts';
import type { ClearedInput, ClockInput, AdvanceInput, GenesisInput, Input, ProposalInput, TimerReference } from './inputs.ts';
import { sendCleared } from './dispatch.ts';
import { askOf, readBackDelayMs, settle, stopPreflight } from './settle.ts';
import type { SealedWorld } from '../manifest/seal.ts';
import type { Outcome } from './outcomes.ts';
import type { Decision, WorldView } from './state.ts';
import { instantMs } from '../base/time.ts';
import { textField } from './ask.ts';

/** Decides one input. The view must show the state before it; nothing is written. */
export function decide(sealed: SealedWorld, view: WorldView, input: Input): Decision {
  const draft = new Draft(sealed, view, input.at);
  switch (input.kind) {
    case 'proposal':
      return decideProposal(draft, input);
    case 'evidence':
      return decideEvidence(draft, input);
    case 'cleared':
      return decideCleared(draft, input);
    case 'clock':
      return decideClock(draft, input);
    case 'advance':
      return decideAdvance(draft, input);
    case 'genesis':
      return decideGenesis(draft, input);
  }
}

/** What `decide` would answer to a proposal now: the refusal, or null where it would be admitted. Writes nothing. */
export function preview(sealed: SealedWorld, view: WorldView, input: ProposalInput): Outcome | null {
  return previewProposal(new Draft(sealed, view, input.at), input);
}

/** A preflight found no earlier epoch. The target must not have moved meanwhile, and an approval must still hold: else nothing is sent. */
function decideCleared(draft: Draft, input: ClearedInput): Decision {
  const attempt = draft.object(input.attempt);
  const cell = attemptCell(draft, input.attempt);
  if (attempt === undefined || cell === undefined || cell.phase !== 'preflight' || attempt.state['status'] !== 'dispatched') {
    return finish(draft, 'cleared', { outcome: null, attempt: input.attempt });
  }
  const ask = askOf(draft, attempt, cell);
  const approval = cell.approval === null ? undefined : draft.object(cell.approval);
  if (approval !== undefined && isExpired(draft, approval)) {
    stopPreflight(draft, input.attempt, { check: 7, code: 'approval_expired', detail: { approval: approval.id } });
    expireUnsent(draft, approval, cell.fence);
  } else if (ask.effect === undefined || ask.target?.revision !== ask.expectedRevision) {
    settle(draft, input.attempt, {
      says: 'preflight_failed',
      status: null,
      rank: 0,
      code: 'target_moved',
      fields: {},
      retryAfterMs: null,
      source: 'preflight',
      evidence: null,
    });
  } else {
    sendCleared(draft, ask, ask.effect, input.attempt);
  }
  return finish(draft, 'cleared', { outcome: null, attempt: input.attempt });
}

function decideClock(draft: Draft, input: ClockInput): Decision {
  for (const due of input.due) runDue(draft, due);
  return finish(draft, 'clock', { outcome: null, attempt: null });
}

function runDue(draft: Draft, due: TimerReference): void {
  draft.untimer(due.kind, due.ref);
  const object = draft.object(due.ref);
  if (object === undefined) return;
  switch (due.kind) {
    case 'expiry': {
      const open = object.state['status'] === 'pending' || object.state['status'] === 'granted';
      if (!open || !isExpired(draft, object)) return;
      voidApproval(draft, object, { kind: 'Rejected', check: 7, code: 'approval_expired', detail: { approval: object.id } }, 'expired');
      draft.event('approval.expired', object.id, {});
      return;
    }
    case 'read_back':
      return readBackDue(draft, due.ref);
    case 'retry':
      if (object.state['status'] === 'unavailable' && (instantMs(textField(object, 'retryAt') ?? '') ?? 0) <= draft.at)
        available(draft, object.id, 'retry_at_reached');
  }
}

/** One read-back now, and a timer for the next that is still to come: those that were slept through are not made up for. */
function readBackDue(draft: Draft, id: string): void {
  const cell = attemptCell(draft, id);
  if (cell === undefined || draft.required(id).state['certainty'] !== 'in_doubt') return;
  const doubtAt = cell.doubtAt ?? draft.at;
  const dueAt = (number: number): number => (readBackDelayMs(number) < 0 ? Infinity : doubtAt + readBackDelayMs(number));
  let readBacks = cell.readBacks + 1;
  while (dueAt(readBacks) <= draft.at) readBacks += 1;
  setAttemptCell(draft, id, { readBacks });
  if (dueAt(readBacks) < Infinity) draft.timer({ kind: 'read_back', ref: id, at: dueAt(readBacks) });
  else draft.event('reconciliation.needs_person', id, {});
  draft.command({ do: 'read_back', attempt: id, asker: null });
  draft.event('read_back.due', id, { number: readBacks });
}

function decideAdvance(draft: Draft, input: AdvanceInput): Decision {
  draft.setCell(cellKeys.clock, (draft.cell<number>(cellKeys.clock) ?? 0) + input.advanceMs);
  draft.event('clock.advanced', 'Clock:world', { advanceMs: input.advanceMs, by: input.actor.id });
  return finish(draft, 'advance', { outcome: null, attempt: null });
}

/** The birth of a world: integrations exist from the start, disconnected; budgets with their declared limits. */
function decideGenesis(draft: Draft, input: GenesisInput): Decision {
  const by = input.actor.id;
  for (const [name, contract] of Object.entries(draft.sealed.manifest.adapters)) {
    const state = {
      status: 'disconnected',
      adapter: contract.kind,
      endpoint: null,
      connection: 0,
      live: false,
      retryAt: null,
      cause: 'never connected',
      settings: {},
    };
    draft.create(`Integration:${name}`, state, by, 'integration');
  }
  for (const [name, budget] of Object.entries(draft.sealed.manifest.budgets)) {
    draft.create(`Budget:${name}`, { limit: budget.limit, unit: budget.unit, period: budget.period }, by, 'budget');
  }
  draft.event('world.born', `World:${input.world}`, { manifest: draft.sealed.hash });
  return finish(draft, 'genesis', { outcome: null, attempt: null });
}
