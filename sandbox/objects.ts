// What the provider answers with: refunds, mails, pages, and errors in the words of each of the two.
import { randomBytes, randomUUID } from 'node:crypto';
import type { Asked, Effect, EffectRoute, JsonRecord } from './records.ts';

export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}

/** The object of one effect, as the answer to the POST shows it. */
export function objectFor(route: EffectRoute, asked: Asked, status: string): JsonRecord {
  return route === 'mail' ? { id: randomUUID() } : refundObject(asked, status);
}

export function refundObject(asked: Pick<Asked, 'charge' | 'amountCents' | 'metadata' | 'fields'>, status: string): JsonRecord {
  const byIntent = asked.charge?.startsWith('pi_') === true;
  return {
    id: newId('re'),
    object: 'refund',
    amount: asked.amountCents,
    charge: byIntent ? null : asked.charge,
    payment_intent: byIntent ? asked.charge : null,
    created: Math.floor(Date.now() / 1000),
    currency: 'eur',
    metadata: asked.metadata,
    reason: asked.fields['reason'] ?? null,
    status,
  };
}

const PAGE_DEFAULT = 10;
const PAGE_MAX = 100;

/** One page of refunds, newest first, after the one that `starting_after` names. */
export function refundPage(entries: readonly Effect[], query: URLSearchParams): JsonRecord {
  const charge = query.get('charge') ?? query.get('payment_intent');
  const limit = Math.min(PAGE_MAX, Math.max(1, Math.trunc(Number(query.get('limit') ?? PAGE_DEFAULT)) || PAGE_DEFAULT));
  const listed = entries.filter((entry) => entry.route === 'refund' && (charge === null || entry.charge === charge));
  const objects = listed.toReversed().map((entry) => entry.object);
  const after = query.get('starting_after');
  const from = after === null ? 0 : objects.findIndex((object) => object['id'] === after) + 1;
  return { object: 'list', url: '/v1/refunds', data: objects.slice(from, from + limit), has_more: objects.length > from + limit };
}

/** A page that is never the last one, and that never shows what is looked for. */
export function endlessPage(query: URLSearchParams): JsonRecord {
  const charge = query.get('charge') ?? query.get('payment_intent');
  const stranger = refundObject({ charge, amountCents: 1, metadata: {}, fields: {} }, 'succeeded');
  return { object: 'list', url: '/v1/refunds', data: [stranger], has_more: true };
}

export interface Failure {
  readonly status: number;
  /** The payment provider's `type` and the mail provider's `name`. */
  readonly type: string;
  readonly code?: string;
  readonly name: string;
  readonly message: string;
}

/** An error in the words of the provider behind this route. */
export function errorBody(route: EffectRoute | 'readback', failure: Failure): JsonRecord {
  if (route === 'mail') return { statusCode: failure.status, name: failure.name, message: failure.message };
  const code = failure.code === undefined ? {} : { code: failure.code };
  return { error: { type: failure.type, ...code, message: failure.message } };
}

export const FAILURES = {
  tokenUnknown: { status: 401, type: 'invalid_request_error', name: 'validation_error', message: 'Invalid API key provided.' },
  tokenRefused: { status: 403, type: 'invalid_request_error', code: 'secret_key_required', name: 'invalid_api_key', message: 'This API key may not do that.' },
  declined: { status: 402, type: 'card_error', code: 'card_declined', name: 'validation_error', message: 'Your card was declined.' },
  undeliverable: { status: 422, type: 'invalid_request_error', name: 'validation_error', message: 'The recipient is not valid.' },
  rateLimited: { status: 429, type: 'invalid_request_error', code: 'rate_limit', name: 'rate_limit_exceeded', message: 'Too many requests.' },
  internal: { status: 500, type: 'api_error', name: 'internal_server_error', message: 'Something went wrong on our side.' },
  gatewayTimeout: { status: 504, type: 'api_error', name: 'internal_server_error', message: 'The gateway gave up waiting.' },
  keyInUse: {
    status: 409,
    type: 'idempotency_error',
    code: 'idempotency_key_in_use',
    name: 'concurrent_idempotent_requests',
    message: 'Another request with this idempotency key is under way.',
  },
} as const satisfies { readonly [name: string]: Failure };
