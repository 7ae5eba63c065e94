// Every defect that a manifest may have, planted in a copy of the refund desk.
import { describe, expect, it } from 'vitest';
import { MANIFEST_ERRORS, MANIFEST_WARNINGS, validateManifest, type Json } from '../../../src/kernel/index.ts';
import { at, desk, place, plant } from './planted.ts';

const REFUND = 'actions order.refund';
const EMAIL = 'actions customer.email';
const OPEN = 'actions ticket.open';
const RESOLVE = 'actions ticket.resolve';
const PAYMENTS = 'adapters payments';
const REFUND_CALL = `${PAYMENTS} operations refund`;

const something = at(desk(), place(OPEN)) ?? null;
const nothing = { changes: [], events: [] };
const role = at(desk(), place('roles human')) ?? null;
const text64 = { type: 'string', minLength: 0, maxLength: 64 };

/** A code, where it is said, and what is planted for it: places and values, undefined to take something away. */
type Row = readonly [code: string, path: string, ...plants: readonly (readonly [place: string, value: Json | undefined])[]];

const SHAPE: readonly Row[] = [
  ['unknown_key', '/surprise', ['surprise', 1]],
  ['unknown_key', '/actions/order.refund/surprise', [`${REFUND} surprise`, 1]],
  ['unknown_key', '/types/Order/relationships/customer/colour', ['types Order relationships customer colour', 'red']],
  ['unknown_key', '/adapters/payments/operations/refund/response/also', [`${REFUND_CALL} response also`, true]],
  ['unknown_key', '/actions/order.refund/rules/0/__proto__', [`${REFUND} rules 0 __proto__`, {}]],
  ['unknown_key', '/limits/unresolvedmax', ['limits unresolvedmax', 1]],
  ['missing_key', '/actions/customer.email/adapter/recovery', [`${EMAIL} adapter recovery`, undefined]],
  ['missing_key', '/limits', ['limits', undefined]],
  ['missing_key', '/budgets', ['budgets', undefined]],
  ['missing_key', '/adapters/payments/webhook/statusPath', [`${PAYMENTS} webhook statusPath`, undefined]],
  ['not_an_object', '/types/Order/state', ['types Order state', 'open']],
  ['not_an_object', '/actions', ['actions', []]],
  ['not_a_list', '/actions/order.refund/rules', [`${REFUND} rules`, {}]],
  ['not_a_list', '/adapters/payments/readBack/itemsPath', [`${PAYMENTS} readBack itemsPath`, 'has_more']],
  ['not_a_text', '/description', ['description', 7]],
  ['not_an_integer', '/frame/maxBytes', ['frame maxBytes', '1']],
  ['not_a_boolean', '/roles/human/observes', ['roles human observes', 'yes']],
  ['not_a_value', '/actions/order.refund/class', [`${REFUND} class`, 'effects']],
  ['not_a_value', '/types/Ticket/lifecycle/states/2', ['types Ticket lifecycle states', ['open', 'resolved', 'lost']]],
  ['not_a_name', '/actions/refund', ['actions refund', something]],
  ['not_a_name', '/types/order', ['types order', at(desk(), place('types Order'))]],
  ['not_a_name', '/roles/__proto__', ['roles __proto__', role]],
  ['not_a_version', '/version', ['version', 'next']],
  ['not_a_digest', '/scenarios/0/digest', ['scenarios 0 digest', 'sha256:1']],
  ['not_a_path', '/adapters/payments/operations/refund/path', [`${REFUND_CALL} path`, 'v1/refunds']],
  ['not_an_origin', '/adapters/payments/origins/0', [`${PAYMENTS} origins 0`, 'http://api.stripe.com']],
  ['not_an_origin', '/adapters/payments/origins/0', [`${PAYMENTS} origins 0`, 'https://api.stripe.com/v1']],
  ['not_a_header_value', '/adapters/mail/headers/user-agent', ['adapters mail headers user-agent', 'one\r\ntwo: three']],
  ['not_a_change', '/actions/ticket.open/outcomes/Succeeded/changes/0', [`${OPEN} outcomes Succeeded changes 0`, { delete: 'Ticket', fields: {} }]],
  ['bound_out_of_range', '/limits/unresolvedMax', ['limits unresolvedMax', 0]],
  ['bound_out_of_range', '/adapters/mail/timeoutMs', ['adapters mail timeoutMs', 3_600_000]],
  ['bound_out_of_range', '/adapters/payments/webhook/toleranceSeconds', [`${PAYMENTS} webhook toleranceSeconds`, 0]],
  ['too_few_items', '/actions/order.refund/target', [`${REFUND} target`, []]],
  ['too_many_items', '/actions/order.refund/identity', [`${REFUND} identity`, Array.from({ length: 17 }, (_, index) => `field${index}`)]],
  ['repeated', '/actions/order.refund/roles/1', [`${REFUND} roles`, ['agent', 'agent']]],
  ['repeated', '/actions/order.refund/rules/1/name', [`${REFUND} rules 1 name`, 'within_remaining']],
  [
    'repeated',
    '/actions/order.refund/outcomes/Succeeded/changes/2/as',
    [`${REFUND} outcomes Succeeded changes 2`, at(desk(), place(`${REFUND} outcomes Succeeded changes 0`))],
  ],
  ['repeated', '/scenarios/1/name', ['scenarios 1 name', at(desk(), place('scenarios 0 name'))]],
  ['not_a_safe_integer', '/limits/unresolvedMax', ['limits unresolvedMax', 1.5]],
];

const NAMES: readonly Row[] = [
  ['unknown_role', '/actions/order.refund/roles/0', [`${REFUND} roles`, ['manager']]],
  ['unknown_role', '/types/Ticket/scope/stranger', ['types Ticket scope stranger', 'all']],
  ['unknown_role', '/types/Ticket/observe/stranger', ['types Ticket observe stranger', 'all']],
  ['unknown_role', '/actions/order.refund/approvals/0/role', [`${REFUND} approvals 0 role`, 'boss']],
  ['unknown_type', '/actions/order.refund/target/0', [`${REFUND} target`, ['Purchase']]],
  ['unknown_type', '/types/Refund/relationships/order/to/0', ['types Refund relationships order to', ['Purchase']]],
  ['unknown_type', '/types/Ticket/state/properties/order/refers/0', ['types Ticket state properties order refers', ['Purchase']]],
  ['unknown_type', '/actions/ticket.open/outcomes/Succeeded/changes/0/create', [`${OPEN} outcomes Succeeded changes 0 create`, 'Case']],
  ['unknown_type', '/types/Customer/relationships/orders/inverse/type', ['types Customer relationships orders inverse type', 'Purchase']],
  ['unknown_action', '/types/Ticket/lifecycle/moves/0/action', ['types Ticket lifecycle moves 0 action', 'ticket.close']],
  ['unknown_action', '/audit/receipts/0', ['audit receipts', ['order.repay']]],
  ['unknown_budget', '/actions/order.refund/spends', [`${REFUND} spends`, 'gold']],
  ['unknown_integration', '/actions/order.refund/adapter/integration', [`${REFUND} adapter integration`, 'bank']],
  ['unknown_operation', '/actions/order.refund/adapter/operation', [`${REFUND} adapter operation`, 'repay']],
  ['unknown_operation', '/adapters/payments/webhook/operation', [`${PAYMENTS} webhook operation`, 'repay']],
  ['unknown_setting', '/adapters/mail/operations/send/body/0/from', ['adapters mail operations send body 0 from', '$settings.form']],
  ['unknown_field', '/types/Order/unique/0', ['types Order unique', ['charge']]],
  ['unknown_field', '/types/Order/constant/0', ['types Order constant', ['money']]],
  ['unknown_field', '/types/Ticket/lifecycle/field', ['types Ticket lifecycle field', 'state']],
  ['unknown_field', '/types/Ticket/observe/agent/0', ['types Ticket observe agent', ['topic']]],
  ['unknown_field', '/types/Ticket/relationships/order/field', ['types Ticket relationships order field', 'purchase']],
  ['unknown_field', '/actions/order.refund/identity/0', [`${REFUND} identity`, ['sum']]],
  ['unknown_field', '/actions/order.refund/amount', [`${REFUND} amount`, 'sum']],
  ['unknown_field', '/actions/order.refund/secrets/0', [`${REFUND} secrets`, ['password']]],
  ['unknown_field', '/actions/order.refund/outcomes/Succeeded/changes/0/fields/colour', [`${REFUND} outcomes Succeeded changes 0 fields colour`, 'red']],
  ['unknown_state', '/types/Ticket/lifecycle/initial', ['types Ticket lifecycle initial', 'new']],
  ['unknown_state', '/types/Ticket/lifecycle/moves/0/to/0', ['types Ticket lifecycle moves 0 to', ['closed']]],
  ['unknown_path', '/actions/order.refund/rules/1/when/any/1/exists/item/0', [`${REFUND} rules 1 when any 1 exists item 0`, '$target.line']],
  ['unknown_path', '/actions/order.refund/approvals/2/when/eq/0', [`${REFUND} approvals 2 when eq 0`, '$args.raeson']],
  ['unknown_path', '/actions/order.refund/approvals/1/when/all/0/eq/0', [`${REFUND} approvals 1 when all 0 eq 0`, '$actor.type']],
  ['unknown_path', '/actions/order.amend/rules/0/when/eq/0', ['actions order.amend rules 0 when eq 0', '$effects.ticket.resolve.heldCount']],
  ['unknown_path', '/actions/order.amend/rules/0/when/eq/0', ['actions order.amend rules 0 when eq 0', '$effects.customer.email.heldCount']],
  [
    'unknown_path',
    '/actions/ticket.resolve/rules/0/when/any/1/gte/0',
    [`${RESOLVE} rules 0 when any 1 gte 0`, '$related.purchase.$effects.order.refund.landedCount'],
  ],
  ['unknown_path', '/actions/order.refund/rules/1/when/exists', [`${REFUND} rules 1 when`, { exists: '$evidence.status' }]],
  [
    'unknown_path',
    '/actions/ticket.open/outcomes/Succeeded/changes/0/fields/subject',
    [`${OPEN} outcomes Succeeded changes 0 fields subject`, '$target.subject'],
  ],
  [
    'unknown_path',
    '/actions/order.refund/outcomes/Succeeded/changes/0/fields/providerId',
    [`${REFUND} outcomes Succeeded changes 0 fields providerId`, '$evidence.id'],
  ],
  ['unknown_path', '/actions/customer.email/related/replied', [`${EMAIL} related replied`, '$args.repliesTo']],
  ['unknown_path', '/types/Ticket/scope/agent', ['types Ticket scope agent', 'purchase.customer']],
  ['unknown_path', '/adapters/payments/operations/refund/body/0/from', [`${REFUND_CALL} body 0 from`, '$target.charge']],
  ['unknown_path', '/adapters/payments/readBack/query/1/when/starts_with/0', [`${PAYMENTS} readBack query 1 when starts_with 0`, '$target.charge']],
  ['unknown_path', '/adapters/payments/operations/refund/response/echoes/amount', [`${REFUND_CALL} response echoes amount`, '$args.amount']],
  ['unknown_semantics', '/kernel', ['kernel', 1_000]],
];

const ROLES: readonly Row[] = [
  [
    'agents_share_a_role',
    '/roles/helper/kinds',
    ['roles helper', { kinds: ['Agent', 'Person'], observes: true, choosesIds: false, readsLog: false, readsEvidence: false }],
  ],
  [
    'agents_must_observe',
    '/roles/helper/observes',
    ['roles helper', { kinds: ['Agent'], observes: false, choosesIds: false, readsLog: false, readsEvidence: false }],
  ],
  ['core_missing', '/actions/task.reopen', ['actions task.reopen', undefined]],
  ['core_missing', '/types/Evidence', ['types Evidence', undefined]],
  ['core_missing', '/roles/operator', ['roles operator', undefined]],
  ['core_altered', '/actions/approval.grant/class', ['actions approval.grant class', 'read']],
  ['core_altered', '/actions/approval.grant/core', ['actions approval.grant core', undefined]],
  ['core_altered', '/actions/approval.grant/input/properties/force', ['actions approval.grant input properties force', { type: 'boolean' }]],
  ['core_altered', '/actions/approval.grant/rules', ['actions approval.grant rules', [{ name: 'never', description: '', when: false }]]],
  ['core_altered', '/actions/approval.grant/roles', ['actions approval.grant roles', ['human']]],
  ['core_altered', '/actions/attempt.reconcile/roles/1', ['actions attempt.reconcile roles', ['human', 'agent']]],
  [
    'core_altered',
    '/actions/integration.connect/input/properties/settings/properties/to',
    ['actions integration.connect input properties settings properties to', text64],
  ],
  ['core_altered', '/types/ActionAttempt/state/properties/certainty/enum', ['types ActionAttempt state properties certainty enum', ['none']]],
  ['core_altered', '/types/Task/unique', ['types Task unique', ['goal']]],
  ['core_altered', '/roles/agent/observes', ['roles agent observes', false]],
  ['no_such_law', '/actions/ticket.open/core', [`${OPEN} core`, true]],
  ['of_the_core', '/actions/ticket.open/target/0', [`${OPEN} target`, ['Task']]],
  ['of_the_core', '/actions/ticket.open/outcomes/Succeeded/changes/0/create', [`${OPEN} outcomes Succeeded changes 0 create`, 'Evidence']],
  ['of_the_core', '/actions/ticket.resolve/outcomes/Succeeded/changes/0/set', [`${RESOLVE} target`, ['Ticket', 'Task']]],
];

const TYPES: readonly Row[] = [
  ['unknown_keyword', '/types/Order/state', ['types Order state surprise', 1]],
  ['object_not_closed', '/actions/ticket.open/input', [`${OPEN} input additionalProperties`, true]],
  ['unbounded', '/actions/ticket.open/input/properties/subject', [`${OPEN} input properties subject maxLength`, undefined]],
  ['not_a_schema_of_an_object', '/actions/ticket.open/input/type', [`${OPEN} input`, text64]],
  ['reserved_field', '/types/Ticket/state/properties/owner', ['types Ticket state properties owner', text64]],
  ['reserved_name', '/actions/ticket.resolve/related/target', [`${RESOLVE} related target`, '$target.order']],
  ['not_a_key', '/types/Order/unique/0', ['types Order unique', ['lines']]],
  [
    'not_a_key',
    '/actions/order.refund/identity/0',
    [`${REFUND} identity`, ['parts']],
    [`${REFUND} input properties parts`, { type: 'array', items: text64, minItems: 0, maxItems: 2 }],
  ],
  ['not_an_object_id', '/types/Ticket/relationships/order/field', ['types Ticket relationships order field', 'subject']],
  ['not_an_object_id', '/actions/ticket.resolve/related/order', [`${RESOLVE} related order`, '$target.subject']],
  ['refers_to_others', '/types/Ticket/relationships/order/to', ['types Ticket relationships order to', ['Customer']]],
  ['no_such_inverse', '/types/Order/relationships/refunds/inverse', ['types Order relationships refunds inverse field', 'purchase']],
  ['no_such_inverse', '/types/Order/relationships/tickets/inverse', ['types Order relationships tickets inverse field', 'customer']],
  ['too_many_hops', '/types/Refund/scope/agent', ['types Refund scope agent', 'order.customer.order.customer.order']],
  [
    'too_many_hops',
    '/actions/customer.email/related/e',
    [
      `${EMAIL} related`,
      {
        replied: '$args.inReplyTo',
        thread: '$related.replied.conversation',
        c: '$related.thread.customer',
        d: '$related.c.customer',
        e: '$related.d.customer',
      },
    ],
  ],
  ['ends_at_no_actor', '/types/Refund/scope/agent', ['types Refund scope agent', 'order.customer']],
];

const ACTIONS: readonly Row[] = [
  ['no_role_can_take_it', '/actions/order.refund/roles', [`${REFUND} roles`, []]],
  ['names_collide', '/actions/order_refund.now', ['actions order_refund.now', something], ['actions order.refund_now', something]],
  ['not_an_effect', '/actions/ticket.open/adapter', [`${OPEN} adapter`, { integration: 'mail', operation: 'send', recovery: 'human' }]],
  ['not_an_effect', '/actions/ticket.open/identity', [`${OPEN} identity`, ['subject']]],
  ['not_an_effect', '/actions/ticket.open/amount', [`${OPEN} amount`, 'subject']],
  ['not_an_effect', '/actions/ticket.open/spends', [`${OPEN} spends`, 'refunds']],
  ['not_an_effect', '/actions/ticket.open/retry', [`${OPEN} retry budget`, 1]],
  ['not_an_effect', '/actions/ticket.open/reverted', [`${OPEN} reverted`, nothing]],
  ['not_an_effect', '/actions/ticket.open/approvals', [`${OPEN} approvals`, at(desk(), place(`${REFUND} approvals`))]],
  ['read_without_a_law', '/actions/ticket.open/class', [`${OPEN} class`, 'read']],
  ['effect_without_adapter', '/actions/order.refund/adapter', [`${REFUND} adapter`, undefined]],
  ['effect_creates', '/actions/order.refund/creates', [`${REFUND} creates`, true]],
  ['effect_by_get', '/actions/order.refund/adapter/operation', [`${REFUND_CALL} method`, 'GET']],
  ['no_try_left', '/actions/order.refund/retry', [`${REFUND} retry budget`, 0]],
  ['no_try_left', '/actions/order.refund/retry', [`${REFUND} retry ceiling`, 2]],
  ['not_an_integer_input', '/actions/order.refund/amount', [`${REFUND} amount`, 'note']],
  ['amount_not_required', '/actions/order.refund/amount', [`${REFUND} input required`, ['reason']]],
  ['amount_may_be_negative', '/actions/order.refund/amount', [`${REFUND} input properties amountCents minimum`, -1]],
  ['spends_no_amount', '/actions/order.refund/spends', [`${REFUND} amount`, undefined]],
  ['secret_in_the_identity', '/actions/order.refund/secrets/0', [`${REFUND} secrets`, ['line']]],
  ['no_read_back', '/actions/customer.email/adapter/recovery', [`${EMAIL} adapter recovery`, 'read_back']],
  ['no_status_table', '/actions/order.refund/adapter/recovery', [`${REFUND_CALL} response status`, undefined]],
  ['not_implemented', '/actions/order.refund/adapter/recovery', [`${REFUND} adapter recovery`, 'same_key']],
  ['name_of_a_built_in_rule', '/actions/order.refund/rules/0/name', [`${REFUND} rules 0 name`, 'lifecycle']],
  ['one_role_decides', '/actions/order.refund/approvals/2/role', [`${REFUND} approvals 2 role`, 'operator']],
  ['role_cannot_decide', '/actions/order.refund/approvals/0/role', [`${REFUND} approvals 0 role`, 'boss'], ['roles boss', role]],
  ['agents_decide_nothing', '/actions/order.refund/approvals/0/role', [`${REFUND} approvals 0 role`, 'agent']],
  ['not_a_reference', '/actions/ticket.resolve/related/order', [`${RESOLVE} related order`, 'target.order']],
  ['unknown_root', '/actions/ticket.resolve/related/order', [`${RESOLVE} related order`, '$tagret.order']],
  ['leads_back_to_itself', '/actions/ticket.resolve/related/order', [`${RESOLVE} related order`, '$related.order.order']],
  ['unknown_operator', '/actions/order.refund/rules/0/when', [`${REFUND} rules 0 when`, { nearly: [1, 2] }]],
  ['compared_across_types', '/actions/order.refund/rules/0/when/eq', [`${REFUND} rules 0 when`, { eq: ['$target.totalCents', '$target.currency'] }]],
  ['not_a_value', '/actions/order.refund/approvals/2/when/eq', [`${REFUND} approvals 2 when eq 1`, 'fraudlent']],
];

const OUTCOMES: readonly Row[] = [
  ['untreated_outcome', '/actions/order.refund/outcomes', [`${REFUND} outcomes OutcomeAmbiguous`, undefined]],
  ['outcome_of_another_class', '/actions/order.refund/outcomes', [`${REFUND} outcomes TimedOut`, nothing]],
  ['never_carried_out', '/actions/ticket.open/outcomes/Rejected', [`${OPEN} outcomes Rejected events`, [{ name: 'ticket.refused', data: {} }]]],
  ['never_carried_out', '/actions/order.refund/outcomes/OutcomeAmbiguous', [`${REFUND} outcomes OutcomeAmbiguous`, at(desk(), place(`${REFUND} reverted`))]],
  [
    'name_of_two_types',
    '/actions/order.refund/outcomes',
    [`${REFUND} outcomes FailedPermanently changes`, [{ create: 'Ticket', as: 'refund', fields: { customer: '$target.customer', subject: 'declined' } }]],
  ],
  ['nothing_made', '/actions/order.refund/progressed/changes/0/update', [`${REFUND} progressed changes 0 update`, 'refunds']],
  ['cannot_be_set', '/actions/ticket.resolve/outcomes/Succeeded/changes/0/set', [`${RESOLVE} outcomes Succeeded changes 0 set`, '$args.order']],
  [
    'not_there_yet',
    '/actions/ticket.open/outcomes/Succeeded/changes/1/set',
    [`${OPEN} outcomes Succeeded changes 1`, { set: '$target', fields: { subject: 'x' } }],
  ],
  ['of_any_type', '/actions/ticket.resolve/outcomes/Succeeded/changes/0/set', [`${RESOLVE} target`, ['*']]],
  [
    'of_any_type',
    '/actions/customer.email/outcomes/Succeeded/changes/0/set',
    [`${EMAIL} outcomes Succeeded changes`, [{ set: '$related.thread', fields: {} }]],
  ],
  ['creates_one_type', '/actions/ticket.open/target', [`${OPEN} target`, ['Ticket', 'Order']]],
  ['creates_no_target', '/actions/ticket.open/outcomes/Succeeded', [`${OPEN} creates`, undefined]],
  ['target_not_created', '/actions/ticket.open/outcomes/Succeeded', [`${OPEN} outcomes Succeeded changes`, []]],
  ['target_not_created', '/actions/ticket.open/outcomes/Succeeded', [`${OPEN} target`, ['Order']]],
  ['required_field_left_out', '/actions/ticket.open/outcomes/Succeeded/changes/0/fields', [`${OPEN} outcomes Succeeded changes 0 fields subject`, undefined]],
  ['may_be_missing', '/actions/ticket.open/outcomes/Succeeded/changes/0/fields/subject', [`${OPEN} input required`, ['customer']]],
  [
    'may_be_missing',
    '/actions/order.refund/outcomes/Succeeded/changes/0/fields/status',
    [`${REFUND} outcomes Succeeded changes 0 fields status`, '$evidence.failureReason'],
  ],
  ['may_be_null', '/actions/ticket.open/outcomes/Succeeded/changes/0/fields/subject', [`${OPEN} input properties subject type`, ['string', 'null']]],
  ['does_not_fit', '/actions/ticket.open/outcomes/Succeeded/changes/0/fields/subject', [`${OPEN} outcomes Succeeded changes 0 fields subject`, 7]],
  [
    'does_not_fit',
    '/actions/ticket.open/outcomes/Succeeded/changes/0/fields/customer',
    [`${OPEN} outcomes Succeeded changes 0 fields customer`, '$args.order'],
  ],
  [
    'does_not_fit',
    '/actions/ticket.resolve/outcomes/Succeeded/changes/0/fields/resolution',
    [`${RESOLVE} outcomes Succeeded changes 0 fields resolution`, '$target.subject'],
  ],
  [
    'does_not_fit',
    '/actions/order.refund/outcomes/Succeeded/changes/1/fields/refundedCents',
    [`${REFUND} outcomes Succeeded changes 1 fields refundedCents`, '$args.reason'],
  ],
  [
    'does_not_fit',
    '/actions/order.record/outcomes/Succeeded/changes/0/fields/lines',
    ['actions order.record input properties lines items properties id', { type: 'integer', minimum: 0, maximum: 9 }],
  ],
  ['beyond_the_bound', '/actions/ticket.open/outcomes/Succeeded/changes/0/fields/subject', [`${OPEN} input properties subject maxLength`, 401]],
  ['beyond_the_bound', '/actions/order.record/outcomes/Succeeded/changes/0/fields/totalCents', ['actions order.record input properties totalCents minimum', 0]],
  ['beyond_the_bound', '/actions/order.record/outcomes/Succeeded/changes/0/fields/lines', ['actions order.record input properties lines maxItems', 101]],
];

const CONTRACTS: readonly Row[] = [
  ['not_promised_by_the_schema', '/adapters/payments/operations/refund/response/status/path', [`${REFUND_CALL} response status path`, 'state']],
  ['not_promised_by_the_schema', '/adapters/payments/operations/refund/response/echoes/charge', [`${REFUND_CALL} response echoes charge`, '$target.chargeId']],
  ['not_promised_by_the_schema', '/adapters/payments/readBack/paging/morePath', [`${PAYMENTS} readBack paging morePath`, 'more']],
  ['not_promised_by_the_schema', '/adapters/payments/readBack/paging/cursorPath', [`${PAYMENTS} readBack paging cursorPath`, 'cursor']],
  ['not_promised_by_the_schema', '/adapters/payments/webhook/livemodePath', [`${PAYMENTS} webhook livemodePath`, 'data.livemode']],
  ['not_promised_by_the_schema', '/adapters/payments/errors/codePath', [`${PAYMENTS} errors codePath`, 'error.code']],
  ['status_without_meaning', '/adapters/payments/operations/refund/response/status/means', [`${REFUND_CALL} response status means canceled`, undefined]],
  ['no_status_table', '/adapters/payments/webhook/operation', [`${REFUND_CALL} response status`, undefined]],
  ['asked_to_wait_is_no_error', '/adapters/payments/errors/rows/0/statuses', [`${PAYMENTS} errors rows 0 statuses`, [400, 429]]],
  ['header_of_the_shell', '/adapters/payments/headers/authorization', [`${PAYMENTS} headers authorization`, 'Bearer x']],
  ['header_of_the_shell', '/adapters/payments/operations/refund/headers/host', [`${REFUND_CALL} headers host`, 'elsewhere']],
  ['correlation_id_not_sent', '/adapters/mail/operations/send', ['adapters mail operations send headers', {}], ['adapters mail operations send body', []]],
  ['does_not_fit', '/adapters/mail/settings/from/default', ['adapters mail settings from default', 'nobody']],
  ['pattern_not_anchored', '/adapters/mail/settings/from/pattern', ['adapters mail settings from pattern', 'desk']],
  ['unknown_keyword', '/adapters/payments/readBack/pageSchema', [`${PAYMENTS} readBack pageSchema allOf`, []]],
];

const REST: readonly Row[] = [
  ['own_version_left_out', '/compatibleStateVersions', ['compatibleStateVersions', ['0.0.1']]],
  ['mandatory_frame_too_large', '/frame/maxBytes', ['frame maxBytes', 10_000]],
];

const ALL: readonly Row[] = [...SHAPE, ...NAMES, ...ROLES, ...TYPES, ...ACTIONS, ...OUTCOMES, ...CONTRACTS, ...REST];

const WARNED: readonly Row[] = [
  ['always_the_same', '/actions/order.refund/rules/0/when', [`${REFUND} rules 0 when`, true]],
  ['state_never_reached', '/types/Ticket/lifecycle/states', ['types Ticket lifecycle moves', []]],
  ['move_not_declared', '/actions/ticket.resolve/outcomes/Succeeded/changes/0/fields/status', ['types Ticket lifecycle moves 0 action', 'ticket.open']],
  ['never_used', '/budgets/gold', ['budgets gold', { description: '', limit: 1, unit: 'grams', period: 'forever' }]],
  ['never_used', '/adapters/mail/operations/resend', ['adapters mail operations resend', at(desk(), place('adapters mail operations send'))]],
  ['no_scenario', '/scenarios', ['scenarios', []]],
];

interface Case {
  readonly code: string;
  readonly path: string;
  readonly planted: () => Json;
}

function caseOf([code, path, ...plants]: Row): Case {
  return { code, path, planted: () => plants.reduce<Json>((json, [where, value]) => plant(json, place(where), value), desk()) };
}

describe('a manifest', () => {
  it('of the refund desk has no defects', () => {
    expect(validateManifest(desk())).toEqual({ errors: [], warnings: [] });
  });

  it.each(ALL.map(caseOf))('is told of $code at $path', ({ code, path, planted }) => {
    expect(validateManifest(planted()).errors).toContainEqual(expect.objectContaining({ code, path }));
  });

  it.each(WARNED.map(caseOf))('is warned of $code at $path, and sealed all the same', ({ code, path, planted }) => {
    const { errors, warnings } = validateManifest(planted());
    expect(errors).toEqual([]);
    expect(warnings).toContainEqual(expect.objectContaining({ code, path }));
  });

  it('has no other code of validation’s own', () => {
    const codes = (rows: readonly Row[]): ReadonlySet<string> => new Set(rows.map(([code]) => code));
    expect(Object.keys(MANIFEST_ERRORS).filter((code) => !codes(ALL).has(code))).toEqual([]);
    expect(Object.keys(MANIFEST_WARNINGS).sort()).toEqual([...codes(WARNED)].sort());
  });

  it('is told of all at once, in one order, however the keys stand', () => {
    const broken = [`${REFUND} roles`, `${RESOLVE} rules 0 name`, 'types Order unique', 'surprise'].reduce(
      (json, where) => plant(json, place(where), ['nobody']),
      desk(),
    );
    const { errors } = validateManifest(broken);
    expect(errors.map(({ path, code }) => `${path} ${code}`)).toEqual([
      '/actions/order.refund/roles/0 unknown_role',
      '/actions/ticket.resolve/rules/0/name not_a_name',
      '/surprise unknown_key',
      '/types/Order/unique/0 unknown_field',
    ]);
    expect(validateManifest(backwards(broken)).errors).toEqual(errors);
  });

  it('is told what was probably meant', () => {
    const { errors } = validateManifest(plant(desk(), place(`${REFUND} approvals 2 when eq 0`), '$args.raeson'));
    expect(errors).toEqual([{ path: '/actions/order.refund/approvals/2/when/eq/0', code: 'unknown_path', detail: '$args.raeson', suggestion: '$args.reason' }]);
  });

  it('shows the arithmetic of a frame that does not fit', () => {
    const [defect] = validateManifest(plant(desk(), place('frame maxBytes'), 10_000)).errors;
    const [, sum = '', result, bound] = /^(.*) = (\d+), above (\d+)$/.exec(defect?.detail ?? '') ?? [];
    const terms = [...sum.matchAll(/(?:(\d+) × )?(\d+) [a-z, ]+/g)].map(([, count = '1', bytes]) => Number(count) * Number(bytes));
    expect(terms.reduce((whole, term) => whole + term, 0)).toBe(Number(result));
    expect(sum).toContain('128 × ');
    expect(bound).toBe('10000');
  });

  it.each([null, 7, 'text', [], {}, { types: { Order: null }, actions: { 'order.refund': 7 }, adapters: { payments: {} } }])(
    'of nonsense is told so: %j',
    (json) => {
      expect(validateManifest(json as Json).errors.length).toBeGreaterThan(0);
    },
  );
});

/** The same with the keys of every object the other way round. */
function backwards(json: Json): Json {
  if (Array.isArray(json)) return json.map((item: Json) => backwards(item));
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json)
      .reverse()
      .map(([key, value]) => [key, backwards(value as Json)]),
  );
}

describe('a world may', () => {
  const rows: readonly Row[] = [
    ['narrow what agents see of the core’s types', '', ['types Task scope agent', 'own'], ['types Budget observe agent', ['limit']]],
    ['let agents open tasks', '', ['actions task.open roles', ['human', 'operator', 'agent']]],
    [
      'give its own roles the core’s actions',
      '',
      ['roles boss', role],
      ['actions approval.grant roles', ['agent', 'human', 'operator', 'boss']],
      [`${REFUND} approvals 0 role`, 'boss'],
      [`${REFUND} approvals 1 role`, 'boss'],
      [`${REFUND} approvals 2 role`, 'boss'],
    ],
    [
      'have a path of to-one fields as a scope, through any type',
      '',
      ['types Customer scope agent', 'agent'],
      ['types Customer state properties agent', { type: 'string', format: 'objectId', maxLength: 193, refers: ['Agent'] }],
      ['types Customer relationships agent', { cardinality: 'one', field: 'agent', to: ['Agent'] }],
      ['types Task scope agent', 'subject.customer.agent'],
    ],
    ['change a related object', '', [`${RESOLVE} outcomes Succeeded changes 1`, { set: '$related.order', fields: { currency: 'eur' } }]],
  ];
  it.each(rows.map(caseOf))('$code', ({ planted }) => {
    expect(validateManifest(planted()).errors).toEqual([]);
  });
});
