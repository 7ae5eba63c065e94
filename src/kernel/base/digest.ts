// Responsibility: digests over canonical bytes, and the ids made from them.
// Boundary: SHA-256 comes from @noble/hashes (synchronous, the same everywhere); nothing here reads a clock or randomness.
// Invariants: an id made here is a digest, never a counter, so that it tells nothing about what else exists.

import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonical } from './canonical.ts';
import type { Json } from './json.ts';

/** SHA-256 of the UTF-8 bytes of a text, 64 lower-case hex digits. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** `sha256:` and the digest of the canonical bytes (RFC 8785) of a value. */
export function digest(value: Json): string {
  return `sha256:${sha256Hex(canonical(value))}`;
}

/** A digest of canonical parts as bare hex: correlation ids, signatures, cell keys, local ids. */
export function digestHex(value: Json): string {
  return sha256Hex(canonical(value));
}
