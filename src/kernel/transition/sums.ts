// Responsibility: the kernel's sums over attempts of an action on a target, and the resource budget that the amounts spend.
// Boundary: moves amounts between free, held and landed; when, is decided in dispatch.ts and settle.ts.
// Invariants: an amount in flight or in doubt is held: not yet spent, no longer free. Sums equal the attempts they count.

import { utcDay } from '../base/time.ts';
import { cellKeys, type AttemptCell, type SumCell } from './cells.ts';
import { sums } from './ask.ts';
import type { Draft } from './draft.ts';
import type { StoredObject } from './state.ts';

export interface Moved {
  readonly action: string;
  readonly target: string;
  readonly cell: AttemptCell;
}

type Step = { readonly landed: -1 | 0 | 1; readonly held: -1 | 0 | 1 };

export const HOLD: Step = { landed: 0, held: 1 };
export const RELEASE: Step = { landed: 0, held: -1 };
export const LAND_HELD: Step = { landed: 1, held: -1 };
export const LAND_FREE: Step = { landed: 1, held: 0 };
export const REVERT: Step = { landed: -1, held: 0 };

/** Applies a step to the sums of the target, to those of each identity group, and to the budget. */
export function moveSums(draft: Draft, moved: Moved, step: Step): void {
  const { action, target, cell } = moved;
  const keys = [cellKeys.sum(action, target), ...cell.groups.map((group) => cellKeys.group(action, target, group))];
  for (const key of keys) {
    const before = sums(draft, key);
    const after: SumCell = {
      landedCount: before.landedCount + step.landed,
      landedTotal: before.landedTotal + step.landed * cell.amount,
      heldCount: before.heldCount + step.held,
      heldTotal: before.heldTotal + step.held * cell.amount,
    };
    draft.setCell(key, after);
  }
  if (cell.budget !== null) moveBudget(draft, cell, step);
}

function moveBudget(draft: Draft, cell: AttemptCell, step: Step): void {
  const budget = draft.object(`Budget:${cell.budget ?? ''}`);
  if (budget === undefined) return;
  const today = utcDay(draft.at);
  const now = budgetUse(draft, budget);
  const undone = step.landed < 0 && cell.spentDay !== null && cell.spentDay !== today && budget.state['period'] === 'utc_day';
  const spent = undone ? now.spent : Math.max(0, now.spent + step.landed * cell.amount);
  draft.note(budget.id, { counters: { day: today, spent, held: Math.max(0, now.held + step.held * cell.amount) } });
}

export interface BudgetUse {
  readonly limit: number;
  readonly spent: number;
  readonly held: number;
  readonly remaining: number;
}

/** What a budget object has left at this moment: a new UTC day begins with nothing spent; what is held stays held. */
export function budgetUse(draft: Draft, budget: StoredObject): BudgetUse {
  const { counters, state } = budget;
  const fresh = state['period'] === 'utc_day' && counters['day'] !== utcDay(draft.at);
  const limit = Number(state['limit'] ?? 0);
  const spent = fresh ? 0 : Number(counters['spent'] ?? 0);
  const held = Number(counters['held'] ?? 0);
  return { limit, spent, held, remaining: Math.max(0, limit - spent - held) };
}
