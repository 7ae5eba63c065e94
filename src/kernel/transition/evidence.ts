// Responsibility: evidence as an input: matched, kept, judged, applied; what it says of the integration itself (design §8).
// Boundary: what it does to the effect is settle.ts; what the raw bytes were is the shell's (a salted digest is all that comes here).
// Invariants: evidence is never refused; what cannot be matched is kept up to a bound; absence is believed only after settle time.

import { LIMITS } from '../base/limits.ts';
import { instantMs, isoInstant } from '../base/time.ts';
import type { JsonObject } from '../base/json.ts';
import { textField } from './ask.ts';
import { blank, finish } from './admit.ts';
import { attemptCell, moveAttempt, setAttemptCell } from './attempts.ts';
import { cellKeys, type AttemptCell } from './cells.ts';
import type { Draft } from './draft.ts';
import type { EvidenceInput, EvidenceKind } from './inputs.ts';
import { settle } from './settle.ts';
import { settledFrom } from './settle-time.ts';
import type { Decision, StoredObject } from './state.ts';

export function decideEvidence(draft: Draft, input: EvidenceInput): Decision {
  const id = input.attempt ?? (input.correlationId === null ? undefined : draft.cell<string>(cellKeys.correlation(input.correlationId)));
  const attempt = id === undefined ? undefined : draft.object(id);
  const cell = id === undefined ? undefined : attemptCell(draft, id);
  if (attempt === undefined || cell === undefined || input.foreign) return keepOnly(draft, input);
  if (cell.phase === 'reading') return endReading(draft, attempt, input);
  const says = judged(draft, attempt, cell, input);
  if (input.begunAt !== null) setAttemptCell(draft, attempt.id, { lastReadBackAt: Math.max(cell.lastReadBackAt ?? 0, input.begunAt) });
  if (says !== 'inconclusive') {
    const evidence = keep(draft, { ...input, says }, attempt.id);
    settle(draft, attempt.id, {
      says,
      status: input.status,
      rank: input.rank,
      code: input.code,
      fields: input.fields,
      retryAfterMs: input.retryAfterMs,
      source: input.source,
      evidence,
    });
  } else {
    draft.event('read_back.inconclusive', attempt.id, { code: input.code });
  }
  if (input.source === 'answer') integrationAfter(draft, input);
  if (input.asker !== null) answerAsker(draft, input.asker, draft.required(attempt.id));
  return finish(draft, 'evidence', { outcome: null, attempt: attempt.id });
}

/** Absence counts only when the walk began after settle time; sooner it proves nothing. */
function judged(draft: Draft, attempt: StoredObject, cell: AttemptCell, input: EvidenceInput): EvidenceKind {
  if (input.says !== 'absent') return input.says;
  return input.begunAt !== null && input.begunAt >= settledFrom(draft, attempt, cell) ? 'absent' : 'inconclusive';
}

function keep(draft: Draft, input: EvidenceInput, about: string): string {
  const id = draft.newId('Evidence');
  draft.create(id, evidenceState(draft, input, about), `Integration:${input.integration}`);
  return id;
}

function evidenceState(draft: Draft, input: EvidenceInput, about: string | null): JsonObject {
  const { source, says, status, code, fields, raw, delivery } = input;
  return { about, source, says, status, code, fields, raw, delivery, by: `Integration:${input.integration}`, at: draft.now };
}

/** Known to nobody, contradicting the connection, or of no meaning: kept up to a bound, applied to nothing. */
function keepOnly(draft: Draft, input: EvidenceInput): Decision {
  const kept = draft.cell<number>('unbound') ?? 0;
  if (kept >= LIMITS.unboundDeliveriesMax) {
    draft.event('evidence.not_kept', `Integration:${input.integration}`, { correlationId: input.correlationId });
    return finish(draft, 'evidence', { outcome: null, attempt: null });
  }
  draft.setCell('unbound', kept + 1);
  const id = draft.newId('Evidence');
  draft.create(id, { ...evidenceState(draft, input, null), correlationId: input.correlationId, foreign: input.foreign }, `Integration:${input.integration}`);
  draft.event('evidence.unbound', id, { correlationId: input.correlationId, foreign: input.foreign });
  return finish(draft, 'evidence', { outcome: null, attempt: null });
}

/** A read-back that a restart cut off: nothing is in doubt, it timed out. */
function endReading(draft: Draft, attempt: StoredObject, input: EvidenceInput): Decision {
  if (attempt.state['status'] !== 'dispatched') return blank('evidence');
  moveAttempt(draft, attempt.id, { outcome: { kind: 'TimedOut', code: input.code ?? 'restart' }, status: 'settled' }, null);
  return finish(draft, 'evidence', { outcome: null, attempt: attempt.id });
}

function answerAsker(draft: Draft, asker: string, attempt: StoredObject): void {
  const waiting = draft.object(asker);
  if (waiting === undefined || waiting.state['status'] !== 'dispatched') return;
  const { certainty } = attempt.state;
  const finding = certainty === 'landed' || certainty === 'reverted' ? 'landed' : certainty === 'none' ? 'not_happened' : 'inconclusive';
  moveAttempt(draft, asker, { outcome: { kind: 'Succeeded', detail: { finding, attempt: attempt.id } }, status: 'settled' }, null);
  setAttemptCell(draft, asker, { phase: 'done' });
}

/** What an answer says of the integration: a lost login, a pause, or that all is well again. What only a person lifts stays as it is. */
function integrationAfter(draft: Draft, input: EvidenceInput): void {
  const integration = draft.object(`Integration:${input.integration}`);
  if (integration === undefined || integration.state['status'] === 'disconnected') return;
  const usable = integration.state['status'] === 'connected' || integration.state['status'] === 'unavailable';
  if (input.says === 'login_lost') {
    if (!usable) return;
    draft.move(integration.id, { status: 'authentication_required', cause: input.code ?? 'login_lost', retryAt: null });
    draft.event('integration.authentication_required', integration.id, { code: input.code });
    return;
  }
  if (input.says === 'rate_limited') {
    if (usable) pause(draft, integration, input);
    return;
  }
  const answered =
    input.says === 'landed' || input.says === 'declined' || input.says === 'failed' || input.says === 'violated' || (input.code ?? '').startsWith('http_');
  if (!answered) return;
  if (Number(integration.counters['rateLimitedInARow'] ?? 0) > 0) draft.note(integration.id, { counters: { rateLimitedInARow: 0 } });
  if (integration.state['status'] === 'unavailable' && retryIsOver(draft, integration)) available(draft, integration.id, 'answered');
}

function retryIsOver(draft: Draft, integration: StoredObject): boolean {
  return (instantMs(textField(integration, 'retryAt') ?? '') ?? 0) <= draft.at;
}

/** 429: unavailable until max(Retry-After, 2^n s after n in a row), both capped. */
function pause(draft: Draft, integration: StoredObject, input: EvidenceInput): void {
  const inARow = Number(integration.counters['rateLimitedInARow'] ?? 0) + 1;
  const capMs = LIMITS.retryAfterSecondsMax * 1000;
  const backoffMs = Math.min(capMs, 1000 * 2 ** Math.min(inARow, 17));
  const until = draft.at + Math.min(capMs, Math.max(input.retryAfterMs ?? 0, backoffMs));
  draft.note(integration.id, { counters: { rateLimitedInARow: inARow } });
  draft.move(integration.id, { status: 'unavailable', retryAt: isoInstant(until), cause: 'rate_limited' });
  draft.timer({ kind: 'retry', ref: integration.id, at: until });
  draft.event('integration.unavailable', integration.id, { retryAt: isoInstant(until) });
}

export function available(draft: Draft, id: string, cause: string): void {
  draft.move(id, { status: 'connected', retryAt: null, cause });
  draft.untimer('retry', id);
  draft.event('integration.available', id, { cause });
}
