// What sealing promises: the same bytes, everything frozen, nothing registered, nothing defective governs a world.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical, canonicalDefect, DefectiveManifest, digest, seal, validateManifest, type Json } from '../../../src/kernel/index.ts';
import { prepare } from '../../../src/kernel/manifest/seal.ts';
import { at, desk, deskText, place, plant, type Place } from './planted.ts';

const sealed = seal(deskText);
const refund = sealed.actions.get('order.refund');

/** Everything that can be reached from a value by own properties. */
function reachable(value: unknown, seen = new Set<object>()): ReadonlySet<object> {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return seen;
  seen.add(value);
  for (const key of Reflect.ownKeys(value)) reachable(Reflect.get(value, key), seen);
  return seen;
}

describe('sealing', () => {
  it('twice gives the same bytes and the same hash, which is theirs', () => {
    const again = seal(deskText);
    expect(again.text).toBe(sealed.text);
    expect(again.hash).toBe(sealed.hash);
    expect(sealed.hash).toBe(digest(desk()));
    expect(canonical(again.manifest as unknown as Json)).toBe(deskText);
  });

  it('takes the hash that is asked for, and no other', () => {
    expect(seal(deskText, sealed.hash).hash).toBe(sealed.hash);
    expect(() => seal(deskText, digest('other'))).toThrow(expect.objectContaining({ code: 'hash_differs' }));
  });

  it.each([
    ['what is no JSON', 'manifest', 'not_json'],
    ['what is not canonical', ` ${deskText}`, 'not_canonical'],
    ['what has floats', '{"kernel":1.5}', 'not_a_safe_integer'],
    ['what is no manifest', '{}', 'defective'],
  ])('refuses %s', (_what, text, code) => {
    expect(() => seal(text)).toThrow(expect.objectContaining({ code }));
  });

  it('refuses what is defective with all that is wrong', () => {
    const broken = plant(plant(desk(), place('actions order.refund roles'), ['manager']), place('surprise'), 1);
    const defects = validateManifest(broken).errors;
    expect(defects).toHaveLength(2);
    expect(() => seal(canonical(broken))).toThrow(DefectiveManifest);
    expect(() => seal(canonical(broken))).toThrow(expect.objectContaining({ code: 'defective', defects }));
  });
});

describe('a sealed world', () => {
  it('is frozen as deep as it goes', () => {
    const open = [...reachable(sealed), ...[...sealed.actions.values()].flatMap((action) => [...reachable(action)])];
    const prototypes = new Set<object>([Function.prototype, Object.prototype]);
    const loose = open.filter((value) => !Object.isFrozen(value) && typeof value !== 'function' && !prototypes.has(value));
    expect(loose).toEqual([]);
  });

  it('takes no further action, by any trick', () => {
    const actions = sealed.actions as Map<string, unknown>;
    expect(() => actions.set('order.take', refund)).toThrow(TypeError);
    expect(() => Map.prototype.set.call(actions, 'order.take', refund)).toThrow(TypeError);
    expect(() => Map.prototype.delete.call(actions, 'order.refund')).toThrow(TypeError);
    expect(() => Map.prototype.clear.call(actions)).toThrow(TypeError);
    expect(() => Object.assign(actions, { get: () => refund })).toThrow(TypeError);
    expect(() => Map.prototype.set.call(refund?.treatments, 'Rejected', refund?.treatments.get('Succeeded'))).toThrow(TypeError);
    expect(sealed.actions.size).toBe(Object.keys(sealed.manifest.actions).length);
  });

  it.each<readonly [what: string, change: () => unknown]>([
    ['a schema', () => Object.assign(sealed.manifest.types['Order'] ?? {}, { state: {} })],
    ['the schema of parameters', () => Object.assign(refund?.definition.input ?? {}, { properties: {} })],
    ['a field of a schema', () => Reflect.defineProperty((refund?.definition.input['properties'] ?? {}) as object, 'amountCents', { value: {} }) || thrown()],
    ['a rule', () => ((refund?.rules ?? []) as unknown[]).push({})],
    ['what a rule says', () => Object.assign(refund?.rules[0]?.node ?? {}, { kind: 'constant', value: true })],
    ['an approval', () => Object.assign(refund?.approvals[0] ?? {}, { role: 'agent' })],
    ['what an outcome changes', () => ((refund?.treatments.get('Succeeded')?.changes ?? []) as unknown[]).pop()],
    ['a limit', () => Object.assign(sealed.manifest.limits, { unresolvedMax: 1_000_000 })],
    ['an action', () => Object.assign(refund ?? {}, { validate: () => [] })],
    ['its hash', () => Object.assign(sealed, { hash: 'other' })],
  ])('lets nobody replace %s', (_what, change) => {
    expect(change).toThrow(TypeError);
  });

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])('knows no action called `%s`', (name) => {
    expect(sealed.actions.get(name)).toBeUndefined();
    expect(sealed.actions.has(name)).toBe(false);
  });

  it('has every action, parsed', () => {
    expect([...sealed.actions.keys()]).toEqual(Object.keys(sealed.manifest.actions));
    expect([...sealed.actions].map(([name, action]) => name === action.name)).not.toContain(false);
    expect(refund?.rules.map(({ name }) => name)).toEqual(['within_remaining', 'line_is_recorded']);
    expect(refund?.approvals.map(({ name }) => name)).toEqual(['large_refunds_need_a_human', 'second_refund_needs_a_human', 'fraud_claims_need_a_human']);
    expect([...(refund?.treatments.keys() ?? [])].sort()).toEqual([...Object.keys(refund?.definition.outcomes ?? {}), 'progressed', 'reverted'].sort());
  });

  it('knows which conditions are causal: what rules read of target, task and related objects, and nothing else', () => {
    expect(refund?.causalPaths.map(({ text }) => text)).toEqual(['$target.lines', '$target.totalCents']);
    const email = sealed.actions.get('customer.email');
    expect(email?.causalPaths.map(({ text }) => text)).toEqual([
      '$target.optedOut',
      '$related.replied.customer',
      '$related.thread.customer',
      '$related.thread.id',
      '$target.id',
    ]);
    expect(email?.related.map(({ name }) => name)).toEqual(['replied', 'thread']);
  });

  it('checks parameters by the schema of the action', () => {
    expect(refund?.validate({ amountCents: 1, reason: 'duplicate' })).toEqual([]);
    expect(refund?.validate({ amountCents: 0, reason: 'no', surprise: 1 })).toEqual([
      { path: '/amountCents', code: 'minimum' },
      { path: '/reason', code: 'enum' },
      { path: '/surprise', code: 'unknown_field' },
    ]);
  });
});

function thrown(): never {
  throw new TypeError('refused');
}

// ---- any change of any place

function placesOf(json: Json, prefix: Place = []): readonly Place[] {
  if (typeof json !== 'object' || json === null) return [prefix];
  return [prefix, ...Object.entries(json).flatMap(([key, value]) => placesOf(value as Json, [...prefix, Array.isArray(json) ? Number(key) : key]))];
}

const PLACES = placesOf(desk()).filter((where) => where.length > 0);
/** Parts of the manifest itself, to stand where they do not belong. */
const PARTS = PLACES.map((where) => at(desk(), where) ?? null).filter((value) => canonical(value).length < 1_000);
const values: fc.Arbitrary<Json | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.constantFrom<Json>(null, true, 0, -1, 1_000_000_000, '', 'x', '$target.id', '$$', '*', 'all', '__proto__', [], {}, [''], { all: [] }, { type: 'string' }),
  fc.constantFrom(...PARTS),
  fc.jsonValue({ maxDepth: 3 }).map((value) => value as Json),
);

describe('whatever is changed in a manifest', () => {
  it('is judged without a fault, and seals where it has no defect', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PLACES), values, (where, value) => {
        const changed = plant(desk(), where, value);
        const { errors } = validateManifest(changed);
        if (errors.length === 0) expect(prepare(canonical(changed)).actions.size).toBeGreaterThan(0);
        else expect(errors.every(({ path }) => path === '' || path.startsWith('/'))).toBe(true);
        if (canonicalDefect(changed) !== undefined) expect(errors.length).toBeGreaterThan(0);
      }),
      { numRuns: 150 },
    );
  });
});
