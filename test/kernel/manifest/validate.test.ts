// Every defect of a manifest, planted in a copy of the refund desk; and what sealing promises.
import { describe, expect, it } from 'vitest';
import { canonical, seal, validateManifest, type Json, type Manifest } from '../../../src/kernel/index.ts';
import refundDesk from '../../../manifests/refund-desk/manifest.json' with { type: 'json' };

const text = canonical(refundDesk as unknown as Json);

/** A copy in which one value (by path) is another; undefined removes it. */
function planted(path: readonly (string | number)[], value: Json | undefined): Manifest {
  const copy = JSON.parse(text) as { [key: string]: unknown };
  const parent = path.slice(0, -1).reduce<unknown>((at, step) => Reflect.get(at as object, step), copy) as object;
  const last = path.at(-1) ?? '';
  if (value === undefined) Reflect.deleteProperty(parent, last);
  else Reflect.set(parent, last, value);
  return copy as unknown as Manifest;
}

const refund = ['actions', 'order.refund'] as const;

const DEFECTS: readonly (readonly [code: string, at: string, path: readonly (string | number)[], value: Json | undefined])[] = [
  ['unknown_keyword', '/types/Order/state', ['types', 'Order', 'state', 'surprise'], 1],
  ['object_not_closed', '/actions/ticket.open/input', ['actions', 'ticket.open', 'input', 'additionalProperties'], true],
  ['unknown_field', '/types/Order/unique', ['types', 'Order', 'unique'], ['charge']],
  ['unknown_field', '/types/Order/constant', ['types', 'Order', 'constant'], ['money']],
  ['unknown_type', '/types/Refund/relationships/order', ['types', 'Refund', 'relationships', 'order', 'to'], ['Purchase']],
  ['no_such_inverse', '/types/Order/relationships/refunds', ['types', 'Order', 'relationships', 'refunds', 'inverse', 'field'], 'purchase'],
  ['unknown_state', '/types/Ticket/lifecycle/initial', ['types', 'Ticket', 'lifecycle', 'initial'], 'new'],
  ['unknown_action', '/types/Ticket/lifecycle/moves/0', ['types', 'Ticket', 'lifecycle', 'moves', 0, 'action'], 'ticket.close'],
  ['unknown_role', '/types/Ticket', ['types', 'Ticket', 'scope', 'stranger'], 'all'],
  ['unknown_type', '/actions/order.refund/target', [...refund, 'target'], ['Purchase']],
  ['no_target', '/actions/order.refund/target', [...refund, 'target'], []],
  ['no_role_can_take_it', '/actions/order.refund/roles', [...refund, 'roles'], []],
  ['unknown_role', '/actions/order.refund/roles', [...refund, 'roles'], ['manager']],
  ['untreated_outcome', '/actions/order.refund/outcomes', [...refund, 'outcomes', 'OutcomeAmbiguous'], undefined],
  ['outcome_of_another_class', '/actions/order.refund/outcomes', [...refund, 'outcomes', 'TimedOut'], { changes: [], events: [] }],
  ['unknown_operator', '/actions/order.refund/rules/0/when', [...refund, 'rules', 0, 'when'], { nearly: [1, 2] }],
  ['not_a_reference', '/actions/ticket.resolve/related/order', ['actions', 'ticket.resolve', 'related', 'order'], 'target.order'],
  ['unknown_field', '/actions/order.refund/Succeeded/changes/0/colour', [...refund, 'outcomes', 'Succeeded', 'changes', 0, 'fields', 'colour'], 'red'],
  ['unknown_field', '/actions/order.refund/identity', [...refund, 'identity'], ['sum']],
  ['not_an_integer_input', '/actions/order.refund/amount', [...refund, 'amount'], 'note'],
  ['unknown_budget', '/actions/order.refund/spends', [...refund, 'spends'], 'gold'],
  ['no_try_left', '/actions/order.refund/retry', [...refund, 'retry', 'budget'], 0],
  ['effect_without_adapter', '/actions/order.refund/adapter', [...refund, 'adapter'], undefined],
  ['unknown_integration', '/actions/order.refund/adapter/integration', [...refund, 'adapter', 'integration'], 'bank'],
  ['unknown_operation', '/actions/order.refund/adapter/operation', [...refund, 'adapter', 'operation'], 'repay'],
  ['no_read_back', '/actions/customer.email/adapter/recovery', ['actions', 'customer.email', 'adapter', 'recovery'], 'read_back'],
  ['not_an_effect', '/actions/ticket.open/adapter', ['actions', 'ticket.open', 'adapter'], { integration: 'mail', operation: 'send', recovery: 'human' }],
  ['core_altered', '/actions/approval.grant', ['actions', 'approval.grant', 'class'], 'read'],
  ['core_missing', '/actions/task.reopen', ['actions', 'task.reopen'], undefined],
  ['no_such_law', '/actions/ticket.open', ['actions', 'ticket.open', 'core'], true],
  [
    'names_collide',
    '/actions/order_refund',
    ['actions', 'order_refund'],
    (refundDesk.actions as unknown as { readonly [name: string]: Json })['ticket.open'] ?? null,
  ],
  ['mandatory_frame_too_large', '/frame/maxBytes', ['frame', 'maxBytes'], 10_000],
];

describe('a manifest', () => {
  it('of the refund desk has no defects', () => {
    expect(validateManifest(JSON.parse(text) as Manifest)).toEqual({ errors: [], warnings: [] });
  });

  it.each(DEFECTS)('with the defect %s at %s is told so', (code, at, path, value) => {
    expect(validateManifest(planted(path, value)).errors).toContainEqual(expect.objectContaining({ code, path: at }));
  });

  it('with several defects tells all of them, in one order', () => {
    const manifest = planted([...refund, 'roles'], ['manager']);
    Reflect.set(manifest.actions['ticket.open'] ?? {}, 'target', ['Case']);
    const found = validateManifest(manifest).errors.map(({ path, code }) => `${path} ${code}`);
    expect(found).toContain('/actions/order.refund/roles unknown_role');
    expect(found).toContain('/actions/ticket.open/target unknown_type');
    expect(found).toEqual([...found].sort((a, b) => (a < b ? -1 : 1)));
  });

  it('with a rule that never changes is warned of', () => {
    expect(validateManifest(planted([...refund, 'rules', 0, 'when'], true)).warnings).toContainEqual(expect.objectContaining({ code: 'always_the_same' }));
  });

  it('shows the arithmetic of a frame that does not fit', () => {
    const [defect] = validateManifest(planted(['frame', 'maxBytes'], 10_000)).errors;
    expect(defect?.detail).toMatch(/^\d+ \+ \(2 \* 128 unresolved \+ 2 \* 64 approvals\) \* \d+ = \d+ bytes, above 10000$/);
  });
});

describe('sealing', () => {
  it('gives the same hash for the same bytes', () => {
    expect(seal(text).hash).toBe(seal(text).hash);
  });

  it('refuses what is defective, with all its defects, and what is not canonical', () => {
    const defective = canonical(planted([...refund, 'roles'], ['manager']) as unknown as Json);
    expect(() => seal(defective)).toThrow(expect.objectContaining({ code: 'defective', defects: [expect.objectContaining({ code: 'unknown_role' })] }));
    expect(() => seal(` ${text}`)).toThrow(expect.objectContaining({ code: 'not_canonical' }));
  });

  it('leaves no way to register, replace or extend anything', () => {
    const sealed = seal(text);
    const action = sealed.actions.get('order.refund');
    expect(() => (sealed.actions as Map<string, unknown>).set('refund_all', action)).toThrow(TypeError);
    expect(() => (sealed.actions as Map<string, unknown>).delete('order.refund')).toThrow(TypeError);
    expect(() => (sealed.actions as Map<string, unknown>).clear()).toThrow(TypeError);
    expect(() => ((action?.rules ?? []) as unknown[]).push({})).toThrow(TypeError);
    expect(() => Object.assign(action?.definition.input ?? {}, { properties: {} })).toThrow(TypeError);
    expect(() => Object.assign(sealed, { hash: 'other' })).toThrow(TypeError);
    expect(sealed.actions.size).toBe(Object.keys(refundDesk.actions).length);
  });

  it.each(['__proto__', 'constructor', 'toString'])('knows no action named %s', (name) => {
    expect(seal(text).actions.get(name)).toBeUndefined();
  });
});
