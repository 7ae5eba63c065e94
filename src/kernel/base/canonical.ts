// Responsibility: canonical bytes (RFC 8785) of JSON values, as text; the only file that turns values into text for hashing.
// Boundary: one pass of our own, 6 to 7 µs per KB (Node 24). The `canonicalize` package costs 11 (5.1) and needs a walker of ours before it, 2.5,
// since it drops `undefined` and stringifies dates: so it is the second opinion in the tests and not on the path of every transition.
// Invariants: what is not plain JSON throws a KernelFault with its path and is never silently changed; `canonical` admits integers only.

import { KernelFault } from './assert.ts';
import type { Json } from './json.ts';
import { boundedPath, byCodeUnit, isWellFormed, pointer } from './text.ts';

/** Containers within containers. Requests are at most 32 deep and parameters stand a few levels down in an input. */
export const CANONICAL_DEPTH_MAX = 64;

/** Canonical bytes as text: RFC 8785 over safe integers, so no float is ever hashed. */
export function canonical(value: Json): string {
  return new Writer(false).write(value, 0);
}

/** RFC 8785 in full, floats included. Nothing of the kernel's is hashed from it. */
export function serialize(value: Json): string {
  return new Writer(true).write(value, 0);
}

/** Why a value has no canonical bytes and where; undefined where it has. */
export function canonicalDefect(value: Json): { readonly code: string; readonly path: string } | undefined {
  try {
    canonical(value);
    return undefined;
  } catch (fault) {
    if (fault instanceof KernelFault) return { code: fault.code, path: fault.path };
    throw fault;
  }
}

class Writer {
  readonly #floats: boolean;
  /** The key at each depth on the way to the present value, so that a path costs nothing until a fault asks for it. */
  readonly #trail: (string | number)[] = [];

  constructor(floats: boolean) {
    this.#floats = floats;
  }

  write(value: Json, depth: number): string {
    switch (typeof value) {
      case 'string':
        return this.#text(value, depth);
      case 'number':
        return this.#number(value, depth);
      case 'boolean':
        return value ? 'true' : 'false';
      case 'object':
        if (value === null) return 'null';
        if (depth >= CANONICAL_DEPTH_MAX) this.#fault('too_deep', depth);
        return Array.isArray(value) ? this.#list(value, depth) : this.#object(value as { readonly [key: string]: Json }, depth);
      default:
        return this.#fault('not_json', depth);
    }
  }

  #list(items: readonly Json[], depth: number): string {
    let out = '[';
    // By index: a hole is `undefined` and so refused, where `map` would skip it.
    for (let index = 0; index < items.length; index += 1) {
      this.#trail[depth] = index;
      if (index > 0) out += ',';
      out += this.write(items[index] as Json, depth + 1);
    }
    return `${out}]`;
  }

  #object(object: { readonly [key: string]: Json }, depth: number): string {
    if (!isPlain(object)) this.#fault('not_plain', depth);
    const keys = Object.keys(object);
    if (!isSorted(keys)) keys.sort(byCodeUnit);
    let out = '{';
    let separator = '';
    for (const key of keys) {
      this.#trail[depth] = key;
      out += `${separator}${this.#text(key, depth + 1)}:${this.write(object[key] as Json, depth + 1)}`;
      separator = ',';
    }
    return `${out}}`;
  }

  #number(value: number, depth: number): string {
    if (this.#floats) {
      if (!Number.isFinite(value)) this.#fault('not_finite', depth);
      // ECMAScript's number to text is RFC 8785's, and writes -0 as 0.
      return `${value}`;
    }
    if (!Number.isSafeInteger(value)) this.#fault('not_a_safe_integer', depth);
    if (Object.is(value, -0)) this.#fault('negative_zero', depth);
    return `${value}`;
  }

  #text(value: string, depth: number): string {
    for (let index = 0; index < value.length; index += 1) {
      const unit = value.charCodeAt(index);
      if (unit > 0x1f && unit < 0x7f && unit !== 0x22 && unit !== 0x5c) continue;
      if (!isWellFormed(value)) this.#fault('unpaired_surrogate', depth);
      return JSON.stringify(value);
    }
    return `"${value}"`;
  }

  #fault(code: string, depth: number): never {
    throw new KernelFault(code, boundedPath(this.#trail.slice(0, depth).reduce<string>(pointer, '')));
  }
}

/** No class instance, no date: an object without prototype, or with the root one (of any realm). */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

function isSorted(keys: readonly string[]): boolean {
  let previous: string | undefined;
  for (const key of keys) {
    if (previous !== undefined && previous > key) return false;
    previous = key;
  }
  return true;
}
