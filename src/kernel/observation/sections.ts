// Responsibility: the mandatory sections of a frame: unresolved and completed effects, blockers, approvals, budgets (design §11).
// Boundary: each section is bounded by the manifest's limits; optional content is in compile.ts.
// Invariants: nothing here is ever dropped for want of room; everything is filtered by the actor's scope.

import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import { isoInstant } from '../base/time.ts';
import { inScope, objectField, textField } from '../transition/ask.ts';
import { attemptCell } from '../transition/attempts.ts';
import { cellKeys } from '../transition/cells.ts';
import type { Draft } from '../transition/draft.ts';
import type { Actor } from '../transition/inputs.ts';
import type { StoredObject } from '../transition/state.ts';
import { budgetUse } from '../transition/sums.ts';
import type { EffectEntry } from './frame.ts';
import { capped, ENTRY_BOUNDS } from './object-view.ts';
import { inSight } from './sight.ts';

function seen(draft: Draft, actor: Actor, mark: string, limit: number): readonly StoredObject[] {
  return inSight(draft, actor, limit, (size) => draft.view.marked(mark, size)).objects;
}

/** Outcomes without traces: kind, check, code. The attempt itself has the rest. */
function brief(outcome: Json | undefined): Json {
  if (!isJsonObject(outcome)) return null;
  const { kind, check, code } = outcome;
  return { kind: kind ?? null, ...(check === undefined ? {} : { check }), ...(code === undefined ? {} : { code }) };
}

export function attemptEntry(draft: Draft, attempt: StoredObject, more: JsonObject = {}): EffectEntry {
  const { state } = attempt;
  const cell = attemptCell(draft, attempt.id);
  const since = cell?.doubtAt ?? cell?.sentAt ?? attempt.createdAt;
  return {
    attempt: attempt.id,
    action: textField(attempt, 'action'),
    target: textField(attempt, 'target'),
    outcome: brief(state['outcome']),
    certainty: textField(attempt, 'certainty'),
    since: isoInstant(since),
    task: textField(attempt, 'task'),
    ...more,
  };
}

export function unresolvedEntries(draft: Draft, actor: Actor): readonly EffectEntry[] {
  const max = draft.sealed.manifest.limits.unresolvedMax;
  return seen(draft, actor, 'unresolved', max).map((attempt) => attemptEntry(draft, attempt, { status: textField(attempt, 'status') }));
}

/** Landed (and reverted) effects of the given objects and task, newest first. */
export function completedEntries(draft: Draft, actor: Actor, ids: readonly string[]): readonly EffectEntry[] {
  const attempts = new Set(ids.flatMap((id) => draft.cell<readonly string[]>(cellKeys.completedOn(id)) ?? []));
  const found = [...attempts].map((id) => draft.object(id)).filter((object) => object !== undefined && inScope(draft, actor, object)) as StoredObject[];
  found.sort((a, b) => b.changedIn - a.changedIn || (a.id < b.id ? -1 : 1));
  return found.map((attempt) => ({
    ...attemptEntry(draft, attempt),
    since: textField(attempt, 'settledAt') ?? isoInstant(attempt.createdAt),
    parameters: identifying(draft, attempt),
  }));
}

/** The parameters that make an effect the same one again, and its amount: the attempt has the rest. */
function identifying(draft: Draft, attempt: StoredObject): Json {
  const definition = draft.sealed.actions.get(textField(attempt, 'action') ?? '')?.definition;
  const names = [...(definition?.identity ?? []), ...(definition?.amount === undefined ? [] : [definition.amount])];
  const parameters = Object.entries(objectField(attempt, 'parameters')).filter(([name]) => names.includes(name));
  return capped(Object.fromEntries(parameters), ENTRY_BOUNDS);
}

function approvalEntry(draft: Draft, approval: StoredObject, more: JsonObject): EffectEntry {
  const { state } = approval;
  return {
    attempt: textField(approval, 'attempt'),
    action: textField(approval, 'action'),
    target: textField(approval, 'target'),
    outcome: brief(draft.object(String(state['attempt']))?.state['outcome']),
    certainty: 'none',
    since: isoInstant(approval.createdAt),
    approval: approval.id,
    status: state['status'] ?? null,
    role: state['role'] ?? null,
    proposer: state['proposer'] ?? null,
    expiresAt: state['expiresAt'] ?? null,
    ...more,
  };
}

export function approvalEntries(draft: Draft, actor: Actor): readonly EffectEntry[] {
  const max = draft.sealed.manifest.limits.approvalsMax;
  return [...seen(draft, actor, 'pending', max), ...seen(draft, actor, 'granted', max)].map((approval) =>
    approvalEntry(draft, approval, { parameters: capped(approval.state['parameters'] ?? {}, ENTRY_BOUNDS) }),
  );
}

/** What stands in the way, what it waits for, and who can lift it. */
export function blockerEntries(draft: Draft, actor: Actor): readonly EffectEntry[] {
  const { unresolvedMax, approvalsMax } = draft.sealed.manifest.limits;
  const doubts = seen(draft, actor, 'unresolved', unresolvedMax).map((attempt) =>
    attempt.state['status'] === 'dispatched'
      ? attemptEntry(draft, attempt, { code: 'in_flight', waitsFor: 'answer' })
      : attemptEntry(draft, attempt, { code: 'in_doubt', waitsFor: doubtWaitsFor(draft, attempt) }),
  );
  const conflicts = seen(draft, actor, 'conflict', unresolvedMax).map((attempt) =>
    attemptEntry(draft, attempt, { code: 'conflict', waitsFor: 'person: attempt.accept_conflict' }),
  );
  const pending = seen(draft, actor, 'pending', approvalsMax).map((approval) =>
    approvalEntry(draft, approval, { code: 'approval_required', waitsFor: `person: ${textField(approval, 'role') ?? ''}` }),
  );
  const granted = seen(draft, actor, 'granted', approvalsMax).map((approval) =>
    approvalEntry(draft, approval, { code: 'approved_not_run', waitsFor: 'the same proposal by its proposer' }),
  );
  const expired = seen(draft, actor, 'expired', approvalsMax).map((approval) =>
    approvalEntry(draft, approval, { code: 'approval_expired', waitsFor: 'a new proposal' }),
  );
  return [...doubts, ...conflicts, ...pending, ...granted, ...expired, ...integrationBlockers(draft, actor)];
}

function doubtWaitsFor(draft: Draft, attempt: StoredObject): string {
  const recovery = draft.sealed.actions.get(textField(attempt, 'action') ?? '')?.definition.adapter?.recovery;
  return recovery === 'read_back' ? 'read-back, webhook or person: attempt.read_back, attempt.reconcile' : 'webhook or person: attempt.reconcile';
}

function integrationBlockers(draft: Draft, actor: Actor): readonly EffectEntry[] {
  const max = Object.keys(draft.sealed.manifest.adapters).length;
  return seen(draft, actor, 'integration', max)
    .filter((integration) => integration.state['status'] !== 'connected')
    .map((integration): EffectEntry => {
      const status = textField(integration, 'status') ?? 'disconnected';
      const code =
        status === 'disconnected' || status === 'unavailable' ? 'integration_unavailable' : status === 'incompatible' ? 'adapter_incompatible' : status;
      const retryAt = textField(integration, 'retryAt');
      return {
        attempt: null,
        action: null,
        target: integration.id,
        outcome: null,
        certainty: null,
        since: isoInstant(integration.createdAt),
        code,
        status,
        waitsFor: status === 'unavailable' ? 'time' : 'operator: integration.connect',
        ...(retryAt === null ? {} : { retryAt }),
      };
    });
}

export function budgetEntries(draft: Draft, actor: Actor): readonly JsonObject[] {
  const max = Object.keys(draft.sealed.manifest.budgets).length;
  return seen(draft, actor, 'budget', max).map((budget) => {
    const { limit, spent, held, remaining } = budgetUse(draft, budget);
    return { budget: budget.id, unit: budget.state['unit'] ?? '', period: budget.state['period'] ?? '', limit, spent, held, remaining };
  });
}
