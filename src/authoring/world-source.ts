// A world's source as data: only what differs from the declared defaults. define.ts makes it of the authored form, compile-world.ts the whole manifest of it.
import type {
  ActionDefinition,
  AdapterContract,
  ApprovalDefinition,
  BudgetDefinition,
  Recovery,
  RelationshipDefinition,
  RoleDefinition,
  RuleDefinition,
  Schema,
  Treatment,
  TypeDefinition,
  WorldLimits,
} from '../kernel/index.ts';

export interface TypeSource {
  readonly description: string;
  readonly state: Schema;
  readonly base?: 'Service' | 'ExternalResource';
  readonly lifecycle?: NonNullable<TypeDefinition['lifecycle']>;
  readonly unique?: readonly string[];
  readonly constant?: readonly string[];
  readonly relationships?: { readonly [name: string]: RelationshipDefinition };
  readonly observe?: TypeDefinition['observe'];
  readonly scope?: TypeDefinition['scope'];
}

export interface ActionSource {
  readonly description: string;
  readonly on?: readonly string[];
  readonly creates?: string;
  readonly roles: readonly string[];
  readonly input: Schema;
  readonly related?: { readonly [name: string]: string };
  readonly rules?: readonly RuleDefinition[];
  readonly approvals?: readonly ApprovalDefinition[];
  /** What success (for an effect: landing) changes. */
  readonly changes?: Treatment['changes'];
  readonly events?: Treatment['events'];
  /** Present for an effect. */
  readonly effect?: {
    /** Without a recovery, doubt waits for a person: silence means `human`. */
    readonly adapter: { readonly integration: string; readonly operation: string; readonly recovery?: Recovery };
    readonly identity: readonly string[];
    readonly fence?: ActionDefinition['fence'];
    readonly amount?: string;
    readonly spends?: string;
    readonly retry: ActionDefinition['retry'];
    readonly progressed?: Treatment['changes'];
    readonly reverted?: Treatment['changes'];
  };
}

/** What a world says of the core: who else takes its actions, who sees its objects. Of its laws nothing can be said. */
export interface CoreSource {
  /** Roles beside those that the core names; an agent's only for `task.open` and where the core names agents. */
  readonly roles?: { readonly [action: string]: readonly string[] };
  readonly types?: { readonly [type: string]: Partial<Pick<TypeDefinition, 'observe' | 'scope'>> };
}

export interface WorldSource {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** Roles beside `agent`, `human` and `operator`. */
  readonly roles?: { readonly [role: string]: RoleDefinition };
  readonly core?: CoreSource;
  readonly types: { readonly [type: string]: TypeSource };
  readonly actions: { readonly [action: string]: ActionSource };
  readonly adapters?: { readonly [integration: string]: AdapterContract };
  readonly budgets?: { readonly [budget: string]: BudgetDefinition };
  readonly limits?: Partial<WorldLimits>;
  readonly frameMaxBytes?: number;
  readonly evidenceDays?: number;
  /** Actions whose transitions need a receipt. */
  readonly receipts?: readonly string[];
  readonly scenarios?: { readonly [name: string]: unknown };
}
