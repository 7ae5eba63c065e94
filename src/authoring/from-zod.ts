// From a zod schema to the closed subset (design §5): every bound visible, what the subset lacks refused with its path. Same schema, same data.
import * as z from 'zod';
import { isJsonList, isJsonObject, LIMITS, schemaDefects } from '../kernel/index.ts';
import type { Json, JsonObject, Schema } from '../kernel/index.ts';

/** `Type:local-id`: a type name of 64 characters, a colon, and the longest local id. */
const OBJECT_ID_LENGTH_MAX = 65 + LIMITS.localIdMax;

/** The id of an object of one of these types; of any type, where none is named. */
export function idOf(...types: readonly string[]): z.ZodString {
  return z.string().meta({ format: 'objectId', ...(types.length === 0 ? {} : { refers: [...types] }) });
}

/** A list whose items are told apart by a field. */
export function uniqueList<Item extends z.ZodType>(item: Item, field: string, maxItems: number): z.ZodArray<Item> {
  return z.array(item).max(maxItems).meta({ uniqueBy: field });
}

/** A condition of design §6 as data. */
export function conditionData(): z.ZodUnknown {
  return z.unknown().meta({ format: 'condition' });
}

/** The schema of the closed subset; throws with every defect where there is none. `at` names the schema in the message. */
export function schemaOf(source: z.ZodType, at = ''): Schema {
  const written = z.toJSONSchema(source, { target: 'draft-2020-12', io: 'output', cycles: 'throw' }) as unknown as Json;
  const schema = normalised(written);
  const defects = schemaDefects(schema, at);
  if (defects.length > 0)
    throw new Error(defects.map(({ path, code, detail }) => `${path}: ${code}${detail === undefined ? '' : ` \`${detail}\``}`).join('\n'));
  return schema as Schema;
}

function normalised(schema: Json): Json {
  if (!isJsonObject(schema)) return schema;
  // `default` fills in a value where zod parses; a manifest has no such moment, so the value must be there.
  const { $schema: _dialect, default: _default, ...rest } = schema;
  const nullable = nullableOf(rest);
  if (nullable !== undefined) return nullable;
  if (rest['type'] === 'object') return objectOf(rest);
  if (rest['type'] === 'array') return { minItems: 0, maxItems: LIMITS.listItemsMax, ...rest, items: normalised(rest['items'] ?? null) };
  if (rest['type'] === 'string') return textOf(rest);
  return rest;
}

function objectOf(schema: JsonObject): Json {
  const properties = Object.entries(isJsonObject(schema['properties']) ? schema['properties'] : {});
  return { required: [], ...schema, properties: Object.fromEntries(properties.map(([name, property]) => [name, normalised(property)])) };
}

function textOf(schema: JsonObject): Json {
  const { type: _type, ...untyped } = schema;
  if (schema['enum'] !== undefined || schema['const'] !== undefined) return untyped;
  if (schema['format'] === 'objectId') return { maxLength: OBJECT_ID_LENGTH_MAX, ...schema };
  const bounded = { minLength: 0, maxLength: LIMITS.stringLengthMax, ...schema };
  if (schema['format'] !== 'email') return bounded;
  // The kernel's check of the format stands for zod's own pattern.
  const { pattern: _pattern, ...email } = bounded as JsonObject;
  return email;
}

/** zod's `anyOf` with null, as one type that may be null; undefined where the schema is something else. */
function nullableOf(schema: JsonObject): Json | undefined {
  const { anyOf, ...beside } = schema;
  if (!isJsonList(anyOf) || anyOf.length !== 2) return undefined;
  const [only, nothing] = anyOf;
  if (!isJsonObject(nothing) || nothing['type'] !== 'null') return undefined;
  const inner = normalised(only ?? null);
  if (!isJsonObject(inner)) return undefined;
  const { enum: values } = inner;
  if (isJsonList(values)) return { ...inner, ...beside, enum: [...values, null] };
  return inner['type'] === undefined ? undefined : { ...inner, ...beside, type: [inner['type'], 'null'] };
}
