// The form in which a world is authored: zod for state and parameters, and every name of a type, role, action, budget and integration that stands
// outside a rule checked by the compiler. Makes a WorldSource.
// Paths inside rules and references are not typed yet: a misspelt one is found when the manifest is validated, not in the editor.
import type * as z from 'zod';
import type { AdapterContract, BudgetDefinition, Lifecycle, RelationshipDefinition, RoleDefinition, Schema } from '../kernel/index.ts';
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
export type CoreRole = 'agent' | 'human' | 'operator';

/** The names that one definition declares. */
export interface Names {
  readonly type: string;
  readonly role: string;
  readonly action: string;
  readonly budget: string;
  readonly integration: string;
}

type AnyType<Name extends Names> = Name['type'] | CoreType;
type AnyRole<Name extends Names> = Name['role'] | CoreRole;

type AuthoredRelationship<Name extends Names> =
  | (Omit<Extract<RelationshipDefinition, { readonly cardinality: 'one' }>, 'to'> & { readonly to: readonly (AnyType<Name> | '*')[] })
  | { readonly cardinality: 'many'; readonly inverse: { readonly type: AnyType<Name>; readonly field: string } };

export type AuthoredType<Name extends Names> = Omit<TypeSource, 'state' | 'lifecycle' | 'relationships' | 'observe' | 'scope'> & {
  readonly state: z.ZodObject;
  readonly lifecycle?: Omit<Lifecycle, 'moves'> & { readonly moves: readonly (Lifecycle['moves'][number] & { readonly action: Name['action'] })[] };
  readonly relationships?: { readonly [relationship: string]: AuthoredRelationship<Name> };
  readonly observe?: { readonly [role in AnyRole<Name>]?: 'all' | readonly string[] };
  readonly scope?: { readonly [role in AnyRole<Name>]?: string };
};

type Effect = NonNullable<ActionSource['effect']>;

/** An action on types that exist, by roles that exist; identity and amount name fields of its parameters (checked when it is defined). */
export type AuthoredAction<Name extends Names> = Omit<ActionSource, 'input' | 'on' | 'creates' | 'roles' | 'approvals' | 'effect'> & {
  readonly input: z.ZodObject;
  readonly on?: readonly AnyType<Name>[];
  readonly creates?: Name['type'];
  readonly roles: readonly AnyRole<Name>[];
  readonly approvals?: readonly (NonNullable<ActionSource['approvals']>[number] & { readonly role: AnyRole<Name> })[];
  readonly effect?: Omit<Effect, 'adapter' | 'spends'> & {
    readonly adapter: Effect['adapter'] & { readonly integration: Name['integration'] };
    readonly spends?: Name['budget'];
  };
};

/** `Said` has the names where they are declared, `Name` the same where they are only used. */
export type AuthoredWorld<Said extends Names, Name extends Names = Said> = Omit<
  WorldSource,
  'types' | 'actions' | 'roles' | 'budgets' | 'adapters' | 'receipts'
> & {
  readonly types: { readonly [type in Said['type']]: AuthoredType<Name> };
  readonly actions: { readonly [action in Said['action']]: AuthoredAction<Name> };
  readonly roles?: { readonly [role in Said['role']]: RoleDefinition };
  readonly budgets?: { readonly [budget in Said['budget']]: BudgetDefinition };
  readonly adapters?: { readonly [integration in Said['integration']]: AdapterContract };
  /** Actions whose transitions need a receipt. */
  readonly receipts?: readonly Name['action'][];
};

interface Declared<Type extends string, Action extends string, Role extends string, Budget extends string, Integration extends string> {
  readonly type: Type;
  readonly action: Action;
  readonly role: Role;
  readonly budget: Budget;
  readonly integration: Integration;
}

/** Turns an authored world into data. Throws with every defect of its schemas, and where an effect names a parameter that is not there. */
export function defineWorld<
  Type extends string,
  Action extends string,
  Role extends string = never,
  Budget extends string = never,
  Integration extends string = never,
>(
  authored: AuthoredWorld<
    Declared<Type, Action, Role, Budget, Integration>,
    Declared<NoInfer<Type>, NoInfer<Action>, NoInfer<Role>, NoInfer<Budget>, NoInfer<Integration>>
  >,
): WorldSource {
  const world = authored as AuthoredWorld<Names>;
  const types = mapped<AuthoredType<Names>, TypeSource>(
    world.types,
    (type, name) => ({ ...type, state: schemaOf(type.state, `/types/${name}/state`) }) as TypeSource,
  );
  const actions = mapped<AuthoredAction<Names>, ActionSource>(world.actions, (action, name) => ({ ...action, input: inputOf(action, `/actions/${name}`) }));
  return { ...world, types, actions };
}

function inputOf(action: AuthoredAction<Names>, at: string): Schema {
  const { effect, input } = action;
  const named = effect === undefined ? [] : [...effect.identity, ...(effect.amount === undefined ? [] : [effect.amount])];
  const unknown = named.filter((field) => !Object.hasOwn(input.shape, field));
  if (unknown.length > 0) throw new Error(`${at}: no such parameter: ${unknown.map((field) => `\`${field}\``).join(', ')}`);
  return schemaOf(input, `${at}/input`);
}

function mapped<In, Out>(entries: { readonly [name: string]: In }, make: (entry: In, name: string) => Out): { readonly [name: string]: Out } {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, make(entry, name)]));
}
