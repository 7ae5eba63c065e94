// Webhooks from the provider to whoever is to hear of an effect: made, signed and delivered, also in ways that must be refused.
import { createHmac, randomBytes } from 'node:crypto';
import { newId, refundObject } from './objects.ts';
import type { Effect, JsonRecord } from './records.ts';
import type { Ledger } from './ledger.ts';

export type WebhookScheme = 'stripe' | 'standard';
export type WebhookFlaw = 'wrong_secret' | 'tampered' | 'unsigned';

export interface WebhookOrder {
  readonly url: string;
  readonly secret: string;
  readonly scheme: WebhookScheme;
  /** Such as `refund.updated` or `email.delivered`. */
  readonly event: string;
  /** Which effect it is about; one that the ledger does not know is made up. */
  readonly correlation?: string;
  /** The refund's status in the event; the ledger follows it, as a later read-back would show. */
  readonly status?: string;
  readonly amountCents?: number;
  readonly charge?: string;
  readonly failureReason?: string;
  readonly livemode?: boolean;
  /** The event's id (Stripe) or the delivery's (Standard Webhooks). */
  readonly deliveryId?: string;
  /** How old the signed timestamp is. */
  readonly ageSeconds?: number;
  /** The same bytes that often. */
  readonly times?: number;
  readonly flaw?: WebhookFlaw;
  /** The family of the Standard Webhooks header names. */
  readonly family?: 'webhook' | 'svix';
  readonly tags?: 'map' | 'list';
}

export interface WebhookReport {
  readonly deliveryId: string;
  readonly statuses: readonly number[];
  /** The answer to the last delivery. */
  readonly body: string;
}

const ANSWER_MS = 15_000;

/** Throws where nobody answers at the URL. */
export async function deliverWebhook(ledger: Ledger, order: WebhookOrder): Promise<WebhookReport> {
  const deliveryId = order.deliveryId ?? newId(order.scheme === 'stripe' ? 'evt' : 'msg');
  const event = eventFor(ledger, order, deliveryId);
  const signed = JSON.stringify(event);
  const headers = { 'content-type': 'application/json', ...signatureHeaders(order, deliveryId, signed) };
  const sent = order.flaw === 'tampered' ? signed.replace('{', '{"tampered":true,') : signed;
  const statuses: number[] = [];
  let body = '';
  for (let i = 0; i < (order.times ?? 1); i += 1) {
    const answer = await fetch(order.url, { method: 'POST', headers, body: sent, signal: AbortSignal.timeout(ANSWER_MS), redirect: 'manual' });
    statuses.push(answer.status);
    body = await answer.text();
  }
  return { deliveryId, statuses, body };
}

function eventFor(ledger: Ledger, order: WebhookOrder, deliveryId: string): JsonRecord {
  const entry = order.correlation === undefined ? undefined : ledger.find(order.correlation);
  if (order.scheme === 'standard') return mailEvent(order, entry);
  if (entry !== undefined && order.status !== undefined) ledger.setStatus(entry.n, order.status);
  const object = { ...(entry?.object ?? strangeRefund(order)), ...given('status', order.status), ...given('failure_reason', order.failureReason) };
  return { id: deliveryId, object: 'event', type: order.event, created: nowSeconds(), livemode: order.livemode ?? false, data: { object } };
}

/** A refund that this ledger never made. */
function strangeRefund({ charge, amountCents, correlation, status }: WebhookOrder): JsonRecord {
  const metadata = correlation === undefined ? {} : { correlation_id: correlation };
  return refundObject({ charge: charge ?? 'ch_unknown', amountCents: amountCents ?? 100, metadata, fields: {} }, status ?? 'succeeded');
}

function mailEvent(order: WebhookOrder, entry: Effect | undefined): JsonRecord {
  const correlation = order.correlation ?? 'unknown';
  const tags = order.tags === 'list' ? [{ name: 'correlation_id', value: correlation }] : { correlation_id: correlation };
  const at = new Date().toISOString();
  return { type: order.event, created_at: at, data: { created_at: at, email_id: entry?.object['id'] ?? newId('em'), to: entry?.to ?? [], tags } };
}

function given(name: string, value: string | undefined): JsonRecord {
  return value === undefined ? {} : { [name]: value };
}

function signatureHeaders(order: WebhookOrder, deliveryId: string, payload: string): { readonly [name: string]: string } {
  if (order.flaw === 'unsigned') return {};
  const secret = order.flaw === 'wrong_secret' ? `whsec_${randomBytes(24).toString('base64')}` : order.secret;
  const timestamp = nowSeconds() - (order.ageSeconds ?? 0);
  if (order.scheme === 'stripe') return { 'stripe-signature': stripeSignature(secret, timestamp, payload) };
  const family = order.family ?? 'webhook';
  const signature = standardSignature(secret, `${deliveryId}.${timestamp}.${payload}`);
  return { [`${family}-id`]: deliveryId, [`${family}-timestamp`]: String(timestamp), [`${family}-signature`]: signature };
}

/** The whole secret, prefix and all, is the key. */
export function stripeSignature(secret: string, timestamp: number, payload: string): string {
  return `t=${timestamp},v1=${createHmac('sha256', secret).update(`${timestamp}.${payload}`).digest('hex')}`;
}

/** The key is what the base64 after the prefix stands for. */
export function standardSignature(secret: string, signed: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
