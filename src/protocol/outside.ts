// Responsibility: how JSON that came from outside is read: paths, shapes, and the few values that may reach the world.
// Boundary: pure; shared by adapters (answers, read-backs) and webhook (deliveries). It decides nothing about effects.
// Invariants: only own keys are followed; only bounded scalars come out; whatever is not understood is left out, never guessed.
import { LIMITS, compileOpenSchema, isJsonList, ownField } from '../kernel/index.ts';
import type { HttpContract, Json, JsonObject, Schema, StatusMeaning } from '../kernel/index.ts';

/** Correlation ids as the kernel makes them: a SHA-256 as 64 lower-case hex digits (design §8). */
const CORRELATION_ID = /^[0-9a-f]{64}$/;

type Check = ReturnType<typeof compileOpenSchema>;
const checks = new WeakMap<Schema, Check>();

/** The value at a dotted path of own keys (`data.object.id`); undefined where any step is missing. */
export function valueAt(value: Json | undefined, path: string): Json | undefined {
  return path.split('.').reduce<Json | undefined>((at, key) => ownField(at, key), value);
}

/** The text at a dotted path; undefined where it is missing or no string. */
export function textAt(value: Json | undefined, path: string): string | undefined {
  const found = valueAt(value, path);
  return typeof found === 'string' ? found : undefined;
}

/** True where the value fits the schema. Fields that the schema does not list are ignored (docs/http.md). */
export function fits(schema: Schema, value: Json | undefined): boolean {
  if (value === undefined) return false;
  let check = checks.get(schema);
  if (check === undefined) {
    check = compileOpenSchema(schema);
    checks.set(schema, check);
  }
  return check(value).length === 0;
}

/** Parses JSON from outside; undefined where it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Normalised evidence: exactly the names of the contract's map that hold a usable value. */
export function evidenceFields(map: { readonly [name: string]: string }, body: Json | undefined): JsonObject {
  const fields: [string, Json][] = [];
  for (const [name, path] of Object.entries(map)) {
    const value = evidenceValue(valueAt(body, path));
    if (value !== undefined) fields.push([name, value]);
  }
  return Object.fromEntries(fields);
}

/**
 * What a value from outside may be inside: a boolean, a safe integer, or well-formed text of at most `frameTextMax` characters.
 * Anything else (null, fractions, lists, objects) is undefined: it could not be hashed or shown.
 */
function evidenceValue(value: Json | undefined): Json | undefined {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 0 : undefined;
  if (typeof value === 'string') return wellFormed(value.slice(0, LIMITS.frameTextMax));
  return undefined;
}

/** Replaces unpaired surrogates, which canonical bytes refuse; a cut may also have made one. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** What a provider's status word means by the operation's table; undefined where there is no table or no such word. */
export function statusMeaning(contract: HttpContract, operation: string, status: string | undefined): StatusMeaning | undefined {
  const means = Object.hasOwn(contract.operations, operation) ? contract.operations[operation]?.response.status?.means : undefined;
  return status !== undefined && means !== undefined && Object.hasOwn(means, status) ? means[status] : undefined;
}

/**
 * The correlation id at a path, or (with a tag name) in the tags at that path: a map, or a list of {name, value}.
 * Null where there is none of the kernel's form; a list that names it twice differently names none.
 */
export function correlationAt(value: Json | undefined, path: string, tag?: string): string | null {
  const found = valueAt(value, path);
  if (tag === undefined) return correlationId(found);
  if (!isJsonList(found)) return correlationId(ownField(found, tag));
  const named = new Set(found.filter((item) => ownField(item, 'name') === tag).map((item) => ownField(item, 'value')));
  const [only] = named;
  return named.size === 1 ? correlationId(only) : null;
}

function correlationId(value: Json | undefined): string | null {
  return typeof value === 'string' && CORRELATION_ID.test(value) ? value : null;
}
