// The names that stand in paths and bodies: object ids, types, actions, worlds and tenants, manifest hashes.
// Only their shape is checked here; whether anything of that name exists is for the objects to say.
import * as z from 'zod';
import { LIMITS } from '../kernel/index.ts';

/** `Type:local-id`. */
export const OBJECT_ID_PATTERN = /^[A-Za-z][A-Za-z0-9]*:[A-Za-z0-9._~-]{1,128}$/;
/** `Type:local-id`, or the bare type of what a creation makes. */
export const TARGET_PATTERN = /^[A-Za-z][A-Za-z0-9]*(?::[A-Za-z0-9._~-]{1,128})?$/;
export const TYPE_PATTERN = /^[A-Za-z][A-Za-z0-9]*$/;
/** Tenants and worlds. */
export const NAME_PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/;
export const HASH_PATTERN = /^sha256:[0-9a-f]{64}$/;
/** Who may hold a credential. The clock has none. */
export const ACTOR_PATTERN = /^(?:Agent|Person|Operator):[A-Za-z0-9._~-]{1,128}$/;
export const KEY_ID_PATTERN = /^[0-9A-Za-z]{8}$/;

const typeLengthMax = 64;
const idLengthMax = typeLengthMax + 1 + LIMITS.localIdMax;

export const typeName = z.string().max(typeLengthMax).regex(TYPE_PATTERN);
export const objectId = z.string().max(idLengthMax).regex(OBJECT_ID_PATTERN);
export const targetId = z.string().max(idLengthMax).regex(TARGET_PATTERN);
export const actorId = z.string().max(idLengthMax).regex(ACTOR_PATTERN);
export const tenantName = z.string().regex(NAME_PATTERN);
export const worldName = z.string().regex(NAME_PATTERN);
export const manifestHash = z.string().regex(HASH_PATTERN);
export const keyId = z.string().regex(KEY_ID_PATTERN);
export const integrationName = z
  .string()
  .max(LIMITS.localIdMax)
  .regex(/^[A-Za-z0-9._~-]+$/);
export const roleName = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,62}$/);
export const actionName = z.string().min(1).max(128);

/** World time, RFC 3339 in UTC. */
export const instant = z.string().meta({ format: 'date-time' });

/** The kind of an actor: what stands before the colon of its id. */
export function actorKind(actor: string): string {
  return actor.slice(0, actor.indexOf(':'));
}
