// What a definition names is checked by the compiler, and what is left out has a default that can be read in the manifest.
import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { mail } from '../../src/adapters/contracts/mail.ts';
import { compileWorld } from '../../src/authoring/compile-world.ts';
import { defineWorld, type AuthoredWorld, type Names } from '../../src/authoring/define.ts';
import type { WorldSource } from '../../src/authoring/world-source.ts';
import { CORE, seal, validateManifest } from '../../src/kernel/index.ts';

const head = { name: 'shelf', version: '1.0.0', description: 'Things on a shelf' };
const thing = { description: 'A thing', state: z.object({ name: z.string().max(64), status: z.enum(['new', 'sold']) }) };
const make = { description: 'Make a thing', roles: ['human'], input: z.object({ name: z.string().max(64) }), creates: 'Thing' } as const;
const fields = { name: '$args.name', status: 'new' };

function shelf(): WorldSource {
  return defineWorld({
    ...head,
    types: {
      Thing: {
        ...thing,
        lifecycle: { field: 'status', initial: 'new', states: ['new', 'sold'], moves: [{ action: 'thing.sell', from: ['new'], to: ['sold'] }] },
        observe: { agent: ['name'], human: 'all', keeper: 'all' },
        scope: { agent: 'all', human: 'all', keeper: 'own' },
      },
    },
    roles: { keeper: { kinds: ['Person'], observes: false, choosesIds: true, readsLog: false, readsEvidence: false } },
    actions: {
      'thing.make': { ...make, changes: [{ create: 'Thing', as: 'target', fields }] },
      'thing.sell': {
        description: 'Sell it',
        on: ['Thing'],
        roles: ['agent', 'keeper'],
        input: z.object({ cents: z.int().min(1).max(1000) }),
        approvals: [{ name: 'keeper_agrees', description: '', when: { gt: ['$args.cents', 100] }, role: 'keeper', expiresAfterMs: 1000 }],
        effect: {
          adapter: { integration: 'mail', operation: 'send' },
          identity: ['cents'],
          amount: 'cents',
          spends: 'sales',
          retry: { budget: 1, ceiling: 1 },
        },
        changes: [{ set: '$target', fields: { status: 'sold' } }],
      },
    },
    budgets: { sales: { description: '', limit: 1000, unit: 'cents', period: 'forever' } },
    adapters: { mail: { ...mail, operations: { send: { ...operation(), body: [] } } } },
    core: { roles: { 'approval.grant': ['keeper'], 'approval.deny': ['keeper'], 'task.open': ['agent'] }, types: { Task: { scope: { agent: 'own' } } } },
    receipts: ['thing.sell'],
  });
}

function operation(): NonNullable<(typeof mail)['operations'][string]> {
  const { send } = mail.operations;
  if (send === undefined) throw new Error('mail sends');
  return send;
}

describe('a definition', () => {
  test('compiles to a manifest without errors, the same bytes each time', () => {
    const [one, two] = [compileWorld(shelf()), compileWorld(shelf())];
    expect(validateManifest(one.manifest).errors).toEqual([]);
    expect(two).toEqual(one);
    expect(seal(one.text, one.hash).actions.size).toBe(Object.keys(CORE.actions).length + 2);
  });

  test('without a recovery leaves doubt to a person, and without anything else has defaults that stand in the manifest', () => {
    const { manifest } = compileWorld(shelf());
    expect(manifest.actions['thing.sell']).toMatchObject({ adapter: { recovery: 'human' }, fence: 'target', class: 'effect', secrets: [] });
    expect(manifest.actions['thing.make']).toMatchObject({ class: 'internal', rules: [], approvals: [], retry: { budget: 0, ceiling: 0 } });
    expect(manifest.limits).toEqual({ unresolvedMax: 128, approvalsMax: 64, refusalsPerActorDay: 1000, refusalsInARowPerTask: 50 });
  });

  test('says who else takes the core’s actions and sees its objects, and of its laws nothing', () => {
    const { manifest } = compileWorld(shelf());
    expect(manifest.actions['approval.grant']?.roles).toEqual(['agent', 'human', 'operator', 'keeper']);
    expect(manifest.actions['task.open']?.roles).toEqual(['human', 'operator', 'agent']);
    expect(manifest.types['Task']?.scope).toEqual({ agent: 'own', human: 'all', operator: 'all', keeper: 'all' });
    expect({ ...manifest.actions['approval.grant'], roles: [] }).toEqual({ ...CORE.actions['approval.grant'], roles: [] });
  });

  test('cannot take a name of the core', () => {
    const source = shelf();
    const action = source.actions['thing.make'];
    if (action === undefined) throw new Error('defined above');
    expect(() => compileWorld({ ...source, actions: { 'task.open': action } })).toThrow('task.open belongs to the core module');
    expect(() => compileWorld({ ...source, core: { roles: { 'task.close': ['agent'] } } })).toThrow('the core module has no task.close');
  });
});

test('what is misspelt does not compile', () => {
  const types = { Thing: thing };
  const sell = { description: 'Sell', roles: ['agent'], on: ['Thing'], input: z.object({}) } as const;
  const actions = { 'thing.sell': sell };
  const moves = <Action extends string>(action: Action) =>
    ({ field: 'status', initial: 'new', states: ['new'], moves: [{ action, from: ['new'], to: ['new'] }] }) as const;
  const cases = (): void => {
    defineWorld({ ...head, types, actions, receipts: ['thing.sell'] });
    defineWorld({ ...head, types: { Thing: { ...thing, lifecycle: moves('thing.sell') } }, actions });
    // @ts-expect-error no such receipt
    defineWorld({ ...head, types, actions, receipts: ['thing.sel'] });
    // @ts-expect-error no such type
    defineWorld({ ...head, types, actions: { 'thing.sell': { ...sell, on: ['Thign'] } } });
    // @ts-expect-error no such type to create
    defineWorld({ ...head, types, actions: { 'thing.sell': { ...make, creates: 'Thign' } } });
    // @ts-expect-error no such role
    defineWorld({ ...head, types, actions: { 'thing.sell': { ...sell, roles: ['agnet'] } } });
    // @ts-expect-error no such role in a scope
    defineWorld({ ...head, types: { Thing: { ...thing, scope: { agnet: 'all' } } }, actions });
    // @ts-expect-error no such action in a lifecycle
    defineWorld({ ...head, types: { Thing: { ...thing, lifecycle: moves('thing.sel') } }, actions });
    // @ts-expect-error no such type of a relationship
    defineWorld({ ...head, types: { Thing: { ...thing, relationships: { next: { cardinality: 'one', field: 'name', to: ['Thign'] } } } }, actions });
  };
  expectTypeOf(cases).toBeFunction();
  expectTypeOf<AuthoredWorld<Names>['types']>().toBeObject();
});

test('an effect names a budget and an integration that are there', () => {
  const effect = { adapter: { integration: 'mail', operation: 'send' }, identity: [], retry: { budget: 1, ceiling: 1 } } as const;
  const sell = { description: 'Sell', roles: ['agent'], on: ['Thing'], input: z.object({}), effect } as const;
  const elsewhere = { ...effect, adapter: { integration: 'mial', operation: 'send' } } as const;
  const spending = { ...effect, spends: 'sales' } as const;
  const world = { ...head, types: { Thing: thing }, adapters: { mail } };
  const cases = (): void => {
    defineWorld({ ...world, actions: { 'thing.sell': sell } });
    // @ts-expect-error no such integration
    defineWorld({ ...world, actions: { 'thing.sell': { ...sell, effect: elsewhere } } });
    // @ts-expect-error no such budget
    defineWorld({ ...world, actions: { 'thing.sell': { ...sell, effect: spending } } });
  };
  expectTypeOf(cases).toBeFunction();
});
