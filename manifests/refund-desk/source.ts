// The refund desk: customers, orders and tickets; refunds through a payment provider, mails through a mail provider (README.md tells its story).
import { mail } from '../../src/adapters/contracts/mail.ts';
import { payments } from '../../src/adapters/contracts/payments.ts';
import * as z from 'zod';
import { defineWorld } from '../../src/authoring/define.ts';
import { idOf, uniqueList } from '../../src/authoring/from-zod.ts';
import { DAY_MS } from '../../src/kernel/index.ts';
import type { Condition } from '../../src/kernel/index.ts';
import { scenarios } from './scenarios.ts';

const cents = z.int().min(1).max(100_000_000);
const lineId = z.string().min(1).max(64);
const lines = uniqueList(z.object({ id: lineId, totalCents: cents }), 'id', 100);
const address = z.string().min(3).max(320);
const chargeId = z.string().min(1).max(255);

const resolution = z.enum(['refunded', 'denied', 'answered']);

const line = { item: ['$target.lines', '$args.line', 'totalCents'] };
const refundedWith = (sums: string): { readonly add: readonly string[] } => ({ add: [`${sums}landedTotal`, `${sums}heldTotal`, '$args.amountCents'] });
const ofOrder = refundedWith('$effects.order.refund.');
const ofLine = refundedWith('$effects.order.refund.same.line.');
/** False, and not unknown, where there is no such path: a ticket has no conversation, a message no customer. */
const isThisCustomer = (path: string): Condition => ({ all: [{ exists: path }, { eq: [path, '$target.id'] }] });
const byAPerson = { role: 'human', expiresAfterMs: DAY_MS } as const;

export const refundDesk = defineWorld({
  name: 'refund-desk',
  version: '1.4.0',
  description: 'A support desk that refunds orders and writes to customers',
  types: {
    Customer: {
      description: 'Somebody who ordered',
      state: z.object({ name: z.string().max(200), email: address, optedOut: z.boolean() }),
      relationships: {
        orders: { cardinality: 'many', inverse: { type: 'Order', field: 'customer' } },
        tickets: { cardinality: 'many', inverse: { type: 'Ticket', field: 'customer' } },
      },
    },
    Order: {
      description: 'What was ordered and paid',
      state: z.object({
        customer: idOf('Customer'),
        chargeId,
        currency: z.string().max(3),
        totalCents: z.int().min(1),
        refundedCents: z.int().min(0),
        lines: lines.optional(),
      }),
      unique: ['chargeId'],
      constant: ['currency'],
      relationships: {
        customer: { cardinality: 'one', field: 'customer', to: ['Customer'] },
        refunds: { cardinality: 'many', inverse: { type: 'Refund', field: 'order' } },
        tickets: { cardinality: 'many', inverse: { type: 'Ticket', field: 'order' } },
      },
    },
    Refund: {
      description: 'A refund that landed at the provider',
      base: 'ExternalResource',
      state: z.object({
        order: idOf('Order'),
        amountCents: cents,
        line: lineId.optional(),
        status: z.string().max(64),
        providerId: z.string().max(255).optional(),
        source: z.enum(['world', 'outside']),
      }),
      relationships: { order: { cardinality: 'one', field: 'order', to: ['Order'] } },
    },
    Ticket: {
      description: 'A complaint or a question',
      state: z.object({
        customer: idOf('Customer'),
        order: idOf('Order').optional(),
        subject: z.string().max(400),
        status: z.enum(['open', 'resolved']),
        resolution: resolution.optional(),
      }),
      lifecycle: { field: 'status', initial: 'open', states: ['open', 'resolved'], moves: [{ action: 'ticket.resolve', from: ['open'], to: ['resolved'] }] },
      relationships: {
        customer: { cardinality: 'one', field: 'customer', to: ['Customer'] },
        order: { cardinality: 'one', field: 'order', to: ['Order'] },
      },
    },
  },
  actions: {
    'customer.register': {
      description: 'Register a customer',
      creates: 'Customer',
      roles: ['human', 'operator'],
      input: z.object({ name: z.string().min(1).max(200), email: address }),
      changes: [{ create: 'Customer', as: 'target', fields: { name: '$args.name', email: '$args.email', optedOut: false } }],
    },
    'customer.update': {
      description: 'Change the address of a customer, or whether mails are wanted',
      on: ['Customer'],
      roles: ['human', 'operator'],
      input: z.object({ email: address.optional(), optedOut: z.boolean().optional() }),
      changes: [{ set: '$target', fields: { email: '$args.email', optedOut: '$args.optedOut' } }],
    },
    'order.record': {
      description: 'Record an order that was paid',
      creates: 'Order',
      roles: ['operator'],
      input: z.object({
        customer: idOf('Customer'),
        chargeId,
        currency: z
          .string()
          .length(3)
          .regex(/^[a-z]{3}$/),
        totalCents: cents,
        lines: lines.optional(),
      }),
      changes: [
        {
          create: 'Order',
          as: 'target',
          fields: {
            customer: '$args.customer',
            chargeId: '$args.chargeId',
            currency: '$args.currency',
            totalCents: '$args.totalCents',
            lines: '$args.lines',
            refundedCents: 0,
          },
        },
      ],
    },
    'order.amend': {
      description: 'Correct what was recorded of an order',
      on: ['Order'],
      roles: ['operator'],
      input: z.object({ chargeId: chargeId.optional(), totalCents: cents.optional() }),
      rules: [
        { name: 'no_refund_under_way', description: 'No refund of the order is in flight or in doubt', when: { eq: ['$effects.order.refund.heldCount', 0] } },
        {
          name: 'not_below_landed',
          description: 'The total is not below what was refunded',
          when: { any: [{ not: { exists: '$args.totalCents' } }, { gte: ['$args.totalCents', '$effects.order.refund.landedTotal'] }] },
        },
      ],
      changes: [{ set: '$target', fields: { chargeId: '$args.chargeId', totalCents: '$args.totalCents' } }],
    },
    'ticket.open': {
      description: 'Open a ticket of a customer',
      creates: 'Ticket',
      roles: ['agent', 'human', 'operator'],
      input: z.object({ customer: idOf('Customer'), order: idOf('Order').optional(), subject: z.string().min(1).max(400) }),
      changes: [{ create: 'Ticket', as: 'target', fields: { customer: '$args.customer', order: '$args.order', subject: '$args.subject' } }],
    },
    'order.refund': {
      description: 'Refund an order, or one line of it',
      on: ['Order'],
      roles: ['agent', 'human'],
      input: z.object({
        amountCents: cents,
        reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']),
        line: lineId.optional(),
        note: z.string().max(500).optional(),
      }),
      rules: [
        {
          name: 'within_remaining',
          description: 'What was refunded, what is on its way and this together are within the total of the order, and of the line',
          when: {
            all: [{ lte: [ofOrder, '$target.totalCents'] }, { any: [{ not: { exists: '$args.line' } }, { not: { exists: line } }, { lte: [ofLine, line] }] }],
          },
        },
        { name: 'line_is_recorded', description: 'A line is one of the order’s', when: { any: [{ not: { exists: '$args.line' } }, { exists: line }] } },
      ],
      approvals: [
        { name: 'large_refunds_need_a_human', description: 'More than 50.00 of an order in all', when: { gt: [ofOrder, 5000] }, ...byAPerson },
        {
          name: 'second_refund_needs_a_human',
          description: 'An agent refunds an order again',
          when: { all: [{ eq: ['$actor.kind', 'Agent'] }, { gte: ['$effects.order.refund.landedCount', 1] }] },
          ...byAPerson,
        },
        { name: 'fraud_claims_need_a_human', description: 'It marks the customer at the provider', when: { eq: ['$args.reason', 'fraudulent'] }, ...byAPerson },
      ],
      effect: {
        adapter: { integration: 'payments', operation: 'refund', recovery: 'read_back' },
        identity: ['amountCents', 'line'],
        fence: 'target',
        amount: 'amountCents',
        spends: 'refunds',
        retry: { budget: 3, ceiling: 6 },
        progressed: [{ update: 'refund', fields: { status: '$evidence.status' } }],
        reverted: [
          { update: 'refund', fields: { status: '$evidence.status' } },
          { set: '$target', fields: { refundedCents: { sub: ['$target.refundedCents', '$args.amountCents'] } } },
        ],
      },
      changes: [
        {
          create: 'Refund',
          as: 'refund',
          fields: {
            order: '$target.id',
            amountCents: '$args.amountCents',
            line: '$args.line',
            status: '$evidence.status',
            providerId: '$evidence.providerId',
            source: 'world',
          },
        },
        { set: '$target', fields: { refundedCents: { add: ['$target.refundedCents', '$args.amountCents'] } } },
      ],
    },
    'customer.email': {
      description: 'Write to a customer',
      on: ['Customer'],
      roles: ['agent', 'human'],
      input: z.object({
        template: z.enum(['refund_issued', 'refund_denied', 'need_information']),
        inReplyTo: idOf('Ticket', 'Message').optional(),
        body: z.string().min(1).max(4000).optional(),
      }),
      related: { replied: '$args.inReplyTo', thread: '$related.replied.conversation' },
      rules: [
        { name: 'customer_accepts_mail', description: 'The customer has not opted out', when: { ne: ['$target.optedOut', true] } },
        {
          name: 'reply_is_of_this_customer',
          description: 'What is replied to is a ticket or message of this customer',
          when: {
            any: [
              { not: { exists: '$args.inReplyTo' } },
              isThisCustomer('$related.replied.customer'),
              isThisCustomer('$related.thread.id'),
              isThisCustomer('$related.thread.customer'),
            ],
          },
        },
      ],
      effect: {
        adapter: { integration: 'mail', operation: 'send', recovery: 'human' },
        identity: ['template', 'inReplyTo'],
        fence: 'identity',
        retry: { budget: 3, ceiling: 6 },
      },
    },
    'ticket.resolve': {
      description: 'Resolve a ticket',
      on: ['Ticket'],
      roles: ['agent', 'human'],
      input: z.object({ resolution }),
      related: { order: '$target.order' },
      rules: [
        {
          name: 'refund_has_landed',
          description: 'A ticket is resolved as refunded only when a refund of its order has landed',
          when: { any: [{ ne: ['$args.resolution', 'refunded'] }, { gte: ['$related.order.$effects.order.refund.landedCount', 1] }] },
        },
      ],
      changes: [{ set: '$target', fields: { status: 'resolved', resolution: '$args.resolution' } }],
    },
  },
  adapters: { payments, mail },
  budgets: { refunds: { description: 'What may be refunded per day', limit: 100_000, unit: 'cents', period: 'utc_day' } },
  receipts: ['order.refund', 'customer.email'],
  scenarios,
});
