// Responsibility: the forms of the closed schema subset, as short builders.
// Boundary: builds data; what is allowed is checked in schema-defects.ts.
// Invariants: everything built here is bounded; objects are closed, but for protected records of the kernel's own (`openObject`).

import type { Json } from '../base/json.ts';
import { INTEGER_MAX } from '../base/limits.ts';
import type { Schema } from './types.ts';

export const text = (maxLength: number, minLength = 0): Schema => ({ type: 'string', minLength, maxLength });
export const integer = (minimum: number, maximum: number = INTEGER_MAX): Schema => ({ type: 'integer', minimum, maximum });
export const boolean = (): Schema => ({ type: 'boolean' });
export const oneOf = (...values: readonly string[]): Schema => ({ enum: [...values] });
export const listOf = (items: Schema, maxItems: number): Schema => ({ type: 'array', items, minItems: 0, maxItems });
export const objectId = (...types: readonly string[]): Schema => ({ type: 'string', format: 'objectId', maxLength: 193, refers: [...types] });
export const anyObjectId = (): Schema => ({ type: 'string', format: 'objectId', maxLength: 193 });

export function closed(properties: { readonly [name: string]: Schema }, required: readonly string[]): Schema {
  return { type: 'object', additionalProperties: false, properties: properties as { readonly [name: string]: Json }, required: [...required] };
}

/** The same, or null: for state that may be empty. */
export function nullable(schema: Schema): Schema {
  return { ...schema, type: [schema['type'] ?? 'string', 'null'] };
}

/** A record whose fields the kernel itself writes (parameters, normalised evidence): never an input. */
export function openObject(): Schema {
  return { type: 'object', description: 'written by the kernel' };
}
