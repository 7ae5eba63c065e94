// Signatures as the providers make them, by another implementation of HMAC than the one under test.
import { createHmac } from 'node:crypto';

export function stripeV1(secret: string, timestamp: number | string, body: string): string {
  return createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
}

export function standardV1(secret: string, signed: { readonly id: string; readonly timestamp: number | string; readonly body: string }): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${signed.id}.${signed.timestamp}.${signed.body}`).digest('base64')}`;
}
