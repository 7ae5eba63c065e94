// Responsibility: the actions of the core module (docs/http.md "Core actions, in every world").
// Boundary: data; `core: true` names a law in transition/laws.
// Invariants: every core action has a treatment for each outcome of its class; a world cannot alter them.

import { anyObjectId, closed, integer, oneOf, text } from './schema-forms.ts';
import { requirements } from './core-types.ts';
import type { ActionDefinition, Schema, Treatment } from './types.ts';

const NOTHING: Treatment = { changes: [], events: [] };
const INTERNAL = { Succeeded: NOTHING, Rejected: NOTHING, Blocked: NOTHING, Cancelled: NOTHING };
const READ = { ...INTERNAL, FailedTransiently: NOTHING, FailedPermanently: NOTHING, TimedOut: NOTHING, ProtocolViolated: NOTHING, Incompatible: NOTHING };

const AGENT_HUMAN = ['agent', 'human'];
const EVERYONE = ['agent', 'human', 'operator'];
const note = closed({ note: text(2000) }, []);
/** Where a person answers for what they settle, they say why. */
const reason = text(2000, 1);

type Parts = Pick<ActionDefinition, 'description' | 'target' | 'roles' | 'input'> & Partial<ActionDefinition>;

function law(parts: Parts): ActionDefinition {
  return {
    core: true,
    class: 'internal',
    secrets: [],
    related: {},
    rules: [],
    approvals: [],
    identity: [],
    fence: 'target',
    retry: { budget: 0, ceiling: 0 },
    outcomes: INTERNAL,
    ...parts,
  };
}

const on = (target: string, roles: readonly string[], description: string, input: Schema = note): ActionDefinition =>
  law({ description, target: [target], roles, input });

/** Creations without a law: the kernel needs nothing of them but the object. */
function creates(
  type: string,
  description: string,
  parts: { readonly input: Schema; readonly fields: { readonly [field: string]: string } },
): ActionDefinition {
  const { core: _core, ...base } = law({ description, target: [type], roles: AGENT_HUMAN, input: parts.input, creates: true });
  return { ...base, outcomes: { ...INTERNAL, Succeeded: { changes: [{ create: type, as: 'target', fields: parts.fields }], events: [] } } };
}

const finding = { finding: text(2000, 1), note: text(2000) };

export const CORE_ACTIONS: { readonly [action: string]: ActionDefinition } = {
  'approval.deny': on('Approval', EVERYONE, 'Deny what is asked; it binds until there is new evidence'),
  'approval.grant': on('Approval', EVERYONE, 'Grant exactly what is asked; it then runs once'),
  'attempt.accept_conflict': on('ActionAttempt', ['human'], 'Close a contradiction between two pieces of evidence', closed({ note: reason }, ['note'])),
  'attempt.allow_retries': on(
    'ActionAttempt',
    ['human'],
    'Allow further tries of this kind',
    closed({ additional: integer(1, 10), note: reason }, ['additional', 'note']),
  ),
  'attempt.cancel': on('ActionAttempt', AGENT_HUMAN, 'Withdraw an attempt that has not been sent'),
  'attempt.read_back': law({
    description: 'Ask the provider whether an effect in doubt happened',
    target: ['ActionAttempt'],
    roles: AGENT_HUMAN,
    input: closed({}, []),
    class: 'read',
    outcomes: READ,
  }),
  'attempt.reconcile': on(
    'ActionAttempt',
    ['human'],
    'Say what a person found out about an effect in doubt',
    closed({ finding: oneOf('landed', 'not_happened'), note: reason }, ['finding', 'note']),
  ),
  'budget.set': on('Budget', ['operator'], 'Set the limit of a budget', closed({ limit: integer(0, 1_000_000_000_000) }, ['limit'])),
  'evidence.record': on('*', ['human'], 'Record what a person found out about an object', closed(finding, ['finding'])),
  'integration.connect': law({
    description: 'Connect an integration to its provider, or connect it anew',
    target: ['Integration'],
    roles: ['operator'],
    input: closed({ endpoint: text(2048, 1), credential: text(4096, 1), webhookSecret: text(512, 1), settings: closed({}, []) }, [
      'endpoint',
      'credential',
      'webhookSecret',
    ]),
    secrets: ['credential', 'webhookSecret'],
  }),
  'integration.disconnect': on('Integration', ['operator'], 'Disconnect an integration and forget its secrets'),
  'memory.record': creates('Memory', 'Remember something', {
    input: closed({ text: text(4000, 1), about: anyObjectId() }, ['text']),
    fields: { text: '$args.text', about: '$args.about', by: '$actor.id' },
  }),
  'message.post': creates('Message', 'Say something', {
    input: closed({ text: text(4000, 1), conversation: anyObjectId() }, ['text']),
    fields: { text: '$args.text', conversation: '$args.conversation', by: '$actor.id' },
  }),
  'task.abandon': on('Task', AGENT_HUMAN, 'Give a task up, honestly'),
  'task.ask_human': on('Task', AGENT_HUMAN, 'Say that a person is needed'),
  'task.complete': on('Task', AGENT_HUMAN, 'Complete a task whose requirements are met'),
  'task.open': law({
    description: 'Open a task',
    target: ['Task'],
    creates: true,
    roles: ['human', 'operator'],
    input: closed({ goal: text(2000, 1), subject: anyObjectId(), requires: requirements }, ['goal']),
  }),
  'task.reopen': on('Task', ['human'], 'Open a task again'),
};
