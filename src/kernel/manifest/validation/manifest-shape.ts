// Responsibility: the closed shape of a manifest (types.ts), written down as data, so that unknown keys are found anywhere.
// Boundary: adapters are in contract-shape.ts; what names refer to is checked elsewhere.
// Invariants: follows types.ts key by key; a key that is added there is refused until it stands here too.

import { DAY_MS, INTEGER_MAX } from '../../base/limits.ts';
import { NAME } from '../../condition/reference.ts';
import { OUTCOME_KINDS } from '../../transition/outcomes.ts';
import { anything, byKey, byValue, closed, either, flag, integer, listOf, mapOf, named, object, oneOf, setOf, text, type Shape } from './shape.ts';

export const ROLE_NAME = /^[a-z][a-z0-9_]{0,63}$/;
export const TYPE_NAME = /^[A-Z][A-Za-z0-9]{0,63}$/;
/** `order.refund`; as the name of a function it has 64 characters at most. */
export const ACTION_NAME = /^(?=.{3,64}$)[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*){1,3}$/;
/** Local ids of integrations and budgets. */
export const LOCAL_NAME = /^[a-z][a-z0-9_-]{0,62}$/;
export const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z.-]{1,32})?$/;
const RULE_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const EVENT_NAME = /^(?=.{1,64}$)[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*){0,3}$/;
const HASH = /^sha256:[0-9a-f]{64}$/;
const ANY_KEY = /^[^]{1,64}$/;

/** What is named is looked up later; here it is only a text. */
const word = text(128, 1);
const field = named(NAME);
const prose = text(1_000);
const APPROVAL_MS_MAX = 366 * DAY_MS;

/** Entries of each section. */
export const MOST = { roles: 32, types: 100, actions: 200, budgets: 32, adapters: 32 } as const;

export const ROLE: Shape = closed({
  kinds: setOf(oneOf('Agent', 'Person', 'Operator', 'Clock'), 4, 1),
  observes: flag,
  choosesIds: flag,
  readsLog: flag,
  readsEvidence: flag,
});

const LIFECYCLE = closed({
  field,
  initial: text(64, 1),
  states: setOf(text(64, 1), 64, 1),
  moves: listOf(closed({ action: word, from: setOf(text(64, 1), 64, 1), to: setOf(text(64, 1), 64, 1) }), 100),
});

const RELATIONSHIP = byValue('cardinality', {
  one: closed({ cardinality: oneOf('one'), field, to: setOf(word, 100, 1) }),
  many: closed({ cardinality: oneOf('many'), inverse: closed({ type: word, field }) }),
});

export const TYPE: Shape = closed(
  {
    description: prose,
    state: object,
    unique: setOf(field, 32),
    relationships: mapOf(RELATIONSHIP, 64, NAME),
    observe: mapOf(either('all', setOf(field, 100)), MOST.roles, ANY_KEY),
    scope: mapOf(text(256, 1), MOST.roles, ANY_KEY),
  },
  { base: oneOf('Service', 'ExternalResource'), lifecycle: LIFECYCLE, constant: setOf(field, 32) },
);

const RULE = closed({ name: named(RULE_NAME), description: prose, when: anything });
const APPROVAL = closed({ name: named(RULE_NAME), description: prose, when: anything, role: word, expiresAfterMs: integer(1, APPROVAL_MS_MAX) });

const fields = mapOf(anything, 100, ANY_KEY);
const CHANGE = byKey(
  {
    create: closed({ create: word, as: field, fields }),
    set: closed({ set: word, fields }),
    update: closed({ update: word, fields }),
  },
  'not_a_change',
);
const TREATMENT = closed({
  changes: listOf(CHANGE, 32),
  events: listOf(closed({ name: named(EVENT_NAME), data: mapOf(anything, 64, NAME) }), 32),
});

export const ACTION: Shape = closed(
  {
    description: prose,
    target: setOf(word, 32, 1),
    class: oneOf('internal', 'read', 'effect'),
    roles: setOf(word, MOST.roles),
    input: object,
    secrets: setOf(field, 16),
    related: mapOf(text(128, 1), 16, NAME),
    rules: listOf(RULE, 64),
    approvals: listOf(APPROVAL, 16),
    identity: setOf(field, 16),
    fence: oneOf('target', 'identity'),
    retry: closed({ budget: integer(0, 100), ceiling: integer(0, 1_000) }),
    outcomes: closed({}, Object.fromEntries(OUTCOME_KINDS.map((kind) => [kind, TREATMENT]))),
  },
  {
    core: oneOf(true),
    creates: flag,
    amount: field,
    spends: word,
    adapter: closed({ integration: word, operation: word, recovery: oneOf('read_back', 'same_key', 'human') }),
    progressed: TREATMENT,
    reverted: TREATMENT,
  },
);

export const BUDGET: Shape = closed({ description: prose, limit: integer(0, INTEGER_MAX), unit: text(32, 1), period: oneOf('utc_day', 'forever') });

/** Everything beside roles, types, actions, budgets and adapters. */
export const REST = {
  format: oneOf(1),
  kernel: integer(1, INTEGER_MAX),
  name: named(/^[a-z0-9][a-z0-9-]{0,62}$/),
  version: named(VERSION, 'not_a_version'),
  description: prose,
  frame: closed({ maxBytes: integer(4_096, 16_777_216), rank: setOf(oneOf('changes', 'objects'), 2) }),
  limits: closed({
    unresolvedMax: integer(1, 1_000),
    approvalsMax: integer(1, 1_000),
    refusalsPerActorDay: integer(1, 1_000_000),
    refusalsInARowPerTask: integer(1, 1_000),
  }),
  audit: closed({ evidenceDays: integer(1, 36_500), receipts: setOf(word, MOST.actions) }),
  compatibleStateVersions: setOf(named(VERSION, 'not_a_version'), 100, 1),
  scenarios: listOf(closed({ name: named(/^[a-z0-9][a-z0-9-]{0,127}$/), digest: named(HASH, 'not_a_digest') }), 1_000),
} as const satisfies { readonly [key: string]: Shape };
