// Standard Webhooks (standardwebhooks.com), also under its older header names `svix-*`: HMAC-SHA256 over `<id>.<timestamp>.<raw body>`, base64.
// The key is what the base64 after `whsec_` decodes to. The header lists `v1,<base64>` signatures, space-separated, for the rotation of secrets.
import { anyEqual, fromBase64, hmacSha256 } from './bytes.ts';
import { HEADER_LENGTH_MAX, SIGNATURES_MAX, ageFailure, secondsOf } from './delivery.ts';
import type { SignedDelivery, Verification } from './delivery.ts';

const FAMILIES = ['webhook', 'svix'] as const;
const SECRET_PREFIX = 'whsec_';
/** Visible ASCII without the dot that separates what is signed: else two deliveries could have the same signed text. */
const DELIVERY_ID = /^[\x21-\x2d\x2f-\x7e]{1,256}$/;

/** Verifies against any of the secrets; one that is no base64 never verifies. The signature is checked before its age. */
export function verifyStandard(secrets: readonly string[], delivery: SignedDelivery, nowMs: number, toleranceSeconds: number): Verification {
  const header = headerOf(delivery.headers);
  if (header === null) return { ok: false, code: 'signature_missing' };
  const seconds = secondsOf(header.timestamp);
  const signatures = signaturesOf(header.signature);
  if (seconds === null || signatures.length === 0 || !DELIVERY_ID.test(header.id)) return { ok: false, code: 'signature_malformed' };
  const signed = `${header.id}.${header.timestamp}.${delivery.body}`;
  const keys = secrets.map(keyOf).filter((key) => key !== null);
  if (!keys.some((key) => anyEqual(signatures, hmacSha256(key, signed)))) return { ok: false, code: 'signature_wrong' };
  const failure = ageFailure(seconds, nowMs, toleranceSeconds);
  return failure === null ? { ok: true, deliveryId: header.id } : { ok: false, code: failure };
}

interface Header {
  readonly id: string;
  readonly timestamp: string;
  readonly signature: string;
}

/** All three headers of one family; names of the two families are never mixed. */
function headerOf(headers: SignedDelivery['headers']): Header | null {
  for (const family of FAMILIES) {
    const id = headers[`${family}-id`];
    const timestamp = headers[`${family}-timestamp`];
    const signature = headers[`${family}-signature`];
    if (id !== undefined && timestamp !== undefined && signature !== undefined) return { id, timestamp, signature };
  }
  return null;
}

function signaturesOf(header: string): readonly Uint8Array[] {
  if (header.length > HEADER_LENGTH_MAX) return [];
  return header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .slice(0, SIGNATURES_MAX)
    .map((part) => fromBase64(part.slice('v1,'.length)))
    .filter((bytes) => bytes !== null);
}

function keyOf(secret: string): Uint8Array | null {
  return secret.startsWith(SECRET_PREFIX) ? fromBase64(secret.slice(SECRET_PREFIX.length)) : null;
}
