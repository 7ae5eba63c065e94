// Responsibility: the shape of a compiled manifest (design §5): plain JSON, enough to validate, decide, observe, replay and verify.
// Boundary: types only. The authoring form is in define.ts, the check of every rule of agreement in validate.ts, freezing in seal.ts.
// Invariants: a manifest is data; two manifests with the same canonical bytes are the same manifest.

import type { Json, JsonObject } from '../base/json.ts';
import type { Condition, Operand } from '../condition/types.ts';
import type { OutcomeKind } from '../transition/outcomes.ts';

/** A schema of the closed JSON-Schema subset: type, properties, required, additionalProperties:false, items, enum, const, bounds, pattern, `uniqueBy` (lists of objects), `format: condition|objectId`. */
export type Schema = JsonObject;

export type ActorKind = 'Agent' | 'Person' | 'Operator' | 'Clock';

export interface RoleDefinition {
  /** Which kinds of actor may hold the role. An agent's key can never hold a person's role. */
  readonly kinds: readonly ActorKind[];
  /** True where a proposal must prove what its actor has seen (agents). */
  readonly observes: boolean;
  /** True where the role may choose local ids of what it creates. */
  readonly choosesIds: boolean;
  /** True where the role may read the transitions. */
  readonly readsLog: boolean;
  /** True where the role may read protected evidence. */
  readonly readsEvidence: boolean;
}

export interface Lifecycle {
  readonly field: string;
  readonly initial: string;
  readonly states: readonly string[];
  readonly moves: readonly { readonly action: string; readonly from: readonly string[]; readonly to: readonly string[] }[];
}

/** A relationship: to one (an object id in a state field), or to many (the inverse of another type's to-one). */
export type RelationshipDefinition =
  | { readonly cardinality: 'one'; readonly field: string; readonly to: readonly string[] }
  | { readonly cardinality: 'many'; readonly inverse: { readonly type: string; readonly field: string } };

export interface TypeDefinition {
  readonly description: string;
  /** Service, ExternalResource, or absent. */
  readonly base?: 'Service' | 'ExternalResource';
  readonly state: Schema;
  readonly lifecycle?: Lifecycle;
  readonly unique: readonly string[];
  /** Fields in which all objects of the type agree (one currency per world); fails check 5 as rule `constant:<field>`. */
  readonly constant?: readonly string[];
  readonly relationships: { readonly [name: string]: RelationshipDefinition };
  /** Per role: `all`, or the state fields that it may observe. A role that is absent sees nothing of the type. */
  readonly observe: { readonly [role: string]: 'all' | readonly string[] };
  /** Per role: `all`, `own` (owner is the actor), or a path of to-one fields that ends at the actor (`customer.agent`). */
  readonly scope: { readonly [role: string]: string };
}

export interface RuleDefinition {
  readonly name: string;
  readonly description: string;
  readonly when: Condition;
}

export interface ApprovalDefinition {
  readonly name: string;
  readonly description: string;
  /** The approval is needed when this is true (or unknown). */
  readonly when: Condition;
  readonly role: string;
  readonly expiresAfterMs: number;
}

/** A change of state that an outcome makes. Fields whose operand resolves to nothing are left out. */
export type ChangeDefinition =
  | { readonly set: string; readonly fields: { readonly [field: string]: Operand } }
  | { readonly create: string; readonly as: string; readonly fields: { readonly [field: string]: Operand } }
  | { readonly update: string; readonly fields: { readonly [field: string]: Operand } };

export interface EventDefinition {
  readonly name: string;
  readonly data: { readonly [field: string]: Operand };
}

export interface Treatment {
  readonly changes: readonly ChangeDefinition[];
  readonly events: readonly EventDefinition[];
}

export type Recovery = 'read_back' | 'same_key' | 'human';

export interface ActionDefinition {
  readonly description: string;
  /** Present for the actions of the core module: the kernel's own law of that name decides and changes. */
  readonly core?: true;
  /** Types of the target; for a creation, the one type created. */
  readonly target: readonly string[];
  readonly creates?: boolean;
  readonly class: 'internal' | 'read' | 'effect';
  readonly roles: readonly string[];
  readonly input: Schema;
  /** Input fields that are replaced by a random reference before anything is stored or hashed. */
  readonly secrets: readonly string[];
  /** Named objects: each a reference that resolves to an object id (`$target.order`, `$args.customer`) or one hop further (`$related.order.customer`). In declared (sorted) name order; may build on earlier names. */
  readonly related: { readonly [name: string]: string };
  readonly rules: readonly RuleDefinition[];
  readonly approvals: readonly ApprovalDefinition[];
  /** Input fields that make two effects identical, beside action and target. */
  readonly identity: readonly string[];
  readonly fence: 'target' | 'identity';
  /** Input field with the integer amount that the effect moves. */
  readonly amount?: string;
  readonly retry: { readonly budget: number; readonly ceiling: number };
  /** Budget object that a landed amount spends, without its type prefix (`refunds`). */
  readonly spends?: string;
  readonly adapter?: { readonly integration: string; readonly operation: string; readonly recovery: Recovery };
  /** What each outcome changes. `Succeeded` is what landing changes, also when found later. */
  readonly outcomes: { readonly [outcome in OutcomeKind]?: Treatment };
  /** A landed effect whose status moved on (pending → succeeded), and one that the provider undid. Effects only. */
  readonly progressed?: Treatment;
  readonly reverted?: Treatment;
}

export interface BudgetDefinition {
  readonly description: string;
  /** Whole units of the resource (cents). */
  readonly limit: number;
  readonly unit: string;
  readonly period: 'utc_day' | 'forever';
}

// ---- adapters (HTTP). Everything outbound is compiled here; nothing else can be called.

export interface FieldMapping {
  readonly name: string;
  readonly from: Operand;
  /** Sent only when this is true. */
  readonly when?: Condition;
}

export interface ResponseContract {
  /** What a 2xx body must fit; unlisted fields are ignored. */
  readonly schema: Schema;
  /** Fields of the answer that must equal what was asked, else the protocol was violated: `{amount: "$args.amountCents"}`. */
  readonly echoes: { readonly [path: string]: Operand };
  /** Where the provider's own status stands, and what each means; without it a fitting 2xx has landed. */
  readonly status?: { readonly path: string; readonly means: { readonly [status: string]: StatusMeaning } };
  /** Normalised evidence: name → path in the body. Nothing else of an answer reaches the world. */
  readonly evidence: { readonly [name: string]: string };
}

export interface StatusMeaning {
  readonly means: 'landed' | 'failed';
  /** Later statuses apply by rank, so the order of deliveries does not matter. */
  readonly rank: number;
}

export interface ErrorRow {
  readonly statuses: readonly number[];
  /** Values at `codePath` that this row lists; absent: any value that fits the error schema. */
  readonly codes?: readonly string[];
  readonly means: 'declined' | 'login_lost';
}

export interface OperationContract {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'GET';
  readonly path: string;
  readonly encoding: 'form' | 'json' | 'none';
  readonly headers: { readonly [name: string]: Operand };
  readonly body: readonly FieldMapping[];
  readonly response: ResponseContract;
}

export interface ReadBackContract {
  readonly path: string;
  readonly query: readonly FieldMapping[];
  /** The list of items in a page, its schema, and the paths of correlation id and status in an item. */
  readonly pageSchema: Schema;
  readonly itemsPath: string;
  readonly correlationPath: string;
  readonly statusPath: string;
  readonly evidence: { readonly [name: string]: string };
  readonly paging: { readonly morePath: string; readonly cursorParameter: string; readonly cursorPath: string; readonly pagesMax: number };
}

export interface WebhookContract {
  readonly scheme: 'stripe' | 'standard';
  readonly toleranceSeconds: number;
  readonly schema: Schema;
  /** Path of the delivery id in the body; absent where a header carries it. */
  readonly deliveryPath?: string;
  readonly typePath: string;
  /** Event types that are evidence; what each means, or `status` to read `statusPath` by the operation's table. */
  readonly events: { readonly [type: string]: 'status' | StatusMeaning };
  readonly correlationPath: string;
  /** Where correlation ids stand in a list of {name, value}: its name. */
  readonly correlationTag?: string;
  readonly statusPath?: string;
  readonly livemodePath?: string;
  readonly evidence: { readonly [name: string]: string };
  /** Matching needs the operation whose status table applies. */
  readonly operation: string;
}

export interface SettingDefinition {
  readonly description: string;
  readonly default: string;
  readonly pattern: string;
}

export interface HttpContract {
  readonly kind: 'http';
  readonly description: string;
  /** Origins that may be connected. Development allows any loopback origin beside these. */
  readonly origins: readonly string[];
  readonly auth: 'bearer';
  /** Prefixes of credentials that act on live accounts; null where the provider has no such thing. */
  readonly livePrefixes: readonly string[];
  readonly settings: { readonly [name: string]: SettingDefinition };
  readonly headers: { readonly [name: string]: string };
  readonly operations: { readonly [name: string]: OperationContract };
  readonly errors: { readonly schema: Schema; readonly codePath: string; readonly rows: readonly ErrorRow[] };
  readonly readBack?: ReadBackContract;
  readonly webhook?: WebhookContract;
  readonly timeoutMs: number;
  readonly settleMs: number;
  readonly responseBytesMax: number;
}

export type AdapterContract = HttpContract;

export interface FrameDefinition {
  /** Bytes of the largest frame; a request may only lower it. */
  readonly maxBytes: number;
  /** Optional kinds in the order in which they are given room. */
  readonly rank: readonly string[];
}

export interface WorldLimits {
  readonly unresolvedMax: number;
  readonly approvalsMax: number;
  readonly refusalsPerActorDay: number;
  readonly refusalsInARowPerTask: number;
}

export interface ScenarioReference {
  readonly name: string;
  readonly digest: string;
}

export interface Manifest {
  readonly format: 1;
  /** The number of the kernel's semantics this manifest was compiled for. */
  readonly kernel: number;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly roles: { readonly [role: string]: RoleDefinition };
  readonly types: { readonly [type: string]: TypeDefinition };
  readonly actions: { readonly [action: string]: ActionDefinition };
  readonly budgets: { readonly [budget: string]: BudgetDefinition };
  readonly adapters: { readonly [integration: string]: AdapterContract };
  readonly frame: FrameDefinition;
  readonly limits: WorldLimits;
  readonly audit: { readonly evidenceDays: number; readonly receipts: readonly string[] };
  readonly compatibleStateVersions: readonly string[];
  readonly scenarios: readonly ScenarioReference[];
}

export type FieldValue = Json;
