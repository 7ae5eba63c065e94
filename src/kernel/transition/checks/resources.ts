// Responsibility: checks 8 and 11: retry and resource budgets remain; the adapter is compatible and usable.
// Boundary: reads counters and the integration object; counting is in retry.ts and sums.ts.
// Invariants: what is held is not free; waiting for an integration uses nothing.

import { isoInstant } from '../../base/time.ts';
import type { JsonObject } from '../../base/json.ts';
import { textField, type Ask, type EffectIdentity } from '../ask.ts';
import { cellKeys } from '../cells.ts';
import type { Draft } from '../draft.ts';
import type { Failing } from '../outcomes.ts';
import { budgetUse } from '../sums.ts';
import { retryOf } from '../retry.ts';
import { instantMs } from '../../base/time.ts';

/** Check 8. Where parameters are unknown, only what holds for all of them is said: the ceiling, and a budget that is used up. */
export function checkBudgets(draft: Draft, ask: Ask, effect: EffectIdentity): readonly Failing[] {
  const failing: Failing[] = [];
  const retry = retryOf(draft, ask, effect);
  // Without parameters the key is of no proposal, and so is a fence of its identity.
  const ceilingKnown = ask.withParameters || ask.action.definition.fence === 'target';
  if ((ceilingKnown && retry.ceilingRemaining === 0) || (ask.withParameters && retry.remaining === 0)) {
    const detail: JsonObject = { remaining: retry.remaining, ceilingRemaining: retry.ceilingRemaining, newEvidence: 'none' };
    failing.push({ check: 8, code: 'retry_exhausted', detail });
  }
  const { spends } = ask.action.definition;
  const budget = spends === undefined ? undefined : draft.object(`Budget:${spends}`);
  if (budget !== undefined) {
    const { remaining, limit } = budgetUse(draft, budget);
    const asked = ask.withParameters ? effect.amount : 1;
    if (asked > remaining) failing.push({ check: 8, code: 'resource_exhausted', detail: { budget: budget.id, remaining, limit } });
  }
  const unresolved = draft.cell<number>(cellKeys.unresolved) ?? 0;
  const { unresolvedMax } = draft.sealed.manifest.limits;
  if (unresolved >= unresolvedMax) failing.push({ check: 8, code: 'resource_exhausted', detail: { limit: 'unresolved', max: unresolvedMax } });
  return failing;
}

/** Check 11: what the integration object says now. `retryAt` in the past is no hindrance, whether or not its timer ran. */
export function checkIntegration(draft: Draft, ask: Pick<Ask, 'action'>): Failing | undefined {
  const { adapter } = ask.action.definition;
  if (adapter === undefined) return undefined;
  const integration = draft.object(`Integration:${adapter.integration}`);
  const status = textField(integration, 'status') ?? 'disconnected';
  const named: JsonObject = { integration: `Integration:${adapter.integration}`, status };
  switch (status) {
    case 'connected':
      return undefined;
    case 'incompatible':
      return { check: 11, code: 'adapter_incompatible', detail: named };
    case 'authentication_required':
      return { check: 11, code: 'authentication_required', detail: named };
    case 'unavailable': {
      const until = instantMs(textField(integration, 'retryAt') ?? '') ?? 0;
      if (until <= draft.at) return undefined;
      return { check: 11, code: 'integration_unavailable', detail: { ...named, retryAt: isoInstant(until) } };
    }
    default:
      return { check: 11, code: 'integration_unavailable', detail: named };
  }
}
