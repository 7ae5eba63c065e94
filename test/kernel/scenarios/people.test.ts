// Published failures around approvals, and people and agents who work on the same thing.
import { describe, expect, it } from 'vitest';
import { agent, ann, bob, Desk, ops, other } from '../transition/desk.ts';
import { Provider } from './provider.ts';

const DAY_MS = 86_400_000;
const LARGE = 6000;

describe('B36: an approval is lost on restart', () => {
  it('it is still there with the same id, arguments and revision, and runs once', () => {
    const provider = new Provider();
    const { desk } = provider;
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    const before = desk.object(approval);
    desk.restart();
    desk.restart();
    expect(desk.frame({ actor: ann }).approvals.map((entry) => entry['approval'])).toEqual([approval]);
    expect(desk.object(approval)).toEqual(before);
    desk.must('approval.grant', approval, {}, { by: ann });
    provider.serve(attempt, 'commits and answers');
    expect(provider.effects()).toHaveLength(1);
  });
});

describe('B37: a finished decision is decided again', () => {
  it('a denial stays: grants are refused with what was decided, also from later and after a restart', () => {
    const desk = Desk.open();
    const { approval } = desk.parked('Order:1', LARGE);
    desk.must('approval.deny', approval, {}, { by: ann });
    const denied = desk.object(approval);
    for (const later of [0, 60_000, DAY_MS]) {
      desk.pass(later);
      desk.restart();
      expect(desk.propose('approval.grant', approval, {}, { by: bob }).outcome).toMatchObject({
        kind: 'Rejected',
        detail: { rule: 'decision_is_final', status: 'denied', decidedBy: ann.id },
      });
    }
    expect(desk.object(approval)).toEqual(denied);
    expect(desk.sent).toEqual([]);
  });
});

describe('B38: a double click', () => {
  it.each([2, 20])('%i grants of two people make one decision and one dispatch', (clicks) => {
    const provider = new Provider();
    const { desk } = provider;
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    const inputs = Array.from({ length: clicks }, (_, index) => desk.input('approval.grant', approval, {}, { by: index % 2 === 0 ? ann : bob }));
    const kinds = inputs.map((input) => desk.step(input).outcome?.kind);
    expect(kinds.filter((kind) => kind === 'Succeeded')).toHaveLength(1);
    provider.serve(attempt, 'commits and answers');
    expect(provider.effects()).toHaveLength(1);
  });
});

describe('B40: a forged approval', () => {
  it('by the caller’s own key, as a field of the proposal, or with other arguments, does nothing', () => {
    const desk = Desk.open();
    const { approval } = desk.parked('Order:1', LARGE);
    expect(desk.propose('approval.grant', approval).code).toBe('not_authorized');
    expect(desk.refund('Order:1', LARGE, { parameters: { approval: { approved: true } } }).code).toBe('invalid_parameters');
    expect(desk.refund('Order:1', LARGE + 1).outcome?.detail).toMatchObject({ approval });
    expect(desk.field(approval, 'status')).toBe('pending');
    expect(desk.sent).toEqual([]);
    expect(desk.log.filter(({ kind, actor }) => kind === 'proposal' && actor === agent.id)).toHaveLength(4);
  });
});

describe('B41: what is executed is not what was approved', () => {
  it('a target that moved makes it void; an amended proposal does not run under it', () => {
    const desk = Desk.open();
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    expect(desk.refund('Order:1', LARGE, { parameters: { reason: 'duplicate' } }).outcome).toMatchObject({ code: 'approval_required', detail: { approval } });
    desk.must('order.amend', 'Order:1', { chargeId: 'ch_of_another' }, { by: ops });
    desk.must('approval.grant', approval, {}, { by: ann });
    expect(desk.outcomeOf(attempt)).toMatchObject({ kind: 'Rejected', code: 'stale_revision' });
    expect(desk.sent).toEqual([]);
    expect(desk.refund('Order:1', LARGE).outcome?.detail?.['approval']).not.toBe(approval);
  });
});

describe('B49: the refusal hands over the new revision', () => {
  it('proposing at once at the next revision is refused too: the cursor has not seen it', () => {
    const desk = Desk.open();
    const observed = { kind: 'seen', sequence: desk.state.head().sequence, subject: '*' } as const;
    desk.must('order.amend', 'Order:1', { totalCents: 15_000 }, { by: ops });
    desk.must('order.amend', 'Order:1', { totalCents: 16_000 }, { by: ops });
    const stale = desk.refund('Order:1', 1000, { expectedRevision: 1, observed });
    expect(stale.outcome?.failing?.map(({ code }) => code)).toEqual(['stale_revision', 'stale_observation']);
    expect(JSON.stringify(stale.outcome)).not.toMatch(/"revision"|16000/);
    expect(desk.refund('Order:1', 1000, { expectedRevision: 3, observed }).code).toBe('stale_observation');
    expect(desk.field('Order:1', 'totalCents')).toBe(16_000);
    expect(desk.sent).toEqual([]);
  });
});

describe('B50: a write from an old read', () => {
  it('the second writer is refused and told nothing new; what the first wrote stands', () => {
    const desk = Desk.open();
    desk.must('order.amend', 'Order:1', { chargeId: 'ch_of_a' }, { by: ops });
    const second = desk.propose('order.amend', 'Order:1', { chargeId: 'ch_of_b' }, { by: { id: 'Operator:b', roles: ['operator'] }, expectedRevision: 1 });
    expect(second.outcome).toMatchObject({ kind: 'Rejected', code: 'stale_revision', detail: { target: 'Order:1' } });
    expect(JSON.stringify(second.outcome)).not.toContain('ch_of_a');
    expect(desk.field('Order:1', 'chargeId')).toBe('ch_of_a');
  });
});

describe('D01: a person and an agent change the same order at the same moment', () => {
  it.each(Array.from({ length: 50 }, (_, round) => ({ round, first: round % 2 === 0 ? 'amend' : 'refund' })))(
    'round $round, $first first: whichever comes second is refused',
    ({ round, first }) => {
      const provider = new Provider();
      const { desk } = provider;
      const total = 9000 + round;
      const amend = desk.input('order.amend', 'Order:1', { totalCents: total }, { by: ops });
      const refund = desk.input('order.refund', 'Order:1', { amountCents: 1000 + round, reason: 'duplicate' });
      const [one, two] = (first === 'amend' ? [amend, refund] : [refund, amend]).map((input) => desk.step(input));
      expect(one?.outcome?.kind ?? 'on its way').toBe(first === 'amend' ? 'Succeeded' : 'on its way');
      if (first === 'amend') expect(two?.outcome).toMatchObject({ kind: 'Rejected', code: 'stale_revision' });
      else expect(two?.outcome).toMatchObject({ kind: 'Rejected', detail: { rule: 'no_refund_under_way' } });
      if (first === 'refund') provider.serve(one?.attempt ?? '', 'commits and answers');
      expect(provider.total('Order:1')).toBeLessThanOrEqual(Number(desk.field('Order:1', 'totalCents')));
    },
  );
});

describe('D08: two approvals for one order', () => {
  it('the second names the first; after a lost answer both are in doubt; nothing runs by itself when it is settled', () => {
    const provider = new Provider();
    const { desk } = provider;
    const first = desk.parked('Order:1', LARGE);
    expect(desk.refund('Order:1', 7000, { by: other }).outcome).toMatchObject({
      kind: 'Blocked',
      code: 'approval_required',
      detail: { approval: first.approval },
    });
    desk.must('approval.grant', first.approval, {}, { by: ann });
    provider.serve(first.attempt, 'commits and drops the answer');
    expect([desk.refund('Order:1', LARGE).code, desk.refund('Order:1', 7000, { by: other }).code]).toEqual(['in_doubt', 'in_doubt']);
    provider.readBack(first.attempt);
    expect(provider.calls).toBe(1);
    expect(provider.effects()).toHaveLength(1);
  });
});

describe('D09: approved, but the login is gone', () => {
  it('the grant stands, the same proposal runs it once after a reconnection, and what expired is asked anew', () => {
    const provider = new Provider();
    const { desk } = provider;
    const { attempt, approval } = desk.parked('Order:1', LARGE);
    desk.order('Order:2');
    provider.serve(provider.refund('Order:2', 100).attempt, 'answers 401');
    desk.must('approval.grant', approval, {}, { by: ann });
    expect(desk.frame().blockers).toContainEqual(expect.objectContaining({ code: 'approved_not_run', approval }));
    expect(desk.refund('Order:1', LARGE).code).toBe('authentication_required');
    desk.connect('payments');
    expect(provider.refund('Order:1', LARGE)).toMatchObject({ attempt, code: undefined });
    provider.serve(attempt, 'commits and answers');
    expect(provider.effects('Order:1')).toHaveLength(1);

    const late = desk.parked('Order:2', LARGE);
    desk.must('integration.disconnect', 'Integration:payments', {}, { by: ops });
    desk.must('approval.grant', late.approval, {}, { by: ann });
    desk.connect('payments');
    desk.pass(DAY_MS);
    const again = desk.refund('Order:2', LARGE);
    expect(again.outcome).toMatchObject({ code: 'approval_required' });
    expect(again.attempt).not.toBe(late.attempt);
    expect(provider.effects('Order:2')).toHaveLength(0);
  });
});
