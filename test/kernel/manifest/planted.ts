// Copies of the refund desk's manifest in which something is planted.
import { canonical, type Json } from '../../../src/kernel/index.ts';
import refundDesk from '../../../manifests/refund-desk/manifest.json' with { type: 'json' };

export const deskText = canonical(refundDesk as unknown as Json);

export type Place = readonly (string | number)[];

export function desk(): Json {
  return JSON.parse(deskText) as Json;
}

/** What stands at a place; undefined where nothing does. */
export function at(json: Json, place: Place): Json | undefined {
  return place.reduce<unknown>((found, step) => (typeof found === 'object' && found !== null ? Reflect.get(found, step) : undefined), json) as Json | undefined;
}

/** A value at a place of a copy; undefined removes what is there. */
export function plant(json: Json, place: Place, value: Json | undefined): Json {
  const copy = structuredClone(json) as Json;
  const parent = at(copy, place.slice(0, -1));
  if (typeof parent !== 'object' || parent === null) throw new Error(`nothing at ${place.join('/')}`);
  const last = place.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true });
  return copy;
}

/** A place written as a path: `actions order.refund rules 0`. */
export function place(path: string): Place {
  return path.split(' ').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
