// What every view of a world's state must answer, whoever keeps it: one suite for the state in memory and for the SQLite store.
import { expect, it } from 'vitest';
import type { Change, StoredObject, Timer, WorldView } from '../../../src/kernel/index.ts';

export interface Kept extends WorldView {
  due(at: number, limit: number): readonly Timer[];
  nextTimerAt(): number | undefined;
}

/** Gives a fresh view to a test, with the means to change it. Relations: `Order.customer`. */
export type WithView = (test: (view: Kept, apply: (changes: readonly Change[]) => void) => void) => Promise<void>;

export const RELATIONS = { Order: ['customer'] } as const;

function object(id: string, changedIn: number, more: Partial<StoredObject> = {}): StoredObject {
  return {
    id,
    type: id.slice(0, id.indexOf(':')),
    revision: 1,
    state: {},
    owner: 'Operator:ops',
    createdBy: 'Operator:ops',
    createdAt: 5,
    createdIn: 1,
    changedIn,
    counters: {},
    mark: null,
    ...more,
  };
}

const ids = (objects: readonly StoredObject[]): readonly string[] => objects.map(({ id }) => id);

export function viewSuite(withView: WithView): void {
  it('answers what is not there with undefined and empty lists', () =>
    withView((view) => {
      expect(view.object('Order:1')).toBeUndefined();
      expect(view.cell('fence:x')).toBeUndefined();
      expect(view.referrers('Customer:a', 'Order', 'customer', 10)).toEqual([]);
      expect(view.marked('open', 10)).toEqual([]);
      expect(view.recent(10)).toEqual([]);
      expect(view.nextTimerAt()).toBeUndefined();
      expect(view.head().sequence).toBe(0);
    }));

  it('gives an object back as it was put, the later one over the earlier', () =>
    withView((view, apply) => {
      const first = object('Order:1', 2, { state: { text: 'é', nested: { list: [1, 'two', null, true] } }, mark: 'open', counters: { tries: 3 } });
      apply([{ put: first }]);
      expect(view.object('Order:1')).toEqual(first);
      const second = { ...first, revision: 2, changedIn: 3, state: { text: 'b' }, mark: null };
      apply([{ put: second }]);
      expect(view.object('Order:1')).toEqual(second);
      expect(view.marked('open', 10)).toEqual([]);
    }));

  it('lists a type by id, after an id, up to a limit, and nothing of a type whose name begins alike', () =>
    withView((view, apply) => {
      apply(['Order:b', 'Order:a', 'Order:c', 'Orders:a', 'Orde:z'].map((id) => ({ put: object(id, 1) })));
      expect(ids(view.ofType('Order', null, 10))).toEqual(['Order:a', 'Order:b', 'Order:c']);
      expect(ids(view.ofType('Order', 'Order:a', 1))).toEqual(['Order:b']);
    }));

  it('lists marks and changes in order of change, the newest first where asked so', () =>
    withView((view, apply) => {
      apply([{ put: object('Order:x', 7, { mark: 'open' }) }, { put: object('Order:y', 5, { mark: 'open' }) }, { put: object('Order:z', 6) }]);
      expect(ids(view.marked('open', 10))).toEqual(['Order:y', 'Order:x']);
      expect(ids(view.marked('open', 1))).toEqual(['Order:y']);
      expect(ids(view.changedAfter(5, 10))).toEqual(['Order:z', 'Order:x']);
      expect(ids(view.recent(2))).toEqual(['Order:x', 'Order:z']);
    }));

  it('follows to-one fields backwards, also when they move', () =>
    withView((view, apply) => {
      apply([{ put: object('Order:2', 1, { state: { customer: 'Customer:a' } }) }, { put: object('Order:1', 1, { state: { customer: 'Customer:a' } }) }]);
      expect(view.referrers('Customer:a', 'Order', 'customer', 10)).toEqual(['Order:1', 'Order:2']);
      expect(view.countReferrers('Customer:a', 'Order', 'customer', 1)).toBe(1);
      apply([{ put: object('Order:1', 2, { state: { customer: 'Customer:b' } }) }]);
      expect(view.referrers('Customer:a', 'Order', 'customer', 10)).toEqual(['Order:2']);
      expect(view.referrers('Customer:b', 'Order', 'customer', 10)).toEqual(['Order:1']);
    }));

  it('keeps cells of every JSON kind and forgets those set to null', () =>
    withView((view, apply) => {
      apply([
        { cell: 'a', value: 0 },
        { cell: 'b', value: ['x', { y: false }] },
        { cell: 'c', value: 'text' },
      ]);
      expect([view.cell('a'), view.cell('b'), view.cell('c')]).toEqual([0, ['x', { y: false }], 'text']);
      apply([{ cell: 'b', value: null }]);
      expect(view.cell('b')).toBeUndefined();
    }));

  it('gives timers that are due, soonest first; one per kind and object', () =>
    withView((view, apply) => {
      apply([{ timer: { kind: 'expiry', ref: 'Approval:1', at: 30 } }, { timer: { kind: 'read_back', ref: 'ActionAttempt:1', at: 10 } }]);
      apply([{ timer: { kind: 'expiry', ref: 'Approval:1', at: 20 } }]);
      expect(view.due(25, 10).map(({ at }) => at)).toEqual([10, 20]);
      expect(view.due(25, 1)).toHaveLength(1);
      expect(view.nextTimerAt()).toBe(10);
      apply([{ untimer: { kind: 'read_back', ref: 'ActionAttempt:1' } }]);
      expect(view.due(25, 10).map(({ ref }) => ref)).toEqual(['Approval:1']);
    }));
}
