// The core module: a law for each of its actions and for nothing else, in every manifest the same, and as docs/http.md lists it.
import { describe, expect, it } from 'vitest';
import { CORE, coreFor, schemaDefects, TREATED, validateManifest, type Json } from '../../../src/kernel/index.ts';
import { LAWS } from '../../../src/kernel/transition/laws/index.ts';
import { at, desk, place, plant, type Place } from './planted.ts';

const actions = Object.entries(CORE.actions);

/** docs/http.md "Core actions, in every world": target (+ where it is created), who, required and optional parameters. */
const TABLE: { readonly [action: string]: readonly [target: string, who: string, required: string, optional: string] } = {
  'task.open': ['+Task', 'human operator', 'goal', 'requires subject'],
  'task.complete': ['Task', 'agent human', '', 'note'],
  'task.abandon': ['Task', 'agent human', '', 'note'],
  'task.ask_human': ['Task', 'agent human', '', 'note'],
  'task.reopen': ['Task', 'human', '', 'note'],
  'approval.grant': ['Approval', 'agent human operator', '', 'note'],
  'approval.deny': ['Approval', 'agent human operator', '', 'note'],
  'attempt.read_back': ['ActionAttempt', 'agent human', '', ''],
  'attempt.reconcile': ['ActionAttempt', 'human', 'finding note', ''],
  'attempt.accept_conflict': ['ActionAttempt', 'human', 'note', ''],
  'attempt.allow_retries': ['ActionAttempt', 'human', 'additional note', ''],
  'attempt.cancel': ['ActionAttempt', 'agent human', '', 'note'],
  'integration.connect': ['Integration', 'operator', 'credential endpoint webhookSecret', 'settings'],
  'integration.disconnect': ['Integration', 'operator', '', 'note'],
  'evidence.record': ['*', 'human', 'finding', 'note'],
  'budget.set': ['Budget', 'operator', 'limit', ''],
  'message.post': ['+Message', 'agent human', 'text', 'conversation'],
  'memory.record': ['+Memory', 'agent human', 'text', 'about'],
};

describe('the core module', () => {
  it('has exactly the actions of the contract', () => {
    const found = Object.fromEntries(
      actions.map(([name, action]) => {
        const fields = Object.keys(action.input['properties'] as object).sort();
        const required = action.input['required'] as readonly string[];
        const target = `${action.creates === true ? '+' : ''}${action.target.join(' ')}`;
        const optional = fields.filter((field) => !required.includes(field));
        return [name, [target, [...action.roles].sort().join(' '), [...required].sort().join(' '), optional.join(' ')]];
      }),
    );
    expect(found).toEqual(TABLE);
  });

  it('has a law for each action that says so, and no law for any other', () => {
    const core = actions.flatMap(([name, action]) => (action.core === true ? [name] : []));
    expect([...LAWS.keys()].sort()).toEqual(core.sort());
    expect(actions.flatMap(([name, action]) => (action.core === true ? [] : [name]))).toEqual(['memory.record', 'message.post']);
  });

  it.each(actions)('has parameters of the closed subset, and a treatment for each outcome: %s', (_name, action) => {
    expect(schemaDefects(action.input, '')).toEqual([]);
    expect(Object.keys(action.outcomes).sort()).toEqual([...TREATED[action.class]].sort());
  });

  it('keeps secrets out of what is stored, and settings to those of the contracts', () => {
    const connect = coreFor([{ settings: { from: { description: '', default: 'a', pattern: '^a$' } } }, { settings: {} }]).actions['integration.connect'];
    expect(connect?.secrets).toEqual(['credential', 'webhookSecret']);
    expect(at(connect?.input ?? null, place('properties settings properties'))).toEqual({ from: { type: 'string', minLength: 1, maxLength: 512 } });
    expect(coreFor([{ settings: {} }])).toBe(CORE);
  });
});

function placesOf(json: Json, prefix: Place): readonly Place[] {
  if (typeof json !== 'object' || json === null) return [prefix];
  return [prefix, ...Object.entries(json).flatMap(([key, value]) => placesOf(value as Json, [...prefix, Array.isArray(json) ? Number(key) : key]))];
}

/** A world says these of the core: who sees its objects, who takes its actions. */
function isTheWorlds([section, , part]: Place): boolean {
  return (section === 'types' && (part === 'observe' || part === 'scope')) || (section === 'actions' && part === 'roles');
}

describe('a world', () => {
  const named = (['roles', 'types', 'actions'] as const).flatMap((section) => Object.keys(CORE[section]).map((name) => [section, name] as const));

  it.each(named)('can alter nothing of the core: %s %s', (section, name) => {
    const places = placesOf(at(desk(), [section, name]) ?? null, [section, name]).filter((where) => !isTheWorlds(where));
    // Every seventh place keeps the time down; over all names each kind of place is met.
    for (const where of places.filter((_, index) => index % 7 === 0)) {
      const { errors } = validateManifest(plant(desk(), where, undefined));
      expect(errors.map(({ path }) => path).filter((path) => path.startsWith(`/${section}/${name}`))).not.toEqual([]);
    }
    const { errors } = validateManifest(plant(desk(), [section, name, 'surprise'], 1));
    expect(errors.map(({ code }) => code)).toContain('core_altered');
  });
});
