// Responsibility: what the kernel needs to know of strings: order, length in bytes, well-formedness, cutting, JSON pointers.
// Boundary: code units and code points only; no locale, no normalisation.
// Invariants: text made here is well formed (no unpaired surrogate) and bounded, so that it can be hashed.

import { LIMITS } from './limits.ts';

const SURROGATE = /[\ud800-\udfff]/;
// In a `u` pattern a pair is one code point, so this class finds unpaired ones only.
const UNPAIRED = /\p{Cs}/u;
const EVERY_UNPAIRED = /\p{Cs}/gu;

/** Order by UTF-16 code units: the order of RFC 8785, and the only one in the kernel. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** True where every surrogate has its pair. */
export function isWellFormed(text: string): boolean {
  return !SURROGATE.test(text) || !UNPAIRED.test(text);
}

/** The text with U+FFFD for each unpaired surrogate. */
export function wellFormed(text: string): string {
  return isWellFormed(text) ? text : text.replace(EVERY_UNPAIRED, '\ufffd');
}

/** The first `charactersMax` code units, without half a pair at the end. */
export function cut(text: string, charactersMax: number): string {
  const whole = wellFormed(text);
  if (whole.length <= charactersMax) return whole;
  const last = whole.charCodeAt(charactersMax - 1);
  return whole.slice(0, last >= 0xd800 && last <= 0xdbff ? charactersMax - 1 : charactersMax);
}

/** Bytes of the text in UTF-8. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A pair is two units and four bytes, so each of its halves adds one, like any unit below U+0800.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

/** The JSON pointer of a member (RFC 6901). */
export function pointer(parent: string, key: string | number): string {
  if (typeof key === 'number') return `${parent}/${key}`;
  return `${parent}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** A path that may stand in a refusal: cut, and well formed. */
export function boundedPath(path: string): string {
  return cut(path, LIMITS.pathLengthMax);
}
