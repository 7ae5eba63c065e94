// Responsibility: the JSON value type that every hashed, stored or compared datum of the kernel has.
// Boundary: types and shallow guards only; canonical bytes are in canonical.ts.
// Invariants: values are immutable to the kernel (readonly all the way down).

export type JsonPrimitive = null | boolean | number | string;
export type Json = JsonPrimitive | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** True for a plain JSON object (neither null nor a list). */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a JSON list. `Array.isArray` alone does not narrow a readonly union. */
export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value of an own key, never one inherited from a prototype (`__proto__`, `constructor`). */
export function ownField(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
