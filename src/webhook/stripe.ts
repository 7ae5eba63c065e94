// Stripe's scheme: `Stripe-Signature: t=<seconds>,v1=<hex>[,v1=<hex>…]`, HMAC-SHA256 over `<t>.<raw body>`, hex.
// The key is the whole `whsec_…` string as it stands. Several v1 come while a secret is being rotated; other schemes (v0) prove nothing.
// Source: Stripe's documentation, "Verify webhook signatures manually".
import { anyEqual, fromHexSha256, hmacSha256, utf8 } from './bytes.ts';
import { HEADER_LENGTH_MAX, SIGNATURES_MAX, ageFailure, secondsOf } from './delivery.ts';
import type { SignedDelivery, Verification } from './delivery.ts';

interface Header {
  readonly timestamp: string;
  readonly seconds: number;
  readonly signatures: readonly Uint8Array[];
}

/** Verifies against any of the secrets. The signature is checked before its age, so only a genuine delivery is called old. */
export function verifyStripe(secrets: readonly string[], delivery: SignedDelivery, nowMs: number, toleranceSeconds: number): Verification {
  const text = delivery.headers['stripe-signature'];
  if (text === undefined) return { ok: false, code: 'signature_missing' };
  const header = parse(text);
  if (header === null) return { ok: false, code: 'signature_malformed' };
  const signed = `${header.timestamp}.${delivery.body}`;
  const usable = secrets.filter((secret) => secret !== '');
  if (!usable.some((secret) => anyEqual(header.signatures, hmacSha256(utf8(secret), signed)))) return { ok: false, code: 'signature_wrong' };
  const failure = ageFailure(header.seconds, nowMs, toleranceSeconds);
  return failure === null ? { ok: true, deliveryId: null } : { ok: false, code: failure };
}

function parse(text: string): Header | null {
  if (text.length > HEADER_LENGTH_MAX) return null;
  const parts = text.split(',').map((part) => part.trim());
  const valuesOf = (name: string): readonly string[] => parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [timestamp, ...more] = valuesOf('t');
  const seconds = timestamp === undefined || more.length > 0 ? null : secondsOf(timestamp);
  const signatures = valuesOf('v1')
    .slice(0, SIGNATURES_MAX)
    .map(fromHexSha256)
    .filter((bytes) => bytes !== null);
  return timestamp === undefined || seconds === null || signatures.length === 0 ? null : { timestamp, seconds, signatures };
}
