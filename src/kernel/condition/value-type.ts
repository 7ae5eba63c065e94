// Responsibility: which values a place may hold, as far as conditions care, and the types of the fields of a schema.
// Boundary: reads schemas of the closed subset; finding defects in them is manifest/schema-defects.ts's.
// Invariants: an answer is never narrower than the schema: what may stand there at run time is among the kinds.

import { isJsonList, isJsonObject, ownField, type Json, type JsonObject } from '../base/json.ts';

export const VALUE_KINDS = ['any', 'boolean', 'instant', 'integer', 'list', 'null', 'object', 'object_id', 'text'] as const;
export type ValueKind = (typeof VALUE_KINDS)[number];

export interface ValueType {
  /** What the value may be. `any` stands alone: nothing is known before run time. */
  readonly kinds: readonly ValueKind[];
  /** True where it may be absent. */
  readonly optional?: boolean;
  /** The only values that it may have, where they are listed. */
  readonly values?: readonly Json[];
  /** The types that an object id may be of, where they are listed. */
  readonly refers?: readonly string[];
  /** Of the items of a list; absent: any. */
  readonly items?: ValueType;
  /** Of the fields of an object; absent: any field may be there. */
  readonly fields?: { readonly [name: string]: ValueType };
}

export const ANY: ValueType = { kinds: ['any'] };
export const INTEGER: ValueType = { kinds: ['integer'] };
export const TEXT: ValueType = { kinds: ['text'] };
export const INSTANT: ValueType = { kinds: ['instant'] };
export const OBJECT_ID: ValueType = { kinds: ['object_id'] };

const KIND_OF_TYPE: { readonly [type: string]: ValueKind } = {
  boolean: 'boolean',
  integer: 'integer',
  array: 'list',
  null: 'null',
  object: 'object',
  string: 'text',
};
const KIND_OF_FORMAT: { readonly [format: string]: ValueKind } = { objectId: 'object_id', instant: 'instant' };

/** The type of what fits a schema. */
export function schemaType(schema: Json | undefined): ValueType {
  if (!isJsonObject(schema)) return ANY;
  const kinds = kindsOf(schema);
  if (kinds.includes('any')) return ANY;
  const values = valuesOf(schema);
  const refers = namesOf(ownField(schema, 'refers'));
  return {
    kinds,
    ...(values === undefined ? {} : { values }),
    ...(refers === undefined ? {} : { refers }),
    ...(kinds.includes('list') ? { items: schemaType(ownField(schema, 'items')) } : {}),
    ...(kinds.includes('object') ? { fields: fieldsOf(schema) } : {}),
  };
}

/** The type at a path of fields; undefined where a closed object has no such field, or something else than an object is asked for one. */
export function typeAt(type: ValueType, path: readonly string[]): ValueType | undefined {
  const [name, ...rest] = path;
  if (name === undefined || type.kinds.includes('any')) return type;
  if (!type.kinds.includes('object')) return undefined;
  if (type.fields === undefined) return ANY;
  const field = Object.hasOwn(type.fields, name) ? type.fields[name] : undefined;
  const found = field === undefined ? undefined : typeAt(field, rest);
  const mayLack = type.optional === true || type.kinds.includes('null');
  return found === undefined || !mayLack ? found : { ...found, optional: true };
}

/** Every path of fields within a type, dotted, for suggestions. */
export function pathsWithin(type: ValueType): readonly string[] {
  return Object.entries(type.fields ?? {}).flatMap(([name, field]) => [name, ...pathsWithin(field).map((path) => `${name}.${path}`)]);
}

function kindsOf(schema: JsonObject): readonly ValueKind[] {
  const format = ownField(schema, 'format');
  const type = ownField(schema, 'type');
  if (type === undefined) return kindsOfValues(valuesOf(schema));
  const names = isJsonList(type) ? type : [type];
  return names.map((name): ValueKind => {
    if (name === 'string' && typeof format === 'string') return KIND_OF_FORMAT[format] ?? 'text';
    return (typeof name === 'string' ? KIND_OF_TYPE[name] : undefined) ?? 'any';
  });
}

function kindsOfValues(values: readonly Json[] | undefined): readonly ValueKind[] {
  return values === undefined ? ['any'] : [...new Set(values.map((value) => kindOf(value)))];
}

/** The kind of a value itself; text may turn out to be an instant or an id. */
export function kindOf(value: Json): ValueKind {
  if (value === null) return 'null';
  if (isJsonList(value)) return 'list';
  if (typeof value === 'string') return 'text';
  if (typeof value === 'number') return 'integer';
  return typeof value === 'boolean' ? 'boolean' : 'object';
}

function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  const only = ownField(schema, 'const');
  if (only !== undefined) return [only];
  const values = ownField(schema, 'enum');
  return isJsonList(values) ? values : undefined;
}

function namesOf(json: Json | undefined): readonly string[] | undefined {
  return isJsonList(json) ? json.filter((name): name is string => typeof name === 'string') : undefined;
}

function fieldsOf(schema: JsonObject): { readonly [name: string]: ValueType } {
  const properties = ownField(schema, 'properties');
  const required = namesOf(ownField(schema, 'required')) ?? [];
  if (!isJsonObject(properties)) return {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]): [string, ValueType] => {
      const type = schemaType(property);
      return [name, required.includes(name) ? type : { ...type, optional: true }];
    }),
  );
}
