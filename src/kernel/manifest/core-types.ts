// Responsibility: the types of the core module, which every world includes (design §5 "Core module").
// Boundary: data; what happens to these objects is decided by the kernel's laws.
// Invariants: a world extends the core and cannot alter it.

import type { Json } from '../base/json.ts';
import type { RelationshipDefinition, Schema, TypeDefinition } from './types.ts';
import { anyObjectId, boolean, closed, integer, listOf, nullable, objectId, oneOf, openObject, text } from './schema-forms.ts';

const SEEN_BY_ALL = { agent: 'all', human: 'all', operator: 'all' } as const;

function coreType(description: string, state: Schema, relationships: { readonly [name: string]: RelationshipDefinition } = {}): TypeDefinition {
  return { description, state, unique: [], relationships, observe: SEEN_BY_ALL, scope: SEEN_BY_ALL };
}

const roles: Schema = listOf(text(64), 16);
const effects: Schema = listOf(closed({ action: text(128), target: anyObjectId() }, ['action', 'target']), 16);

/** What a task may require: effects that landed, and a condition over its subject. */
export const requirements: Schema = closed({ effects, condition: { format: 'condition' } as unknown as { readonly [key: string]: Json } }, []);

const attempt: Schema = closed(
  {
    id: objectId('ActionAttempt'),
    action: text(128),
    target: text(256),
    targetRevision: integer(0),
    parameters: openObject(),
    actor: anyObjectId(),
    task: nullable(objectId('Task')),
    predecessor: nullable(anyObjectId()),
    expectedOutcome: nullable(text(64)),
    outcome: openObject(),
    certainty: oneOf('none', 'in_doubt', 'landed', 'reverted'),
    status: oneOf('awaiting_approval', 'dispatched', 'settled'),
    correlationId: nullable(text(64)),
    epoch: integer(0),
    attemptCount: integer(0),
    refusedCount: integer(0),
    retry: openObject(),
    evidence: listOf(objectId('Evidence'), 32),
    permittedNext: listOf(openObject(), 8),
    manifest: text(80),
    createdAt: text(40),
    settledAt: nullable(text(40)),
  },
  ['id', 'action', 'target', 'actor', 'certainty', 'status'],
);

const approval: Schema = closed(
  {
    attempt: objectId('ActionAttempt'),
    action: text(128),
    target: anyObjectId(),
    targetRevision: integer(0),
    parameters: openObject(),
    proposer: anyObjectId(),
    task: nullable(objectId('Task')),
    status: oneOf('pending', 'granted', 'denied', 'expired', 'void', 'used'),
    role: text(64),
    rules: listOf(text(64), 16),
    expiresAt: text(40),
    decidedBy: nullable(anyObjectId()),
    decidedAt: nullable(text(40)),
    note: nullable(text(2000)),
    digest: text(80),
  },
  ['attempt', 'action', 'target', 'proposer', 'status', 'role', 'expiresAt', 'digest'],
);

const integration: Schema = closed(
  {
    status: oneOf('disconnected', 'connected', 'authentication_required', 'incompatible', 'unavailable'),
    adapter: text(32),
    endpoint: nullable(text(2048)),
    connection: integer(0),
    live: boolean(),
    retryAt: nullable(text(40)),
    cause: nullable(text(128)),
    settings: openObject(),
  },
  ['status', 'adapter', 'connection'],
);

const evidence: Schema = closed(
  {
    about: nullable(anyObjectId()),
    source: text(32),
    says: text(32),
    finding: text(2000),
    status: nullable(text(64)),
    code: nullable(text(64)),
    fields: openObject(),
    raw: nullable(text(80)),
    delivery: nullable(text(256)),
    correlationId: nullable(text(64)),
    foreign: boolean(),
    note: nullable(text(2000)),
    by: anyObjectId(),
    at: text(40),
  },
  ['source', 'by', 'at'],
);

const task: Schema = closed(
  {
    goal: text(2000),
    subject: nullable(anyObjectId()),
    requires: requirements,
    status: oneOf('open', 'completed', 'abandoned', 'incomplete'),
    openedAt: text(40),
    reasons: listOf(text(400), 16),
    askedHuman: nullable(text(40)),
    note: nullable(text(2000)),
  },
  ['goal', 'status', 'openedAt'],
);

export const CORE_TYPES: { readonly [type: string]: TypeDefinition } = {
  ActionAttempt: coreType('A recorded proposal, and what came of it', attempt),
  Agent: coreType('An agent that has proposed something', closed({ roles }, [])),
  Approval: coreType('A decision that a person is asked for', approval, { attempt: { cardinality: 'one', field: 'attempt', to: ['ActionAttempt'] } }),
  Budget: coreType(
    'A resource that effects spend',
    closed({ limit: integer(0), unit: text(32), period: oneOf('utc_day', 'forever') }, ['limit', 'unit', 'period']),
  ),
  Conversation: coreType('A conversation', closed({ subject: text(400) }, [])),
  Evidence: coreType('What the outside, or a person, said', evidence, { about: { cardinality: 'one', field: 'about', to: ['*'] } }),
  Integration: coreType('A connection to the outside', integration),
  Memory: coreType('Something that an agent wants to find again', closed({ text: text(4000), about: anyObjectId(), by: anyObjectId() }, ['text', 'by']), {
    about: { cardinality: 'one', field: 'about', to: ['*'] },
  }),
  Message: coreType('Something that was said', closed({ text: text(4000), conversation: anyObjectId(), by: anyObjectId() }, ['text', 'by']), {
    conversation: { cardinality: 'one', field: 'conversation', to: ['*'] },
  }),
  Operator: coreType('An operator who has proposed something', closed({ roles }, [])),
  Person: coreType('A person who has proposed something', closed({ roles }, [])),
  Task: coreType('Work with a subject, and what must be true for it to be done', task, { subject: { cardinality: 'one', field: 'subject', to: ['*'] } }),
};
