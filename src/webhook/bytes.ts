// Responsibility: the bytes of webhook signatures: HMAC-SHA256, strict decoding, comparison in constant time.
// Boundary: pure and synchronous; the HMAC is the platform's (node:crypto, in Node and in workerd).
// Own code instead of the providers' packages: refusals here are answers with a code and not exceptions, the clock is always the caller's, several
// secrets are tried at once, and no API client comes along.
import { createHmac } from 'node:crypto';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const HEX_SHA256 = /^[0-9a-f]{64}$/;
const HMAC_BYTES = 32;

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** HMAC-SHA256 of the UTF-8 bytes of a text: 32 bytes. */
export function hmacSha256(key: Uint8Array, text: string): Uint8Array {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}

/** Bytes of padded standard base64; null where it is empty or malformed. */
export function fromBase64(text: string): Uint8Array | null {
  if (text === '' || !BASE64.test(text)) return null;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** The 32 bytes of 64 lower-case hex digits; null for anything else. */
export function fromHexSha256(text: string): Uint8Array | null {
  if (!HEX_SHA256.test(text)) return null;
  return Uint8Array.from({ length: HMAC_BYTES }, (_, index) => Number.parseInt(text.slice(index * 2, index * 2 + 2), 16));
}

/** True where both are the same 32 bytes. The time taken does not depend on where they differ. */
export function equalInConstantTime(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== HMAC_BYTES || other.length !== HMAC_BYTES) return false;
  let difference = 0;
  for (let index = 0; index < HMAC_BYTES; index += 1) difference |= (one[index] ?? 0) ^ (other[index] ?? 0);
  return difference === 0;
}

/** True where any candidate equals the expected bytes; every candidate is compared. */
export function anyEqual(candidates: readonly Uint8Array[], expected: Uint8Array): boolean {
  return candidates.filter((candidate) => equalInConstantTime(candidate, expected)).length > 0;
}
