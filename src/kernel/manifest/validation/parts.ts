// Responsibility: a manifest taken apart into what is well shaped, so that one malformed part hides nothing of the others.
// Boundary: form is checked here, by section and entry; agreement between parts is what the checks are for.
// Invariants: own keys only; what is declared but malformed has its own defects, and is unknown to nobody (no second defect where it is named).

import { isJsonObject, ownField, type Json, type JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { pointer } from '../../base/text.ts';
import { CORE } from '../core.ts';
import type { ActionDefinition, AdapterContract, BudgetDefinition, Manifest, RoleDefinition, TypeDefinition } from '../types.ts';
import type { ErrorCode } from './codes.ts';
import { CONTRACT } from './contract-shape.ts';
import type { Findings } from './findings.ts';
import { ACTION, ACTION_NAME, BUDGET, LOCAL_NAME, MOST, REST, ROLE, ROLE_NAME, TYPE, TYPE_NAME } from './manifest-shape.ts';
import type { Shape } from './shape.ts';

export type Section = 'roles' | 'types' | 'actions' | 'budgets' | 'adapters';

export interface Parts {
  readonly json: JsonObject;
  /** The well-shaped entries of each section. */
  readonly roles: ReadonlyMap<string, RoleDefinition>;
  /** Types by what they are: the core's are the kernel's own, whatever the manifest says of them. */
  readonly types: ReadonlyMap<string, TypeDefinition>;
  /** Types as the manifest says them. */
  readonly saidTypes: ReadonlyMap<string, TypeDefinition>;
  readonly actions: ReadonlyMap<string, ActionDefinition>;
  readonly budgets: ReadonlyMap<string, BudgetDefinition>;
  readonly adapters: ReadonlyMap<string, AdapterContract>;
  /** The rest, where it is well shaped. */
  readonly rest: Partial<Pick<Manifest, keyof typeof REST>>;
}

const SECTIONS: { readonly [section in Section]: { readonly shape: Shape; readonly name: RegExp } } = {
  roles: { shape: ROLE, name: ROLE_NAME },
  types: { shape: TYPE, name: TYPE_NAME },
  actions: { shape: ACTION, name: ACTION_NAME },
  budgets: { shape: BUDGET, name: LOCAL_NAME },
  adapters: { shape: CONTRACT, name: LOCAL_NAME },
};

export function partsOf(json: JsonObject, found: Findings): Parts {
  const known = [...Object.keys(SECTIONS), ...Object.keys(REST)];
  for (const key of Object.keys(json)) if (!known.includes(key)) found.error(pointer('', key), 'unknown_key', key, nearest(key, known));
  const types = entries<TypeDefinition>(json, 'types', found);
  return {
    json,
    roles: entries<RoleDefinition>(json, 'roles', found),
    types: new Map([...types, ...Object.entries(CORE.types)]),
    saidTypes: types,
    actions: entries<ActionDefinition>(json, 'actions', found),
    budgets: entries<BudgetDefinition>(json, 'budgets', found),
    adapters: entries<AdapterContract>(json, 'adapters', found),
    rest: restOf(json, found),
  };
}

/** The names that stand in a section, well shaped or not. */
export function declared(parts: Parts, section: Section): readonly string[] {
  const entries = ownField(parts.json, section);
  return isJsonObject(entries) ? Object.keys(entries) : [];
}

export function isDeclared(parts: Parts, section: Section, name: string): boolean {
  return ownField(ownField(parts.json, section), name) !== undefined;
}

const UNKNOWN: { readonly [section in Section]: ErrorCode } = {
  roles: 'unknown_role',
  types: 'unknown_type',
  actions: 'unknown_action',
  budgets: 'unknown_budget',
  adapters: 'unknown_integration',
};

/** True where the name stands in the section; a defect at the path where it does not. */
export function mustBeDeclared(parts: Parts, section: Section, name: { readonly name: string; readonly at: string }, found: Findings): boolean {
  if (isDeclared(parts, section, name.name)) return true;
  found.error(name.at, UNKNOWN[section], name.name, nearest(name.name, declared(parts, section)));
  return false;
}

function entries<T>(json: JsonObject, section: Section, found: Findings): ReadonlyMap<string, T> {
  const { shape, name } = SECTIONS[section];
  const at = pointer('', section);
  const all = ownField(json, section);
  const good = new Map<string, T>();
  if (!isJsonObject(all)) {
    found.error(at, all === undefined ? 'missing_key' : 'not_an_object', section);
    return good;
  }
  const names = Object.keys(all);
  if (names.length > MOST[section]) found.error(at, 'too_many_items', `${MOST[section]}`);
  for (const key of names.slice(0, MOST[section])) {
    const path = pointer(at, key);
    if (!name.test(key)) found.error(path, 'not_a_name', key);
    else if (shape(all[key] ?? null, path, found)) good.set(key, all[key] as unknown as T);
  }
  return good;
}

function restOf(json: JsonObject, found: Findings): Parts['rest'] {
  const good: { [key: string]: Json } = {};
  for (const [key, shape] of Object.entries(REST)) {
    const value = ownField(json, key);
    if (value === undefined) found.error(pointer('', key), 'missing_key', key);
    else if (shape(value, pointer('', key), found)) good[key] = value;
  }
  return good as unknown as Parts['rest'];
}
