// Responsibility: the core module as a whole: roles, types and actions that every world has.
// Boundary: data; compileWorld merges it in, validation compares.
// Invariants: an agent's role can be held by agents only, a person's never by an agent.

import { isJsonObject, type JsonObject } from '../base/json.ts';
import { CORE_ACTIONS } from './core-actions.ts';
import { CORE_TYPES } from './core-types.ts';
import { closed, text } from './schema-forms.ts';
import type { ActionDefinition, AdapterContract, RoleDefinition, Schema, TypeDefinition } from './types.ts';

const CORE_ROLES: { readonly [role: string]: RoleDefinition } = {
  agent: { kinds: ['Agent'], observes: true, choosesIds: false, readsLog: false, readsEvidence: false },
  human: { kinds: ['Person'], observes: false, choosesIds: true, readsLog: true, readsEvidence: true },
  operator: { kinds: ['Operator', 'Person'], observes: false, choosesIds: true, readsLog: true, readsEvidence: true },
};

export interface CoreModule {
  readonly roles: { readonly [role: string]: RoleDefinition };
  readonly types: { readonly [type: string]: TypeDefinition };
  readonly actions: { readonly [action: string]: ActionDefinition };
}

export const CORE: CoreModule = { roles: CORE_ROLES, types: CORE_TYPES, actions: CORE_ACTIONS };

const SETTING_LENGTH_MAX = 512;

/** The core as it stands in a manifest with these contracts: `integration.connect` takes exactly the settings that they have. */
export function coreFor(contracts: Iterable<Pick<AdapterContract, 'settings'>>): CoreModule {
  const connect = CORE_ACTIONS['integration.connect'];
  const names = new Set([...contracts].flatMap(({ settings }) => Object.keys(settings)));
  if (connect === undefined || names.size === 0) return CORE;
  const settings = closed(Object.fromEntries([...names].map((name) => [name, text(SETTING_LENGTH_MAX, 1)])), []);
  const input: Schema = { ...connect.input, properties: { ...propertiesOf(connect.input), settings } };
  return { ...CORE, actions: { ...CORE_ACTIONS, 'integration.connect': { ...connect, input } } };
}

function propertiesOf(schema: Schema): JsonObject {
  const properties = schema['properties'];
  return isJsonObject(properties) ? properties : {};
}
