// Responsibility: after a way has closed: can anything still advance the task? (design §10, invariant I5)
// Boundary: asks availability.ts; ends the task in tasks.ts.
// Invariants: a task that waits for something is never ended; one that nothing can advance never stays open silently.

import { textField } from './ask.ts';
import { closedFor } from './availability.ts';
import { cellKeys } from './cells.ts';
import type { Draft } from './draft.ts';
import { endIncomplete, meets, requiredEffects } from './tasks.ts';

/** Looks at every task whose way this transition may have closed: of an attempt that ended, and of objects that changed. */
export function considerClosedWays(draft: Draft): void {
  for (const object of draft.touched()) {
    const before = draft.view.object(object.id);
    if (before === undefined || before.revision === object.revision) continue;
    if (object.type !== 'ActionAttempt') {
      considerNeeding(draft, object.id);
    } else if (object.state['status'] === 'settled' && object.state['certainty'] !== 'in_doubt') {
      considerTask(draft, textField(object, 'task'));
      considerNeeding(draft, textField(object, 'target') ?? '');
    }
  }
}

function considerNeeding(draft: Draft, target: string): void {
  for (const task of draft.cell<readonly string[]>(cellKeys.needing(target)) ?? []) considerTask(draft, task);
}

/** Ends the task as incomplete where every unmet requirement is closed for all parameters and nothing is waited for. */
function considerTask(draft: Draft, id: string | null): void {
  const task = id === null ? undefined : draft.object(id);
  if (task === undefined || task.type !== 'Task' || task.state['status'] !== 'open') return;
  if ((draft.cell<number>(cellKeys.taskOpen(task.id)) ?? 0) > 0) return;
  const unmet = requiredEffects(task).filter((required) => meets(draft, task, required) === undefined);
  if (unmet.length === 0) return;
  const reasons: string[] = [];
  for (const { action, target } of unmet) {
    const sealed = draft.sealed.actions.get(action);
    const object = draft.object(target);
    const closed = sealed === undefined || object === undefined ? undefined : closedFor(draft, sealed, object);
    if (closed === undefined) return;
    reasons.push(`${action} on ${target}: ${closed.code}`);
  }
  endIncomplete(draft, task.id, reasons);
}
