// Responsibility: the closed JSON-Schema subset (design §5): what is wrong with a schema, all at once.
// Boundary: schemas only; values are schema.ts's. An open schema describes answers from outside: unlisted fields are ignored, bounds have defaults.
// Invariants: objects closed, every text, list and integer bounded, integers only, no reference, no union but with null, unknown keywords are defects.

import { canonicalDefect } from '../base/canonical.ts';
import { sameJson } from '../base/equal.ts';
import { isBareType } from '../base/ids.ts';
import { isJsonList, isJsonObject, ownField, type Json, type JsonObject } from '../base/json.ts';
import { LIMITS } from '../base/limits.ts';
import { nearest } from '../base/nearest.ts';
import { pointer } from '../base/text.ts';
import { Defects } from '../condition/defects.ts';
import { NAME } from '../condition/reference.ts';
import type { Defect } from '../condition/types.ts';
import { patternDefect } from './pattern.ts';

const SCHEMA_DEPTH_MAX = 16;
const SCHEMA_NODES_MAX = 1_000;
/** Items of the longest list that a schema may allow. */
const LIST_BOUND_MAX = LIMITS.countMax;

const KEYWORDS: { readonly [type: string]: readonly string[] } = {
  object: ['type', 'description', 'properties', 'required', 'additionalProperties'],
  array: ['type', 'description', 'items', 'minItems', 'maxItems', 'uniqueBy'],
  string: ['type', 'description', 'enum', 'const', 'minLength', 'maxLength', 'pattern', 'format', 'refers'],
  integer: ['type', 'description', 'enum', 'const', 'minimum', 'maximum'],
  boolean: ['type', 'description', 'enum', 'const'],
  untyped: ['description', 'enum', 'const', 'format'],
};
const ALL_KEYWORDS = [...new Set(Object.values(KEYWORDS).flat())];
const STRING_FORMATS = ['objectId', 'instant', 'email'];
/** Formats that bound their text themselves. */
const BOUNDED_FORMATS = ['objectId', 'instant'];

/** The defects of a schema of the closed subset that stands at a path. */
export function schemaDefects(schema: Json, path: string): readonly Defect[] {
  return defectsOf(schema, path, false);
}

/** The defects of a schema for what comes from outside. */
export function openSchemaDefects(schema: Json, path: string): readonly Defect[] {
  return defectsOf(schema, path, true);
}

function defectsOf(schema: Json, path: string, open: boolean): readonly Defect[] {
  const unwritable = canonicalDefect(schema);
  if (unwritable !== undefined) return [{ path: `${path}${unwritable.path}`, code: unwritable.code }];
  const checker = new SchemaChecker(open);
  checker.check(schema, path, 1);
  return checker.defects;
}

class SchemaChecker {
  readonly #open: boolean;
  readonly #defects = new Defects();
  #nodes = 0;

  constructor(open: boolean) {
    this.#open = open;
  }

  get defects(): readonly Defect[] {
    return this.#defects.found;
  }

  check(schema: Json, at: string, depth: number): void {
    this.#nodes += 1;
    if (!isJsonObject(schema)) return this.#defects.add(at, 'not_a_schema');
    if (depth > SCHEMA_DEPTH_MAX) return this.#defects.add(at, 'too_deep');
    if (this.#nodes > SCHEMA_NODES_MAX) return this.#nodes === SCHEMA_NODES_MAX + 1 ? this.#defects.add(at, 'too_many_nodes') : undefined;
    const type = this.#type(schema, at);
    if (type === undefined) return undefined;
    this.#keywords(schema, type, at);
    if (schema['description'] !== undefined && typeof schema['description'] !== 'string') this.#defects.add(pointer(at, 'description'), 'not_a_text');
    this.#values(schema, type, at);
    if (type === 'object') this.#object(schema, at, depth);
    if (type === 'array') this.#list(schema, at, depth);
    if (type === 'string') this.#text(schema, at);
    if (type === 'integer') this.#integer(schema, at);
    if (type === 'untyped') this.#untyped(schema, at);
    return undefined;
  }

  /** The one type beside null; `untyped` where there is none. */
  #type(schema: JsonObject, at: string): string | undefined {
    const type = ownField(schema, 'type');
    if (type === undefined) return 'untyped';
    const [name, second, ...more] = isJsonList(type) ? type : [type];
    const known = typeof name === 'string' && name !== 'untyped' && Object.hasOwn(KEYWORDS, name);
    const nullable = !isJsonList(type) || (second === 'null' && more.length === 0);
    return known && nullable ? name : this.#defects.add(pointer(at, 'type'), 'unsupported_type', typeof name === 'string' ? name : undefined);
  }

  #keywords(schema: JsonObject, type: string, at: string): void {
    for (const keyword of Object.keys(schema)) {
      if (KEYWORDS[type]?.includes(keyword) === true) continue;
      if (ALL_KEYWORDS.includes(keyword)) this.#defects.add(pointer(at, keyword), 'keyword_does_not_apply', keyword);
      else this.#defects.add(at, 'unknown_keyword', keyword, nearest(keyword, ALL_KEYWORDS));
    }
  }

  #values(schema: JsonObject, type: string, at: string): void {
    const { enum: values, const: only } = schema;
    if (only !== undefined && !this.#isValueOf(only, type, schema)) this.#defects.add(pointer(at, 'const'), 'not_of_the_type');
    if (values === undefined) return;
    const path = pointer(at, 'enum');
    if (!isJsonList(values) || values.length === 0) this.#defects.add(path, 'not_a_list');
    else if (values.length > LIMITS.listItemsMax) this.#defects.add(path, 'too_many_items');
    else {
      for (const [index, value] of values.entries()) {
        if (!this.#isValueOf(value, type, schema)) this.#defects.add(pointer(path, index), 'not_of_the_type');
        else if (values.findIndex((other) => sameJson(other, value)) < index) this.#defects.add(pointer(path, index), 'repeated');
      }
    }
  }

  #isValueOf(value: Json, type: string, schema: JsonObject): boolean {
    if (value === null) return type === 'untyped' || isJsonList(schema['type']);
    if (typeof value === 'object') return false;
    return type === 'untyped' || typeof value === (type === 'integer' ? 'number' : type);
  }

  #object(schema: JsonObject, at: string, depth: number): void {
    const { properties, required, additionalProperties } = schema;
    if (additionalProperties !== false && !(this.#open && additionalProperties === undefined)) this.#defects.add(at, 'object_not_closed');
    if (!isJsonObject(properties)) return this.#defects.add(pointer(at, 'properties'), 'not_an_object');
    const names = Object.keys(properties);
    if (names.length > LIMITS.listItemsMax) this.#defects.add(pointer(at, 'properties'), 'too_many_items');
    for (const name of names) {
      const path = pointer(pointer(at, 'properties'), name);
      if (!NAME.test(name)) this.#defects.add(path, 'not_a_field', name);
      this.check(properties[name] ?? null, path, depth + 1);
    }
    return this.#required(required, names, pointer(at, 'required'));
  }

  #required(required: Json | undefined, names: readonly string[], at: string): undefined {
    if (required === undefined) return undefined;
    if (!isJsonList(required)) return this.#defects.add(at, 'not_a_list');
    for (const [index, name] of required.entries()) {
      const path = pointer(at, index);
      if (typeof name !== 'string' || !names.includes(name)) this.#defects.add(path, 'unknown_field', String(name), nearest(String(name), names));
      else if (required.indexOf(name) < index) this.#defects.add(path, 'repeated');
    }
    return undefined;
  }

  #list(schema: JsonObject, at: string, depth: number): void {
    const { items, uniqueBy } = schema;
    this.#bounds(schema, at, { least: 'minItems', most: 'maxItems', lowest: 0, highest: LIST_BOUND_MAX });
    if (items === undefined) return this.#defects.add(at, 'items_missing');
    this.check(items, pointer(at, 'items'), depth + 1);
    if (uniqueBy === undefined) return undefined;
    const field = typeof uniqueBy === 'string' ? ownField(ownField(items, 'properties'), uniqueBy) : undefined;
    const required = ownField(items, 'required');
    const isKey = isJsonList(required) && required.some((name) => name === uniqueBy) && ['string', 'integer'].includes(String(ownField(field, 'type')));
    return isKey ? undefined : this.#defects.add(pointer(at, 'uniqueBy'), 'not_a_key', String(uniqueBy));
  }

  #text(schema: JsonObject, at: string): void {
    const { format, pattern, refers } = schema;
    const bounded = schema['enum'] !== undefined || schema['const'] !== undefined || BOUNDED_FORMATS.some((name) => name === format);
    this.#bounds(schema, at, { least: 'minLength', most: 'maxLength', lowest: 0, highest: LIMITS.parameterBytesMax, bounded });
    if (format !== undefined && !STRING_FORMATS.some((name) => name === format)) {
      this.#defects.add(pointer(at, 'format'), 'unknown_format', String(format), nearest(String(format), STRING_FORMATS));
    }
    if (pattern !== undefined) {
      const lengthMax = typeof schema['maxLength'] === 'number' ? schema['maxLength'] : LIMITS.stringLengthMax;
      const code = typeof pattern === 'string' ? patternDefect(pattern, lengthMax) : 'not_a_text';
      if (code !== undefined) this.#defects.add(pointer(at, 'pattern'), code);
    }
    if (refers !== undefined) this.#refers(refers, format, pointer(at, 'refers'));
  }

  #refers(refers: Json, format: Json | undefined, at: string): void {
    if (format !== 'objectId') this.#defects.add(at, 'keyword_does_not_apply', 'refers');
    const isNames =
      isJsonList(refers) && refers.length > 0 && refers.length <= LIMITS.listItemsMax && refers.every((name) => typeof name === 'string' && isBareType(name));
    if (!isNames) this.#defects.add(at, 'not_type_names');
  }

  #integer(schema: JsonObject, at: string): void {
    const bounded = schema['enum'] !== undefined || schema['const'] !== undefined;
    this.#bounds(schema, at, { least: 'minimum', most: 'maximum', lowest: Number.MIN_SAFE_INTEGER, highest: Number.MAX_SAFE_INTEGER, bounded, both: true });
  }

  #untyped(schema: JsonObject, at: string): void {
    const { format } = schema;
    if (format !== undefined && format !== 'condition') this.#defects.add(pointer(at, 'format'), 'unknown_format', String(format));
    const says = format !== undefined || schema['enum'] !== undefined || schema['const'] !== undefined;
    if (!says && !this.#open) this.#defects.add(at, 'type_missing');
  }

  #bounds(schema: JsonObject, at: string, bounds: Bounds): void {
    for (const keyword of [bounds.least, bounds.most]) {
      const value = schema[keyword];
      const isWanted = keyword === bounds.most || bounds.both === true;
      if (value === undefined) {
        if (isWanted && bounds.bounded !== true && !this.#open) this.#defects.add(at, 'unbounded', keyword);
      } else if (typeof value !== 'number' || value < bounds.lowest || value > bounds.highest) {
        this.#defects.add(pointer(at, keyword), 'bound_out_of_range');
      }
    }
    const least = schema[bounds.least];
    const most = schema[bounds.most];
    if (typeof least === 'number' && typeof most === 'number' && least > most) this.#defects.add(pointer(at, bounds.least), 'bounds_crossed');
  }
}

interface Bounds {
  readonly least: string;
  readonly most: string;
  readonly lowest: number;
  readonly highest: number;
  /** True where something else bounds the value already. */
  readonly bounded?: boolean;
  /** True where the lower bound must be given too. */
  readonly both?: boolean;
}
