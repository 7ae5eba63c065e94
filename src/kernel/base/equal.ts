// Responsibility: equality of JSON values: that of their canonical bytes, without making them.
// Boundary: values only; identity fields are folded first (fold.ts).
// Invariants: symmetric, total over plain JSON; the order of keys means nothing, the order of items does.

import { isJsonList, isJsonObject, type Json } from './json.ts';

export function sameJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (isJsonList(a)) return isJsonList(b) && sameLists(a, b);
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && sameJson(a[key] ?? null, b[key] ?? null));
}

function sameLists(a: readonly Json[], b: readonly Json[]): boolean {
  return a.length === b.length && a.every((item, index) => sameJson(item, b[index] ?? null));
}
