// Message texts of outcomes, rendered at the edge for people: lower case, values in back-ticks, advice after a dash. Never stored, compared or hashed.
import type { JsonObject, Outcome } from '../kernel/index.ts';

const REFUSALS: { readonly [code: string]: string } = {
  unknown_action: 'this world has no such action',
  invalid_parameters: 'the parameters do not fit the schema of the action — see `detail.errors`',
  unknown_target: 'there is no such object in your scope',
  wrong_target_type: 'the action does not apply to an object of this type',
  target_exists: 'an object of this id exists already — choose another id, or the bare type',
  not_authorized: 'your roles do not permit this',
  already_completed: 'an identical effect has landed already — see `detail.attempt`; do not repeat it',
  in_flight: 'an effect of this kind is on its way — wait for `detail.attempt`',
  in_doubt: 'an earlier effect of this kind is in doubt — it must be reconciled first (`attempt.read_back`, or a person)',
  stale_revision: 'the object has changed since the expected revision — observe it again',
  stale_observation: 'your cursor is older than the last change of the object — observe it again',
  unproven_observation: 'nothing proves that you have seen the object — observe it and send the cursor',
  precondition_failed: 'a rule is not met — see `detail.rule`',
  precondition_unobservable: 'a rule cannot be decided — the paths in `detail.missing` have no value',
  retry_exhausted: 'no tries are left for this under unchanged conditions — new evidence is needed',
  resource_exhausted: 'the budget does not cover this',
  adapter_incompatible: 'the integration no longer speaks the compiled protocol — a new release is needed',
  authentication_required: 'the integration has lost its login — an operator must connect it again',
  integration_unavailable: 'the integration cannot be used now — see `detail.retryAt` or connect it',
  approval_required: 'a person must approve this first — it waits',
  approval_denied: 'a person has denied this — new evidence is needed before it can be asked again',
  approval_expired: 'the approval has expired — propose it again',
};

const OUTCOMES: { readonly [kind: string]: string } = {
  Succeeded: 'done',
  FailedTransiently: 'it did not happen; it may be tried again',
  FailedPermanently: 'it was declined for good; it did not happen',
  Rejected: 'refused',
  TimedOut: 'no answer in time; nothing was changed',
  OutcomeAmbiguous: 'the answer was lost: nobody knows yet whether it happened — do not repeat it',
  ProtocolViolated: 'the answer was not understood: nobody knows yet whether it happened — do not repeat it',
  Incompatible: 'the integration is incompatible',
  Blocked: 'it cannot run now',
  Cancelled: 'cancelled before it was sent',
};

/** One sentence for people. */
export function messageOf(outcome: Outcome): string {
  const refusal = outcome.code === undefined ? undefined : REFUSALS[outcome.code];
  const base = refusal ?? OUTCOMES[outcome.kind] ?? outcome.kind;
  const rule = ruleOf(outcome.detail);
  return rule === undefined ? base : `${base} (\`${rule}\`)`;
}

function ruleOf(detail: JsonObject | undefined): string | undefined {
  const rule = detail?.['rule'];
  return typeof rule === 'string' ? rule : undefined;
}
