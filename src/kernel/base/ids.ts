// Responsibility: the form of object ids, type names, world and tenant names (docs/http.md), and ids made by the kernel.
// Boundary: form only; whether something with that id exists is the state's to say.
// Invariants: an id made here is a digest, never a counter, so it tells nothing about what else exists.

import { KernelFault } from './assert.ts';
import { digestHex } from './digest.ts';
import type { Json } from './json.ts';

/** Characters of a type's name. The wire contract gives no bound; every string has one. */
export const TYPE_LENGTH_MAX = 64;

const OBJECT_ID = /^([A-Za-z][A-Za-z0-9]{0,63}):([A-Za-z0-9._~-]{1,128})$/;
const BARE_TYPE = /^[A-Za-z][A-Za-z0-9]{0,63}$/;
const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

export interface ObjectId {
  readonly type: string;
  readonly local: string;
}

/** `Type:local`, taken apart; undefined for anything off the pattern. */
export function parseObjectId(text: string): ObjectId | undefined {
  const [, type, local] = OBJECT_ID.exec(text) ?? [];
  return type === undefined || local === undefined ? undefined : { type, local };
}

export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text);
}

/** The type of an id that is known to be one. */
export function typeOf(id: string): string {
  const end = id.indexOf(':');
  if (end < 1) throw new KernelFault('not_an_object_id');
  return id.slice(0, end);
}

/** True for a type without local id: the target of a creation that leaves the naming to the kernel. */
export function isBareType(text: string): boolean {
  return BARE_TYPE.test(text);
}

export function isWorldName(text: string): boolean {
  return NAME.test(text);
}

export function isTenantName(text: string): boolean {
  return NAME.test(text);
}

/** An id of the kernel's own making: 128 bits of the digest of its parts. */
export function madeId(type: string, parts: Json): string {
  return `${type}:${digestHex(parts).slice(0, 32)}`;
}
