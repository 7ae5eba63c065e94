// The payments integration: Stripe's refunds API (docs/operating.md "Payments: Stripe, in test mode").
// Sources: Stripe API reference (Refunds, Errors, Events), version 2024-10-28.acacia, from which on all refunds have the refund.* events.
// Only data: what is not here is neither sent nor believed.
import type { HttpContract, StatusMeaning } from '../../kernel/index.ts';
import { amount, list, oneOf, record, text } from './shapes.ts';

/** Later statuses apply by rank, so that the order of deliveries does not matter. */
const REFUND_STATUSES: { readonly [status: string]: StatusMeaning } = {
  pending: { means: 'landed', rank: 1 },
  requires_action: { means: 'landed', rank: 2 },
  succeeded: { means: 'landed', rank: 3 },
  failed: { means: 'failed', rank: 4 },
  canceled: { means: 'failed', rank: 4 },
};

const IS_PAYMENT_INTENT = { starts_with: ['$target.chargeId', 'pi_'] };
/** Charges are `ch_…` and `py_…`; what is refunded goes by its own name. */
const REFUNDED = [
  { name: 'charge', from: '$target.chargeId', when: { not: IS_PAYMENT_INTENT } },
  { name: 'payment_intent', from: '$target.chargeId', when: IS_PAYMENT_INTENT },
];

/** `charge`, `metadata`, `status` of a listed refund may be null, so only what every refund has is demanded. */
const REFUND = record({ id: text(255), object: { const: 'refund' }, amount: amount() }, ['id', 'object', 'amount']);
const ANSWERED_REFUND = record({ id: text(255), object: { const: 'refund' }, amount: amount(), status: oneOf(Object.keys(REFUND_STATUSES)) }, [
  'id',
  'object',
  'amount',
  'status',
]);

const REFUND_EVIDENCE = { providerId: 'id', status: 'status', amountCents: 'amount', failureReason: 'failure_reason' };

export const payments: HttpContract = {
  kind: 'http',
  description: 'Refunds of charges, as Stripe offers them.',
  origins: ['https://api.stripe.com'],
  auth: 'bearer',
  livePrefixes: ['sk_live_', 'rk_live_'],
  settings: {},
  headers: { 'stripe-version': '2024-10-28.acacia' },
  operations: {
    refund: {
      method: 'POST',
      path: '/v1/refunds',
      encoding: 'form',
      headers: { 'idempotency-key': '$attempt.correlationId' },
      body: [
        ...REFUNDED,
        { name: 'amount', from: '$args.amountCents' },
        { name: 'reason', from: '$args.reason' },
        { name: 'metadata[correlation_id]', from: '$attempt.correlationId' },
        { name: 'metadata[world]', from: '$attempt.world' },
      ],
      response: {
        schema: ANSWERED_REFUND,
        echoes: { amount: '$args.amountCents' },
        status: { path: 'status', means: REFUND_STATUSES },
        evidence: REFUND_EVIDENCE,
      },
    },
  },
  // `code` is optional there, so the type decides. `idempotency_error` and `api_error` are doubt on purpose, as is every 409.
  errors: {
    schema: record({ error: record({ type: text(64) }, ['type']) }, ['error']),
    codePath: 'error.type',
    rows: [
      { statuses: [400, 402, 404], codes: ['card_error', 'invalid_request_error'], means: 'declined' },
      { statuses: [401, 403], codes: ['invalid_request_error', 'authentication_error', 'permission_error'], means: 'login_lost' },
    ],
  },
  readBack: {
    path: '/v1/refunds',
    query: [...REFUNDED, { name: 'limit', from: '100' }],
    pageSchema: record({ data: list(REFUND, 100), has_more: { type: 'boolean' } }, ['data', 'has_more']),
    itemsPath: 'data',
    correlationPath: 'metadata.correlation_id',
    statusPath: 'status',
    evidence: REFUND_EVIDENCE,
    paging: { morePath: 'has_more', cursorParameter: 'starting_after', cursorPath: 'id', pagesMax: 10 },
  },
  webhook: {
    scheme: 'stripe',
    toleranceSeconds: 300,
    schema: record({ id: text(255), livemode: { type: 'boolean' }, data: record({ object: ANSWERED_REFUND }, ['object']) }, ['id', 'livemode', 'data']),
    deliveryPath: 'id',
    typePath: 'type',
    events: { 'refund.created': 'status', 'refund.updated': 'status', 'refund.failed': 'status', 'charge.refund.updated': 'status' },
    correlationPath: 'data.object.metadata.correlation_id',
    statusPath: 'data.object.status',
    livemodePath: 'livemode',
    evidence: {
      providerId: 'data.object.id',
      status: 'data.object.status',
      amountCents: 'data.object.amount',
      failureReason: 'data.object.failure_reason',
    },
    operation: 'refund',
  },
  timeoutMs: 10_000,
  settleMs: 20_000,
  // A page of 100 refunds with much metadata.
  responseBytesMax: 4_194_304,
};
