// Responsibility: whether what an operand gives may stand in a field: kinds, listed values, types of ids, bounds, absence.
// Boundary: two types, two schemas; where they come from is the caller's.
// Invariants: what fits here fits always, but for sums and evidence, whose bounds nobody can know before run time.

import { sameJson } from '../../base/equal.ts';
import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { INTEGER_MAX, LIMITS } from '../../base/limits.ts';
import type { TypeScope } from '../../condition/check.ts';
import type { OperandNode } from '../../condition/types.ts';
import type { ValueKind, ValueType } from '../../condition/value-type.ts';
import type { ErrorCode } from './codes.ts';

export type Misfit = Extract<ErrorCode, 'does_not_fit' | 'may_be_null' | 'may_be_missing'>;

/** Why values of one type do not all fit another; undefined where they do. */
export function fitDefect(source: ValueType, into: ValueType): Misfit | undefined {
  if (source.kinds.includes('any') || into.kinds.includes('any')) return undefined;
  for (const kind of source.kinds) {
    if (into.kinds.some((other) => fitsKind(kind, other))) continue;
    return kind === 'null' ? 'may_be_null' : 'does_not_fit';
  }
  if (into.values !== undefined && !(source.values?.every((value) => into.values?.some((other) => sameJson(other, value))) ?? false)) return 'does_not_fit';
  if (into.refers !== undefined && source.kinds.includes('object_id') && !(source.refers?.every((type) => into.refers?.includes(type)) ?? false))
    return 'does_not_fit';
  if (source.items !== undefined && into.items !== undefined) return fitDefect(source.items, into.items);
  return source.fields === undefined || into.fields === undefined ? undefined : fieldsDefect(source.fields, into.fields);
}

function fitsKind(kind: ValueKind, into: ValueKind): boolean {
  return kind === into || (into === 'text' && (kind === 'object_id' || kind === 'instant'));
}

type Fields = NonNullable<ValueType['fields']>;

function fieldsDefect(source: Fields, into: Fields): Misfit | undefined {
  for (const [name, type] of Object.entries(into)) {
    const own = Object.hasOwn(source, name) ? source[name] : undefined;
    if (type.optional !== true && (own === undefined || own.optional === true)) return 'may_be_missing';
    const defect = own === undefined ? undefined : fitDefect(own, type);
    if (defect !== undefined) return defect;
  }
  return Object.keys(source).every((name) => Object.hasOwn(into, name)) ? undefined : 'does_not_fit';
}

/** True where the operand may resolve to nothing, so that a field would be left out. */
export function mayBeMissing(node: OperandNode, types: TypeScope): boolean {
  switch (node.kind) {
    case 'literal':
    case 'list':
    case 'count':
      return false;
    case 'item':
      return true;
    case 'arithmetic':
      return node.operands.some((operand) => mayBeMissing(operand, types) || mayBeNull(operand, types));
    case 'reference':
      return types.type(node.reference)?.optional === true;
  }
}

function mayBeNull(node: OperandNode, types: TypeScope): boolean {
  return node.kind === 'reference' && types.type(node.reference)?.kinds.includes('null') === true;
}

/** The keyword by which a value that fits one schema may break another; undefined where none does. */
export function boundDefect(source: JsonObject, into: JsonObject): string | undefined {
  const type = typeOf(into);
  if (type === 'string') return textDefect(source, into);
  if (type === 'integer') return within(integers(source), integers(into)) ? undefined : 'maximum';
  if (type === 'array') return listDefect(source, into);
  return type === 'object' ? objectDefect(source, into) : undefined;
}

type Range = readonly [least: number, most: number];

function within([least, most]: Range, [lowest, highest]: Range): boolean {
  return least >= lowest && most <= highest;
}

function textDefect(source: JsonObject, into: JsonObject): string | undefined {
  // Ids and instants are bounded by their form, as listed values are by themselves.
  if (into['format'] === 'objectId' || into['format'] === 'instant' || into['enum'] !== undefined || into['const'] !== undefined) return undefined;
  if (!within(lengths(source), lengths(into))) return 'maxLength';
  if (into['pattern'] !== undefined && into['pattern'] !== source['pattern'] && listedTexts(source) === undefined) return 'pattern';
  return into['format'] !== undefined && into['format'] !== source['format'] ? 'format' : undefined;
}

function lengths(schema: JsonObject): Range {
  const listed = listedTexts(schema)?.map((each) => each.length);
  if (listed !== undefined) return [Math.min(...listed), Math.max(...listed)];
  return [numberOr(schema['minLength'], 0), numberOr(schema['maxLength'], LIMITS.stringLengthMax)];
}

function listedTexts(schema: JsonObject): readonly string[] | undefined {
  const values = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  return isJsonList(values) ? values.filter((value) => typeof value === 'string') : undefined;
}

function integers(schema: JsonObject): Range {
  const values = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  const listed = isJsonList(values) ? values.filter((value) => typeof value === 'number') : [];
  if (listed.length > 0) return [Math.min(...listed), Math.max(...listed)];
  return [numberOr(schema['minimum'], -INTEGER_MAX), numberOr(schema['maximum'], INTEGER_MAX)];
}

function listDefect(source: JsonObject, into: JsonObject): string | undefined {
  const items = (schema: JsonObject): Range => [numberOr(schema['minItems'], 0), numberOr(schema['maxItems'], LIMITS.listItemsMax)];
  if (!within(items(source), items(into))) return 'maxItems';
  if (into['uniqueBy'] !== undefined && into['uniqueBy'] !== source['uniqueBy']) return 'uniqueBy';
  return isJsonObject(source['items']) && isJsonObject(into['items']) ? boundDefect(source['items'], into['items']) : undefined;
}

function objectDefect(source: JsonObject, into: JsonObject): string | undefined {
  const [own, other] = [source['properties'], into['properties']];
  if (!isJsonObject(own) || !isJsonObject(other)) return undefined;
  for (const [name, property] of Object.entries(own)) {
    const field = other[name];
    const defect = isJsonObject(property) && isJsonObject(field) ? boundDefect(property, field) : undefined;
    if (defect !== undefined) return defect;
  }
  return undefined;
}

function typeOf(schema: JsonObject): Json | undefined {
  const type = schema['type'];
  return isJsonList(type) ? type[0] : type;
}

function numberOr(value: Json | undefined, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
