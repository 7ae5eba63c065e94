// Responsibility: which core action is decided by which law.
// Boundary: the names are those of the core module (manifest/core); sealing compares both directions.
// Invariants: a law exists for every core action, and for nothing else.

import type { SealedAction } from '../../manifest/seal.ts';
import { denyApproval, grantApproval } from './approval.ts';
import { acceptConflict, allowRetries, cancelAttempt, readBack, reconcile } from './attempt.ts';
import type { Law } from './law.ts';
import { connectIntegration, disconnectIntegration, recordEvidence, setBudget } from './outside.ts';
import { abandonTask, askHuman, completeTask, openTask, reopenTask } from './task.ts';

export const LAWS: ReadonlyMap<string, Law> = new Map<string, Law>([
  ['task.open', openTask],
  ['task.complete', completeTask],
  ['task.abandon', abandonTask],
  ['task.ask_human', askHuman],
  ['task.reopen', reopenTask],
  ['approval.grant', grantApproval],
  ['approval.deny', denyApproval],
  ['attempt.read_back', readBack],
  ['attempt.reconcile', reconcile],
  ['attempt.accept_conflict', acceptConflict],
  ['attempt.allow_retries', allowRetries],
  ['attempt.cancel', cancelAttempt],
  ['integration.connect', connectIntegration],
  ['integration.disconnect', disconnectIntegration],
  ['evidence.record', recordEvidence],
  ['budget.set', setBudget],
]);

export function lawOf(action: SealedAction): Law | undefined {
  return action.definition.core === true ? LAWS.get(action.name) : undefined;
}
