// The few schema shapes that contracts are written with. All are of the closed subset; what a provider sends beyond them is ignored.
import type { Schema } from '../../kernel/index.ts';

/** An object with these fields, of which the named ones must be there. */
export function record(properties: { readonly [name: string]: Schema }, required: readonly string[]): Schema {
  return { type: 'object', properties, required, additionalProperties: false };
}

export function text(maxLength: number): Schema {
  return { type: 'string', minLength: 1, maxLength };
}

export function oneOf(values: readonly string[]): Schema {
  return { type: 'string', enum: values };
}

/** An integer from 0 to 2^53 - 1: an amount in minor units. */
export function amount(): Schema {
  return { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
}

export function list(items: Schema, maxItems: number): Schema {
  return { type: 'array', items, maxItems };
}
