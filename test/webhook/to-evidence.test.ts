// What a genuine delivery says, by the two contracts of the refund desk.
import { describe, expect, it } from 'vitest';
import { mail } from '../../src/adapters/contracts/mail.ts';
import { payments } from '../../src/adapters/contracts/payments.ts';
import type { HttpContract, Json, JsonObject } from '../../src/kernel/index.ts';
import { deliveryToEvidence } from '../../src/webhook/to-evidence.ts';

const CORRELATION_ID = '5f'.repeat(32);
const read = (contract: HttpContract, payload: Json, headerId: string | null = null) => deliveryToEvidence(contract, JSON.stringify(payload), headerId);

function refundEvent(more: { readonly event?: JsonObject; readonly refund?: JsonObject } = {}): JsonObject {
  const object = { id: 're_1', object: 'refund', amount: 2_500, status: 'succeeded', metadata: { correlation_id: CORRELATION_ID }, ...more.refund };
  return { id: 'evt_1', object: 'event', type: 'refund.updated', livemode: false, data: { object }, ...more.event };
}

describe('payments', () => {
  it.each(['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated'])('%s is evidence by the status of the refund', (type) => {
    expect(read(payments, refundEvent({ event: { type } }))).toEqual({
      correlationId: CORRELATION_ID,
      says: 'landed',
      status: 'succeeded',
      rank: 3,
      fields: { providerId: 're_1', status: 'succeeded', amountCents: 2_500 },
      livemode: false,
      type,
      deliveryId: 'evt_1',
    });
  });

  it('a refund that the bank returned says failed, with its reason', () => {
    const event = refundEvent({ refund: { status: 'failed', failure_reason: 'expired_or_canceled_card' } });
    expect(read(payments, event)).toMatchObject({ says: 'failed', status: 'failed', rank: 4, fields: { failureReason: 'expired_or_canceled_card' } });
  });

  it('the mode is reported, for the connection to be compared with', () => {
    expect(read(payments, refundEvent({ event: { livemode: true } }))).toMatchObject({ livemode: true, says: 'landed' });
  });

  it.each<[string, JsonObject]>([
    ['another type of event', refundEvent({ event: { type: 'charge.succeeded' } })],
    ['a type that every object inherits', refundEvent({ event: { type: 'constructor' } })],
    ['a type that is no text', refundEvent({ event: { type: 7 } })],
    ['a status that the table does not know', refundEvent({ refund: { status: 'reversed' } })],
    ['no status', refundEvent({ refund: { status: null } })],
    ['a body that does not fit', refundEvent({ refund: { amount: 'much' } })],
    ['no mode', refundEvent({ event: { livemode: null } })],
  ])('%s is kept and not applied', (_what, event) => {
    expect(read(payments, event)).toMatchObject({ says: null, status: null, rank: 0, fields: {}, deliveryId: 'evt_1' });
  });

  it.each<[string, Json]>([
    ['none', {}],
    ['null', null],
    ['another form', { correlation_id: CORRELATION_ID.toUpperCase() }],
    ['a list', [CORRELATION_ID]],
  ])('metadata with %s names no effect of ours', (_what, metadata) => {
    expect(read(payments, refundEvent({ refund: { metadata } }))).toMatchObject({ correlationId: null, says: 'landed' });
  });

  it('a delivery without an id is known by its bytes', () => {
    const one = read(payments, refundEvent({ event: { id: null } }));
    expect(one?.deliveryId).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(read(payments, refundEvent({ event: { id: null } }))?.deliveryId).toBe(one?.deliveryId);
    expect(read(payments, refundEvent({ event: { id: null, created: 2 } }))?.deliveryId).not.toBe(one?.deliveryId);
  });

  it('what is no JSON is kept and not applied', () => {
    expect(deliveryToEvidence(payments, 'not json', null)).toMatchObject({ says: null, type: null, correlationId: null });
  });
});

describe('mail', () => {
  const mailEvent = (type: string, tags: Json = { correlation_id: CORRELATION_ID }): JsonObject => ({
    type,
    created_at: '2026-12-01T00:00:00Z',
    data: { email_id: 'em_1', to: ['kim@customers.test'], tags },
  });

  it.each([
    ['email.sent', 'landed'],
    ['email.delivered', 'landed'],
    ['email.bounced', 'landed'],
    ['email.failed', 'failed'],
  ])('%s says %s, and is shown as such', (type, says) => {
    expect(read(mail, mailEvent(type), 'msg_1')).toMatchObject({
      correlationId: CORRELATION_ID,
      says,
      status: type,
      fields: { providerId: 'em_1' },
      livemode: null,
      deliveryId: 'msg_1',
    });
  });

  it('a bounce ranks above all others', () => {
    const rank = (type: string): number => read(mail, mailEvent(type), 'msg_1')?.rank ?? Number.NaN;
    for (const type of ['email.sent', 'email.delivered', 'email.failed']) expect(rank('email.bounced')).toBeGreaterThan(rank(type));
  });

  it.each<[string, Json, string | null]>([
    ['a map', { correlation_id: CORRELATION_ID }, CORRELATION_ID],
    [
      'a list',
      [
        { name: 'a', value: 'b' },
        { name: 'correlation_id', value: CORRELATION_ID },
      ],
      CORRELATION_ID,
    ],
    [
      'a list that says it twice',
      [
        { name: 'correlation_id', value: CORRELATION_ID },
        { name: 'correlation_id', value: CORRELATION_ID },
      ],
      CORRELATION_ID,
    ],
    [
      'a list that contradicts itself',
      [
        { name: 'correlation_id', value: CORRELATION_ID },
        { name: 'correlation_id', value: 'a0'.repeat(32) },
      ],
      null,
    ],
    ['an empty list', [], null],
    ['nothing', null, null],
  ])('tags as %s', (_what, tags, expected) => {
    expect(read(mail, mailEvent('email.sent', tags), 'msg_1')?.correlationId).toBe(expected);
  });

  it.each(['email.opened', 'email.delivery_delayed', 'email.complained'])('%s is kept and not applied', (type) => {
    expect(read(mail, mailEvent(type), 'msg_1')).toMatchObject({ says: null, type });
  });
});

it('a contract that takes no webhooks has no evidence in them', () => {
  const { webhook: _webhook, ...without } = mail;
  expect(deliveryToEvidence(without, '{}', null)).toBeNull();
});
