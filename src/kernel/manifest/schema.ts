// Responsibility: schemas of the closed subset compiled to functions that find everything wrong with a value.
// Boundary: objects, lists and the formats of this product are walked here; every other keyword of a single value is @cfworker/json-schema's.
// Invariants: own keys only; errors in one order (by path, numbers as numbers), whatever the order of keys in the value, and at most
// LIMITS.parameterErrorsMax; a value without errors has canonical bytes (of an open schema: what it lists has).
//
// The library sees one value at a time: given whole objects it spreads lists of errors as arguments (a long list overflows the stack), throws on
// unpaired surrogates in keys, and writes into the schema (sealed ones are frozen).

import { Validator } from '@cfworker/json-schema';
import { canonical, canonicalDefect } from '../base/canonical.ts';
import { foldIdentity } from '../base/fold.ts';
import { isObjectId, typeOf } from '../base/ids.ts';
import { isJsonList, isJsonObject, ownField, type Json, type JsonObject } from '../base/json.ts';
import { LIMITS } from '../base/limits.ts';
import { boundedPath, byCodeUnit, isWellFormed, pointer, utf8Length } from '../base/text.ts';
import { instantMs } from '../base/time.ts';
import { parseCondition } from '../condition/parse.ts';
import type { ParameterError } from '../transition/inputs.ts';
import type { Schema } from './types.ts';

export { openSchemaDefects, schemaDefects } from './schema-defects.ts';
export { patternDefect } from './pattern.ts';

/** Everything wrong with a value, in one order; empty where it fits. */
export type SchemaCheck = (value: Json) => readonly ParameterError[];

/** Adds what is wrong with the value that stands at a path. */
type Step = (value: Json, at: string, errors: ParameterError[]) => void;

/** Compiles a schema without defects. Compile once, at seal time: it costs more than many checks. */
export function compileSchema(schema: Schema): SchemaCheck {
  return checkOf(stepOf(schema, false));
}

/** The same for what comes from outside: fields that no schema lists are ignored, bounds that it does not name have the kernel's defaults. */
export function compileOpenSchema(schema: Schema): SchemaCheck {
  return checkOf(stepOf(schema, true));
}

function checkOf(step: Step): SchemaCheck {
  return (value) => {
    const errors: ParameterError[] = [];
    step(value, '', errors);
    return errors.length === 0 ? errors : sortedErrors(errors);
  };
}

function stepOf(schema: JsonObject, open: boolean): Step {
  const { type } = schema;
  const [name] = isJsonList(type) ? type : [type];
  const step = stepOfType(name, schema, open);
  if (!isJsonList(type) || (name !== 'object' && name !== 'array')) return step;
  return (value, at, errors) => (value === null ? undefined : step(value, at, errors));
}

function stepOfType(type: Json | undefined, schema: JsonObject, open: boolean): Step {
  if (type === 'object') return objectStep(schema, open);
  if (type === 'array') return listStep(schema, open);
  if (type === undefined && schema['format'] === 'condition') return conditionStep;
  return valueStep(schema, open);
}

function objectStep(schema: JsonObject, open: boolean): Step {
  const properties = Object.entries(isJsonObject(schema['properties']) ? schema['properties'] : {});
  const steps = new Map(properties.map(([name, property]) => [name, stepOf(isJsonObject(property) ? property : {}, open)]));
  const required = isJsonList(schema['required']) ? schema['required'].map(String) : [];
  return (value, at, errors) => {
    if (!isJsonObject(value)) return add(errors, at, 'type');
    for (const name of required) if (!Object.hasOwn(value, name)) add(errors, pointer(at, name), 'required');
    for (const [name, step] of steps) {
      const field = ownField(value, name);
      if (field !== undefined) step(field, pointer(at, name), errors);
    }
    if (open) return undefined;
    for (const name of Object.keys(value)) if (!steps.has(name)) add(errors, pointer(at, name), 'unknown_field');
    return undefined;
  };
}

function listStep(schema: JsonObject, open: boolean): Step {
  const item = stepOf(isJsonObject(schema['items']) ? schema['items'] : {}, open);
  const least = typeof schema['minItems'] === 'number' ? schema['minItems'] : 0;
  const most = typeof schema['maxItems'] === 'number' ? schema['maxItems'] : LIMITS.listItemsMax;
  const { uniqueBy } = schema;
  return (value, at, errors) => {
    if (!isJsonList(value)) return add(errors, at, 'type');
    // A list that is too long is not read: its length is all that is wrong with it until it is shorter.
    if (value.length > most) return add(errors, at, 'maxItems');
    if (value.length < least) add(errors, at, 'minItems');
    for (const [index, each] of value.entries()) item(each, pointer(at, index), errors);
    return typeof uniqueBy === 'string' ? unique(value, uniqueBy, at, errors) : undefined;
  };
}

/** Folded, so that `A` and `a ` are one: they would be one in an identity too. */
function unique(items: readonly Json[], field: string, at: string, errors: ParameterError[]): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const value = ownField(item, field);
    if (value === undefined || canonicalDefect(value) !== undefined) continue;
    const key = canonical(foldIdentity(value));
    if (seen.has(key)) add(errors, pointer(pointer(at, index), field), 'unique');
    seen.add(key);
  }
}

function conditionStep(value: Json, at: string, errors: ParameterError[]): void {
  const unwritable = canonicalDefect(value);
  if (unwritable !== undefined) return add(errors, `${at}${unwritable.path}`, unwritable.code);
  if (utf8Length(canonical(value)) > LIMITS.conditionBytesMax) return add(errors, at, 'too_long');
  for (const { path, code } of parseCondition(value, at).defects) add(errors, path, code);
  return undefined;
}

/** A single value: the library's keywords, then what it does not know. */
function valueStep(schema: JsonObject, open: boolean): Step {
  const validator = new Validator(standardForm(schema, open), '2020-12', false);
  const formatted = formatStep(schema);
  return (value, at, errors) => {
    const before = errors.length;
    const { errors: found } = validator.validate(value);
    const type = found.find(({ keyword }) => keyword === 'type');
    if (type !== undefined) return add(errors, at, 'type');
    for (const { keyword } of found) add(errors, at, keyword);
    if (errors.length > before) return undefined;
    const unwritable = writableDefect(value);
    if (unwritable !== undefined) return add(errors, at, unwritable);
    return typeof value === 'string' ? formatted?.(value, at, errors) : undefined;
  };
}

/** What JSON allows and canonical bytes do not: half a surrogate pair, -0, an integer that is no longer exact. */
function writableDefect(value: Json): string | undefined {
  if (typeof value === 'string') return isWellFormed(value) ? undefined : 'unpaired_surrogate';
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0) ? undefined : 'type';
  return typeof value === 'object' && value !== null ? canonicalDefect(value)?.code : undefined;
}

function formatStep(schema: JsonObject): ((text: string, at: string, errors: ParameterError[]) => void) | undefined {
  const { format, refers } = schema;
  if (format === 'instant')
    return (text, at, errors) => (text.length > LIMITS.pathLengthMax || instantMs(text) === undefined ? add(errors, at, 'format') : undefined);
  if (format !== 'objectId') return undefined;
  const types = isJsonList(refers) ? refers : undefined;
  return (text, at, errors) => {
    if (!isObjectId(text)) return add(errors, at, 'format');
    return types === undefined || types.includes(typeOf(text)) ? undefined : add(errors, at, 'refers');
  };
}

const STANDARD_KEYWORDS = ['type', 'enum', 'const', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern'];

/** The keywords that the library knows, in an object of its own, since it marks the schemas that it is given. */
function standardForm(schema: JsonObject, open: boolean): { [keyword: string]: Json } {
  const form: { [keyword: string]: Json } = {};
  for (const keyword of STANDARD_KEYWORDS) {
    const value = ownField(schema, keyword);
    if (value !== undefined) form[keyword] = value;
  }
  if (schema['format'] === 'email') form['format'] = 'email';
  if (open && schema['type'] !== undefined) form['maxLength'] ??= LIMITS.stringLengthMax;
  return form;
}

function add(errors: ParameterError[], path: string, code: string): undefined {
  errors.push({ path, code });
  return undefined;
}

function sortedErrors(errors: readonly ParameterError[]): readonly ParameterError[] {
  const sorted = [...errors].sort((a, b) => byPath(a.path, b.path) || byCodeUnit(a.code, b.code));
  return sorted.slice(0, LIMITS.parameterErrorsMax).map(({ path, code }) => ({ path: boundedPath(path), code }));
}

const INDEX = /^\d{1,9}$/;

/** Segment by segment, so that the tenth line comes after the ninth. */
function byPath(a: string, b: string): number {
  const left = a.split('/');
  const right = b.split('/');
  for (const [index, segment] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (segment === other) continue;
    return INDEX.test(segment) && INDEX.test(other) ? Number(segment) - Number(other) || byCodeUnit(segment, other) : byCodeUnit(segment, other);
  }
  return left.length - right.length;
}
