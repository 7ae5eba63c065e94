// Responsibility: the core module stands in the manifest unaltered (design §5): the kernel's own laws are nobody else's to write.
// Boundary: compares with core.ts. A world says who sees and what is in scope of the core's types, and may give its own roles the core's actions.
// Invariants: no alteration gives an agent what the core leaves to people, but `task.open`, which a manifest may give (design §10).

import { sameJson } from '../../base/equal.ts';
import { isJsonList, isJsonObject, ownField, type Json, type JsonObject } from '../../base/json.ts';
import { pointer } from '../../base/text.ts';
import { CORE, coreFor } from '../core.ts';
import type { ActionDefinition } from '../types.ts';
import type { Findings } from './findings.ts';
import type { Parts } from './parts.ts';

const OPEN_TO_AGENTS = 'task.open';

export function checkCore(parts: Parts, found: Findings): void {
  const core = coreFor(parts.adapters.values()) as unknown as { readonly [section: string]: JsonObject };
  for (const [section, kept] of [
    ['roles', []],
    ['types', ['observe', 'scope']],
    ['actions', ['roles']],
  ] as const) {
    for (const [name, definition] of Object.entries(core[section] ?? {})) {
      const at = pointer(pointer('', section), name);
      const said = ownField(ownField(parts.json, section), name);
      if (said === undefined) found.error(at, 'core_missing', name);
      else if (!sameJson(definition, said)) compare(without(definition, kept), without(said, kept), at, found);
    }
  }
  for (const [name, action] of parts.actions) {
    const at = pointer('/actions', name);
    if (Object.hasOwn(CORE.actions, name)) checkRoles(parts, { name, action, at }, found);
    else if (action.core === true) found.error(pointer(at, 'core'), 'no_such_law', name);
  }
}

function without(json: Json, keys: readonly string[]): Json {
  return isJsonObject(json) ? Object.fromEntries(Object.entries(json).filter(([key]) => !keys.includes(key))) : json;
}

/** One defect for each place that differs, as deep as both sides are objects. */
function compare(expected: Json, said: Json, at: string, found: Findings): void {
  if (!isJsonObject(expected) || !isJsonObject(said)) {
    if (!sameJson(expected, said)) found.error(at, 'core_altered');
    return;
  }
  for (const key of new Set([...Object.keys(expected), ...Object.keys(said)])) {
    const [own, other] = [ownField(expected, key), ownField(said, key)];
    if (own === undefined || other === undefined) found.error(pointer(at, key), 'core_altered');
    else compare(own, other, pointer(at, key), found);
  }
}

function checkRoles(
  parts: Parts,
  { name, action, at }: { readonly name: string; readonly action: ActionDefinition; readonly at: string },
  found: Findings,
): void {
  const core = CORE.actions[name]?.roles ?? [];
  for (const role of core) if (!action.roles.includes(role)) found.error(pointer(at, 'roles'), 'core_altered', role);
  if (name === OPEN_TO_AGENTS || core.includes('agent')) return;
  for (const [index, role] of action.roles.entries()) {
    const kinds = parts.roles.get(role)?.kinds ?? [];
    if (isJsonList(kinds) && kinds.includes('Agent')) found.error(pointer(pointer(at, 'roles'), index), 'core_altered', role);
  }
}
