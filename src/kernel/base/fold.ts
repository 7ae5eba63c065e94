// Responsibility: the one normalisation of identity fields and unique values, so that `'Bob '` and `bob` are one and the same (design §8).
// Boundary: white space and ASCII case only. No Unicode folding or normalisation: tables differ between engines and years.
// Invariants: total, deterministic, idempotent; keys and everything but strings stay as they are.

import { isJsonList, isJsonObject, type Json, type JsonObject } from './json.ts';

// Unicode White_Space, written out: `\s` has U+FEFF, lacks U+0085, and has moved between editions.
const SPACES = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/g;
const UPPER = /[A-Z]+/g;

/** The folded form of an identity value. */
export function foldIdentity(value: Json): Json {
  if (typeof value === 'string') return foldText(value);
  if (isJsonList(value)) return value.map(foldIdentity);
  if (isJsonObject(value)) return foldObject(value);
  return value;
}

function foldText(text: string): string {
  const spaced = text.replace(SPACES, ' ');
  const start = spaced.startsWith(' ') ? 1 : 0;
  const end = spaced.endsWith(' ') ? spaced.length - 1 : spaced.length;
  return spaced.slice(start, Math.max(start, end)).replace(UPPER, (letters) => letters.toLowerCase());
}

function foldObject(object: JsonObject): JsonObject {
  // `fromEntries` defines own keys, also one that is called `__proto__`.
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, foldIdentity(value)]));
}
