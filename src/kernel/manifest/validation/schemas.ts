// Responsibility: the schemas of a world's own types and actions: in the closed subset, and naming only types that exist.
// Boundary: the subset itself is schema-defects.ts's; the core's schemas are compared in core.ts.
// Invariants: every `refers` at any depth is looked at.

import { isJsonList, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { pointer } from '../../base/text.ts';
import { schemaDefects } from '../schema.ts';
import type { Findings } from './findings.ts';
import { mustBeDeclared, type Parts } from './parts.ts';

/** A schema of an object. */
export function checkSchema(parts: Parts, schema: JsonObject, at: string, found: Findings): void {
  const defects = schemaDefects(schema, at);
  found.addAll(defects);
  if (defects.length > 0) return;
  if (schema['type'] !== 'object') found.error(pointer(at, 'type'), 'not_a_schema_of_an_object');
  checkRefers(parts, schema, at, found);
}

function checkRefers(parts: Parts, schema: Json, at: string, found: Findings): void {
  if (!isJsonObject(schema)) return;
  const { refers, properties, items } = schema;
  for (const [index, name] of (isJsonList(refers) ? refers : []).entries()) {
    mustBeDeclared(parts, 'types', { name: String(name), at: pointer(pointer(at, 'refers'), index) }, found);
  }
  for (const [name, property] of Object.entries(isJsonObject(properties) ? properties : {})) {
    checkRefers(parts, property, pointer(pointer(at, 'properties'), name), found);
  }
  if (items !== undefined) checkRefers(parts, items, pointer(at, 'items'), found);
}

/** The fields of an object's schema. */
export function fieldsOf(schema: JsonObject): JsonObject {
  const properties = schema['properties'];
  return isJsonObject(properties) ? properties : {};
}

export function requiredOf(schema: JsonObject): readonly string[] {
  const required = schema['required'];
  return isJsonList(required) ? required.map(String) : [];
}
