// The two contracts of the refund desk, each with an attempt to send: what the shared suite runs over.
import type { HttpContract, JsonObject } from '../../../src/kernel/index.ts';
import { mail } from '../../../src/adapters/contracts/mail.ts';
import { payments } from '../../../src/adapters/contracts/payments.ts';
import type { RequestScope } from '../../../src/adapters/port.ts';

export const CORRELATION_ID = '5f'.repeat(32);
export const CREDENTIAL = 'sk_test_do_not_tell';

const ATTEMPT = { id: 'ActionAttempt:1', correlationId: CORRELATION_ID, world: 'acme/desk' };

export interface Subject {
  readonly name: string;
  readonly contract: HttpContract;
  readonly operation: string;
  readonly scope: RequestScope;
  /** An answer that fits, and what must be left of it. */
  readonly landed: { readonly body: JsonObject; readonly status: string | null; readonly rank: number; readonly fields: JsonObject };
  /** An error body that the contract knows, with the status under which it is definite. */
  readonly declined: { readonly status: number; readonly body: JsonObject; readonly code: string };
  readonly loginLost: { readonly status: number; readonly body: JsonObject; readonly code: string };
}

export function refundScope(chargeId: string): RequestScope {
  return {
    target: { chargeId },
    args: { amountCents: 2_500, reason: 'requested_by_customer', note: 'never sent' },
    related: {},
    attempt: ATTEMPT,
    settings: {},
  };
}

export function refund(more: JsonObject = {}): JsonObject {
  return { id: 're_1', object: 'refund', amount: 2_500, charge: 'ch_1', status: 'succeeded', metadata: { correlation_id: CORRELATION_ID }, ...more };
}

export const paymentsSubject: Subject = {
  name: 'payments',
  contract: payments,
  operation: 'refund',
  scope: refundScope('ch_1'),
  landed: { body: refund(), status: 'succeeded', rank: 3, fields: { providerId: 're_1', status: 'succeeded', amountCents: 2_500 } },
  declined: { status: 402, body: { error: { type: 'card_error', code: 'card_declined', message: 'no' } }, code: 'card_error' },
  loginLost: { status: 401, body: { error: { type: 'invalid_request_error', message: `bad key ${CREDENTIAL}` } }, code: 'invalid_request_error' },
};

export function mailScope(args: JsonObject, settings: { readonly [name: string]: string } = {}): RequestScope {
  return { target: { email: 'kim@customers.test' }, args, related: {}, attempt: ATTEMPT, settings };
}

export const mailSubject: Subject = {
  name: 'mail',
  contract: mail,
  operation: 'send',
  scope: mailScope({ template: 'refund_issued' }),
  landed: { body: { id: 'em_1' }, status: null, rank: 0, fields: { providerId: 'em_1' } },
  declined: { status: 422, body: { statusCode: 422, name: 'invalid_parameter', message: 'no' }, code: 'invalid_parameter' },
  loginLost: { status: 401, body: { statusCode: 401, name: 'validation_error', message: `bad key ${CREDENTIAL}` }, code: 'validation_error' },
};

export const SUBJECTS: readonly Subject[] = [paymentsSubject, mailSubject];
