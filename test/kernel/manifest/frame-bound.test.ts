// The worst case of the mandatory core: entries of a world in which everything is as long as it can be, against the terms of the bound.
import { describe, expect, it } from 'vitest';
import { canonical, DAY_MS, frameTerms, mandatoryBytes, type Bounded, type Frame, type Json, type JsonObject } from '../../../src/kernel/index.ts';
import { ann, bob, Desk, ops, sealedDesk } from '../transition/desk.ts';
import { withLimits } from '../transition/edited.ts';

const { manifest } = sealedDesk;
const bounded: Bounded = {
  frame: manifest.frame,
  limits: manifest.limits,
  types: new Map(Object.entries(manifest.types)),
  actions: new Map(Object.entries(manifest.actions)),
  budgets: new Map(Object.entries(manifest.budgets)),
  adapters: new Map(Object.entries(manifest.adapters)),
};

function bytesOfTerm(section: string): number {
  const found = frameTerms(bounded).find((term) => term.section.startsWith(section));
  if (found === undefined) throw new Error(`no term for ${section}`);
  return found.bytes;
}

/** Bytes in UTF-8, with the comma that follows. */
const bytes = (value: unknown): number => new TextEncoder().encode(canonical(value as Json)).length + 1;

const long = (type: string, name: string): string => `${type}:${name}${'x'.repeat(128 - name.length)}`;
/** Each is six bytes in JSON. */
const control = (length: number): string => '\u0001'.repeat(length);
const CUSTOMER = long('Customer', 'c');
const TASK = long('Task', 't');
const boss = { id: long('Operator', 'boss'), roles: ['human'] };

function fullWorld(): Desk {
  const desk = new Desk();
  for (const name of ['payments', 'mail']) desk.connect(name);
  desk.must('customer.register', CUSTOMER, { name: control(200), email: 'kim@customers.test' }, { by: ann });
  for (const name of 'abcdef') {
    const lines = [{ id: control(64), totalCents: 100_000 }];
    const order = { customer: CUSTOMER, chargeId: `ch_${name}`, currency: 'eur', totalCents: 100_000_000, lines };
    desk.must('order.record', long('Order', name), order, { by: ops });
  }
  desk.must('task.open', TASK, { goal: control(2000), subject: CUSTOMER }, { by: bob });
  return desk;
}

const parameters: JsonObject = { line: control(64), note: control(500) };

function ofEverySection(): Frame {
  const desk = fullWorld();
  const asked = { by: boss, task: TASK, parameters };
  const landed = desk.refund(long('Order', 'a'), 1000, asked).attempt;
  desk.evidence(landed, 'landed');
  desk.doubted(long('Order', 'b'), 1001, asked);
  const conflict = desk.notHappened(long('Order', 'c'), 1002, asked);
  desk.webhook(conflict, 'landed');
  desk.parked(long('Order', 'd'), 9000, asked);
  desk.pass(1000);
  const granted = desk.parked(long('Order', 'e'), 9001, asked);
  desk.evidence(desk.refund(long('Order', 'f'), 1003, asked).attempt, 'login_lost', { code: 'x'.repeat(64) });
  desk.must('approval.grant', granted.approval, {}, { by: ann });
  return desk.frame({ focus: long('Order', 'a'), task: TASK });
}

describe('the bound of the mandatory core', () => {
  const frame = ofEverySection();
  const SECTIONS = [
    ['unresolved', frame.unresolved, 'unresolved'],
    ['approvals', frame.approvals, 'approvals'],
    ['completed', frame.completed, 'completed'],
    ['evidence', frame.evidence, 'evidence'],
    ['budgets', frame.budgets, 'budgets'],
    ['blockers of effects', frame.blockers.filter(({ code }) => code === 'in_doubt' || code === 'in_flight' || code === 'conflict'), 'blockers in doubt'],
    ['blockers of approvals', frame.blockers.filter((entry) => 'approval' in entry), 'blockers of approvals'],
    ['blockers of integrations', frame.blockers.filter(({ target }) => String(target).startsWith('Integration:')), 'integrations'],
  ] as const;

  it.each(SECTIONS)('is above the longest entries of %s, and not far', (_section, entries, term) => {
    expect(entries.length).toBeGreaterThan(0);
    const largest = Math.max(...entries.map(bytes));
    expect(largest).toBeLessThanOrEqual(bytesOfTerm(term));
    expect(largest).toBeGreaterThan(bytesOfTerm(term) / 4);
  });

  it('has a code for every entry: conflicts, doubts, approvals that wait, that were granted', () => {
    expect(frame.blockers.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['conflict', 'in_doubt', 'approval_required', 'approved_not_run', 'authentication_required']),
    );
  });

  it('counts all that a frame can hold where the limits are met: doubts beside conflicts, open approvals beside expired ones', () => {
    const desk = Desk.open(withLimits({ unresolvedMax: 1, approvalsMax: 1 }));
    for (const name of ['Order:2', 'Order:3', 'Order:4']) desk.order(name);
    const found = desk.notHappened('Order:2', 1000);
    desk.webhook(found, 'landed');
    desk.parked('Order:4', 9000);
    desk.pass(DAY_MS + 1);
    desk.parked('Order:1', 9000);
    desk.doubted('Order:3', 1000);
    const { blockers } = desk.frame({ focus: 'Order:1' });
    const terms = frameTerms({ ...bounded, limits: desk.sealed.manifest.limits });
    const counts = Object.fromEntries(terms.map(({ section, count }) => [section, count]));
    expect(blockers.map(({ code }) => code)).toEqual(['in_doubt', 'conflict', 'approval_required', 'approval_expired']);
    expect(counts).toMatchObject({ unresolved: 1, approvals: 1, 'blockers in doubt or in conflict': 2, 'blockers of approvals, open or expired': 2 });
  });

  it('is within the bytes of a frame, with room beside it', () => {
    expect(mandatoryBytes(bounded)).toBeLessThanOrEqual(manifest.frame.maxBytes);
  });

  it('grows with the limits of the manifest', () => {
    const more = { ...bounded, limits: { ...bounded.limits, unresolvedMax: bounded.limits.unresolvedMax + 1 } };
    expect(mandatoryBytes(more)).toBeGreaterThan(mandatoryBytes(bounded));
  });
});

describe('a text that is cut', () => {
  it.each([199, 200, 511, 512])('is never cut in half a character (%i before it)', (before) => {
    const desk = Desk.open();
    const text = `${'x'.repeat(before)}😀${'y'.repeat(400)}`;
    desk.must('message.post', 'Message:1', { text, conversation: 'Order:1' }, { by: ann });
    const { conversation } = desk.frame({ focus: 'Order:1' });
    expect(canonical(conversation)).toContain('x'.repeat(before));
  });
});
