// A small history whose bytes are written down here: Node, workerd and a browser must come to the same head, today and after a change.
// Where this head moves, what old logs mean has moved: that needs a new semantics number (KERNEL_VERSION), and then a new head here.
import { describe, expect, it } from 'vitest';
import {
  canonical,
  CORE,
  decide,
  KERNEL_VERSION,
  makeRecord,
  MemoryState,
  relationFields,
  replay,
  type Input,
  type Json,
  type TransitionRecord,
} from '../../../src/kernel/index.ts';
import { prepare } from '../../../src/kernel/manifest/seal.ts';

const NOTHING = { changes: [], events: [] };

const MANIFEST: Json = {
  format: 1,
  kernel: 1,
  name: 'shelf',
  version: '1.0.0',
  description: 'Things on a shelf, “ü” and 😀',
  roles: CORE.roles as unknown as Json,
  types: {
    ...(CORE.types as unknown as { readonly [type: string]: Json }),
    Thing: {
      description: '',
      state: { type: 'object', additionalProperties: false, properties: { name: { type: 'string', minLength: 0, maxLength: 64 } }, required: ['name'] },
      unique: ['name'],
      relationships: {},
      observe: { agent: 'all' },
      scope: { agent: 'all' },
    },
  },
  actions: {
    ...(CORE.actions as unknown as { readonly [action: string]: Json }),
    'thing.make': {
      description: '',
      target: ['Thing'],
      creates: true,
      class: 'internal',
      roles: ['agent'],
      input: { type: 'object', additionalProperties: false, properties: { name: { type: 'string', minLength: 0, maxLength: 64 } }, required: ['name'] },
      secrets: [],
      related: {},
      rules: [{ name: 'named', description: '', when: { ne: ['$args.name', ''] } }],
      approvals: [],
      identity: [],
      fence: 'target',
      retry: { budget: 0, ceiling: 0 },
      outcomes: {
        Succeeded: {
          changes: [{ create: 'Thing', as: 'target', fields: { name: '$args.name' } }],
          events: [{ name: 'thing.made', data: { name: '$args.name' } }],
        },
        Rejected: NOTHING,
        Blocked: NOTHING,
        Cancelled: NOTHING,
      },
    },
  },
  budgets: { shelf: { description: '', limit: 3, unit: 'things', period: 'forever' } },
  adapters: {},
  frame: { maxBytes: 1000, rank: [] },
  limits: { unresolvedMax: 1, approvalsMax: 1, refusalsPerActorDay: 10, refusalsInARowPerTask: 5 },
  audit: { evidenceDays: 1, receipts: [] },
  compatibleStateVersions: ['1.0.0'],
  scenarios: [],
};

const HEAD_HASH = 'sha256:7a5294d752293afdb089f49ab051d4d85d5570f18dcb5056ef90fc57e6b6d737';

const actor = { id: 'Agent:one', roles: ['agent'] };
const birth = { tenant: 'acme', world: 'shelf', birthId: 'ab'.repeat(32) };

function make(at: number, name: string): Input {
  return {
    kind: 'proposal',
    at,
    actor,
    action: 'thing.make',
    target: 'Thing',
    expectedRevision: 0,
    observed: { kind: 'seen', sequence: 1, subject: '*' },
    parameters: { valid: true, value: { name } },
    expectedOutcome: null,
    task: null,
    predecessor: null,
    facts: {},
  };
}

describe('a history that is written down', () => {
  const sealed = prepare(canonical(MANIFEST));
  const state = new MemoryState({ ...birth, relations: relationFields(sealed.manifest) });
  const log: TransitionRecord[] = [];
  const inputs: readonly Input[] = [
    { kind: 'genesis', at: 1_796_112_000_000, actor, ...birth },
    make(1_796_112_000_001, 'ünï 😀 \u2028'),
    make(1_796_112_000_002, ''),
    make(1_796_112_000_002, 'ünï 😀 \u2028'),
    { kind: 'clock', at: 1_796_112_000_003, due: [] },
  ];
  for (const input of inputs) {
    const decision = decide(sealed, state, input);
    const { record } = makeRecord(state.head(), sealed.hash, input, decision);
    state.apply(decision.changes, { sequence: record.sequence, hash: record.hash, at: input.at });
    log.push(record);
  }

  it('is decided under the semantics that the head was written down for', () => {
    expect(KERNEL_VERSION).toBe(1);
    expect(log.map(({ decision }) => (decision['outcome'] as { readonly code?: string } | null)?.code)).toEqual([
      undefined,
      undefined,
      'precondition_failed',
      'precondition_failed',
      undefined,
    ]);
  });

  it('has the head hash that it always had', () => {
    expect(state.head()).toEqual({ sequence: 5, hash: HEAD_HASH, at: 1_796_112_000_003 });
    expect(replay(sealed, log).head.hash).toBe(HEAD_HASH);
  });
});
