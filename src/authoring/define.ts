// The form in which a world is authored: zod for state and parameters, the names of types and roles checked by the compiler. Makes a WorldSource.
// The types of paths inside rules and references are not derived yet: a misspelt one is found when the manifest is validated, not in the editor.
import type * as z from 'zod';
import type { Schema } from '../kernel/index.ts';
import { schemaOf } from './from-zod.ts';
import type { ActionSource, TypeSource, WorldSource } from './world-source.ts';

export type CoreType =
  | 'ActionAttempt'
  | 'Agent'
  | 'Approval'
  | 'Budget'
  | 'Conversation'
  | 'Evidence'
  | 'Integration'
  | 'Memory'
  | 'Message'
  | 'Operator'
  | 'Person'
  | 'Task';
export type Role = 'agent' | 'human' | 'operator';

export type AuthoredType = Omit<TypeSource, 'state'> & { readonly state: z.ZodObject };

/** An action on types that exist, by roles that exist; identity and amount name fields of its parameters (checked when it is defined). */
export type AuthoredAction<TypeName extends string> = Omit<ActionSource, 'input' | 'on' | 'creates' | 'roles'> & {
  readonly input: z.ZodObject;
  readonly on?: readonly (TypeName | CoreType)[];
  readonly creates?: TypeName;
  readonly roles: readonly Role[];
};

export type AuthoredWorld<TypeName extends string> = Omit<WorldSource, 'types' | 'actions'> & {
  readonly types: { readonly [name in TypeName]: AuthoredType };
  readonly actions: { readonly [action: string]: AuthoredAction<NoInfer<TypeName>> };
};

/** Turns an authored world into data. Throws with every defect of its schemas, and where an effect names a parameter that is not there. */
export function defineWorld<TypeName extends string>(authored: AuthoredWorld<TypeName>): WorldSource {
  const types = mapped<AuthoredType, TypeSource>(authored.types, (type, name) => ({ ...type, state: schemaOf(type.state, `/types/${name}/state`) }));
  const actions = mapped<AuthoredAction<TypeName>, ActionSource>(authored.actions, (action, name) => ({
    ...action,
    input: inputOf(action, `/actions/${name}`),
  }));
  return { ...authored, types, actions };
}

function inputOf(action: AuthoredAction<string>, at: string): Schema {
  const { effect, input } = action;
  const named = effect === undefined ? [] : [...effect.identity, ...(effect.amount === undefined ? [] : [effect.amount])];
  const unknown = named.filter((field) => !Object.hasOwn(input.shape, field));
  if (unknown.length > 0) throw new Error(`${at}: no such parameter: ${unknown.map((field) => `\`${field}\``).join(', ')}`);
  return schemaOf(input, `${at}/input`);
}

function mapped<In, Out>(entries: { readonly [name: string]: In }, make: (entry: In, name: string) => Out): { readonly [name: string]: Out } {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, make(entry, name)]));
}
