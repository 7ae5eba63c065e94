// Responsibility: the types of the fields of objects, as conditions and changes may refer to them.
// Boundary: reads type definitions; what an action may refer to is action-types.ts's.
// Invariants: an answer is never narrower than what may stand there at run time; a field that only some of the types have is optional.

import { schemaType, typeAt, pathsWithin, type ValueKind, type ValueType } from '../../condition/value-type.ts';
import type { Parts } from './parts.ts';

/** The types that an object may be of; `*` for any. */
export type ObjectTypes = readonly string[] | '*';

export const MAYBE_ANYTHING: ValueType = { kinds: ['any'], optional: true };

export function listedTypes(names: readonly string[]): ObjectTypes {
  return names.includes('*') ? '*' : names;
}

/** What every object has beside its state. */
export function idType(types: ObjectTypes): ValueType {
  return types === '*' ? { kinds: ['object_id'] } : { kinds: ['object_id'], refers: types };
}

function beside(types: ObjectTypes): { readonly [field: string]: ValueType } {
  return {
    id: idType(types),
    type: types === '*' ? { kinds: ['text'] } : { kinds: ['text'], values: types },
    owner: { kinds: ['object_id'] },
  };
}

/** The type at a path of an object's state, or of what stands beside it; undefined where none of the types has such a thing. */
export function objectTypeAt(parts: Parts, types: ObjectTypes, path: readonly string[]): ValueType | undefined {
  const [first] = path;
  const own = beside(types);
  if (first !== undefined && path.length === 1 && Object.hasOwn(own, first)) return own[first];
  if (types === '*') return MAYBE_ANYTHING;
  const states = types.map((name) => parts.types.get(name)?.state);
  // A type that is declared but malformed, or not declared at all, has its own defect.
  if (states.includes(undefined)) return MAYBE_ANYTHING;
  return unionOf(states.map((state) => typeAt(schemaType(state), path)));
}

export function objectPaths(parts: Parts, types: ObjectTypes): readonly string[] {
  const names = types === '*' ? [] : types;
  return [...Object.keys(beside(types)), ...names.flatMap((name) => pathsWithin(schemaType(parts.types.get(name)?.state)))];
}

/** What may stand where one of several things stands; undefined where none of them does. */
export function unionOf(types: readonly (ValueType | undefined)[]): ValueType | undefined {
  const present = types.filter((type) => type !== undefined);
  const [only] = present;
  if (only === undefined) return undefined;
  const optional = present.length < types.length || present.some((type) => type.optional === true);
  const one = present.length === 1 ? only : merged(present);
  return optional ? { ...one, optional: true } : one;
}

function merged(types: readonly ValueType[]): ValueType {
  const kinds: readonly ValueKind[] = [...new Set(types.flatMap((type) => type.kinds))];
  if (kinds.includes('any')) return { kinds: ['any'] };
  const values = types.every((type) => type.values !== undefined) ? types.flatMap((type) => type.values ?? []) : undefined;
  const refers = types.every((type) => type.refers !== undefined) ? types.flatMap((type) => type.refers ?? []) : undefined;
  return { kinds, ...(values === undefined ? {} : { values }), ...(refers === undefined ? {} : { refers }) };
}
