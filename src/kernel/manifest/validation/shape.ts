// Responsibility: the small language in which the closed shape of a manifest is written down: what keys there are and what stands under them.
// Boundary: form only; whether what is named exists is said by the checks.
// Invariants: closed (an unknown key is a defect anywhere), bounded (every text, list and map); own keys only.

import { isJsonList, isJsonObject, ownField, type Json } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { pointer } from '../../base/text.ts';
import type { ErrorCode } from './codes.ts';
import type { Findings } from './findings.ts';

/** Adds what is wrong with a value at a path. False where the value cannot be used as what it should be; an unknown key leaves it usable. */
export type Shape = (value: Json, at: string, found: Findings) => boolean;

interface Shapes {
  readonly [key: string]: Shape;
}

/** Anything: conditions, operands and schemas have checks of their own. */
export const anything: Shape = () => true;

export const flag: Shape = (value, at, found) => typeof value === 'boolean' || bad(found, at, 'not_a_boolean');

export const object: Shape = (value, at, found) => isJsonObject(value) || bad(found, at, 'not_an_object');

export function text(lengthMax: number, lengthMin = 0): Shape {
  return (value, at, found) => {
    if (typeof value !== 'string') return bad(found, at, 'not_a_text');
    return (value.length >= lengthMin && value.length <= lengthMax) || bad(found, at, 'bound_out_of_range', `${lengthMin} to ${lengthMax} characters`);
  };
}

/** A text of a pattern; `code` says what it is not. */
export function named(pattern: RegExp, code: ErrorCode = 'not_a_name'): Shape {
  return (value, at, found) => (typeof value === 'string' && pattern.test(value)) || bad(found, at, code, typeof value === 'string' ? value : undefined);
}

export function integer(least: number, most: number): Shape {
  return (value, at, found) => {
    if (typeof value !== 'number') return bad(found, at, 'not_an_integer');
    return (value >= least && value <= most) || bad(found, at, 'bound_out_of_range', `${least} to ${most}`);
  };
}

export function oneOf(...values: readonly Json[]): Shape {
  return (value, at, found) => {
    if (values.includes(value)) return true;
    const meant = typeof value === 'string' ? nearest(value, values.map(String)) : undefined;
    found.error(at, 'not_a_value', typeof value === 'object' ? undefined : String(value), meant);
    return false;
  };
}

export function listOf(item: Shape, most: number, least = 0): Shape {
  return (value, at, found) => {
    if (!isJsonList(value)) return bad(found, at, 'not_a_list');
    if (value.length < least) return bad(found, at, 'too_few_items');
    if (value.length > most) return bad(found, at, 'too_many_items', `${most}`);
    return value.map((each, index) => item(each, pointer(at, index), found)).every(Boolean);
  };
}

/** A list of texts or numbers, each once. */
export function setOf(item: Shape, most: number, least = 0): Shape {
  const list = listOf(item, most, least);
  return (value, at, found) => {
    if (!list(value, at, found) || !isJsonList(value)) return false;
    for (const [index, each] of value.entries()) if (value.indexOf(each) < index) found.error(pointer(at, index), 'repeated', String(each));
    return true;
  };
}

/** Entries under names of one pattern. */
export function mapOf(item: Shape, most: number, name: RegExp): Shape {
  return (value, at, found) => {
    if (!isJsonObject(value)) return bad(found, at, 'not_an_object');
    const keys = Object.keys(value);
    if (keys.length > most) return bad(found, at, 'too_many_items', `${most}`);
    const good = keys.map((key) => {
      const path = pointer(at, key);
      return item(value[key] ?? null, path, found) && (name.test(key) || bad(found, path, 'not_a_name', key));
    });
    return good.every(Boolean);
  };
}

/** An object with exactly these keys. */
export function closed(required: Shapes, optional: Shapes = {}): Shape {
  const known = { ...required, ...optional };
  const names = Object.keys(known);
  return (value, at, found) => {
    if (!isJsonObject(value)) return bad(found, at, 'not_an_object');
    for (const key of Object.keys(value)) if (!Object.hasOwn(known, key)) found.error(pointer(at, key), 'unknown_key', key, nearest(key, names));
    const good = names.map((key) => {
      const field = ownField(value, key);
      if (field !== undefined) return known[key]?.(field, pointer(at, key), found) ?? true;
      return !Object.hasOwn(required, key) || bad(found, pointer(at, key), 'missing_key', key);
    });
    return good.every(Boolean);
  };
}

/** Takes the shape of the first of the keys that is there, or of the value that stands under a key. */
export function byKey(shapes: Shapes, code: ErrorCode): Shape {
  return (value, at, found) => {
    const key = Object.keys(shapes).find((name) => ownField(value, name) !== undefined);
    return key === undefined ? bad(found, at, code) : (shapes[key]?.(value, at, found) ?? false);
  };
}

export function byValue(key: string, shapes: Shapes): Shape {
  return (value, at, found) => {
    if (!isJsonObject(value)) return bad(found, at, 'not_an_object');
    const kind = ownField(value, key);
    if (kind === undefined) return bad(found, pointer(at, key), 'missing_key', key);
    if (typeof kind === 'string' && Object.hasOwn(shapes, kind)) return shapes[kind]?.(value, at, found) ?? false;
    return oneOf(...Object.keys(shapes))(kind, pointer(at, key), found);
  };
}

export function either(literal: Json, shape: Shape): Shape {
  return (value, at, found) => value === literal || shape(value, at, found);
}

function bad(found: Findings, at: string, code: ErrorCode, detail?: string): false {
  found.error(at, code, detail);
  return false;
}
