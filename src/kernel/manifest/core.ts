// Responsibility: the core module as a whole: roles, types and actions that every world has.
// Boundary: data; compileWorld merges it in, validation compares.
// Invariants: an agent's role can be held by agents only, a person's never by an agent.

import { CORE_ACTIONS } from './core-actions.ts';
import { CORE_TYPES } from './core-types.ts';
import type { ActionDefinition, RoleDefinition, TypeDefinition } from './types.ts';

const CORE_ROLES: { readonly [role: string]: RoleDefinition } = {
  agent: { kinds: ['Agent'], observes: true, choosesIds: false, readsLog: false, readsEvidence: false },
  human: { kinds: ['Person'], observes: false, choosesIds: true, readsLog: true, readsEvidence: true },
  operator: { kinds: ['Operator', 'Person'], observes: false, choosesIds: true, readsLog: true, readsEvidence: true },
};

export const CORE: {
  readonly roles: { readonly [role: string]: RoleDefinition };
  readonly types: { readonly [type: string]: TypeDefinition };
  readonly actions: { readonly [action: string]: ActionDefinition };
} = { roles: CORE_ROLES, types: CORE_TYPES, actions: CORE_ACTIONS };
