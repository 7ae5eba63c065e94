// Design §8 "Read-back" and "Findings of people": when absence can be believed, and by whom it may be said.
import { describe, expect, it } from 'vitest';
import { LIMITS, type Command, type Decision } from '../../../src/kernel/index.ts';
import { agent, ann, bob, Desk, ops, type Answer } from './desk.ts';

const SETTLE_MS = 20_000;
const MAIL_SETTLE_MS = 60_000;

function reconcile(desk: Desk, attempt: string, finding: 'landed' | 'not_happened', by = ann): Answer {
  return desk.propose('attempt.reconcile', attempt, { finding, note: 'I have looked' }, { by });
}

function rulesOf(answer: Answer): readonly unknown[] {
  return (answer.outcome?.failing ?? []).filter(({ check }) => check === 5).map(({ detail }) => detail['rule']);
}

function mailInDoubt(desk: Desk, by = agent): string {
  const { attempt } = desk.propose('customer.email', 'Customer:kim', { template: 'refund_denied' }, { by });
  desk.evidence(attempt, 'unclear', { integration: 'mail', code: 'timeout' });
  return attempt;
}

describe('absence', () => {
  it.each([
    ['one millisecond early', SETTLE_MS - 1, 'in_doubt'],
    ['at the settle time', SETTLE_MS, 'none'],
  ] as const)('read back %s leaves the effect %s', (_when, afterMs, certainty) => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    desk.pass(afterMs);
    desk.readBack(attempt, 'absent');
    expect(desk.field(attempt, 'certainty')).toBe(certainty);
  });

  it('counts from when the walk began, not from when it was told', () => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    desk.pass(SETTLE_MS + 5000);
    desk.readBack(attempt, 'absent', { begunAt: desk.at - 6000 });
    expect(desk.field(attempt, 'certainty')).toBe('in_doubt');
    desk.readBack(attempt, 'absent', { begunAt: desk.at - 5000 });
    expect(desk.field(attempt, 'certainty')).toBe('none');
  });

  it('counts from the restart that cut it off, where that came later than the dispatch', () => {
    const desk = Desk.open();
    const { attempt } = desk.refund('Order:1', 1000);
    desk.pass(15_000);
    desk.restart();
    desk.pass(SETTLE_MS - 1);
    desk.readBack(attempt, 'absent');
    expect(desk.field(attempt, 'certainty')).toBe('in_doubt');
    desk.pass(1);
    desk.readBack(attempt, 'absent');
    expect(desk.field(attempt, 'certainty')).toBe('none');
  });

  it('counts from the dispatch and not from the proposal, where a preflight lay between', () => {
    const desk = Desk.open();
    desk.notHappened('Order:1', 1000);
    const { attempt } = desk.refund('Order:1', 1000);
    desk.pass(10_000);
    desk.cleared(attempt);
    desk.evidence(attempt, 'unclear');
    desk.pass(SETTLE_MS - 1);
    desk.readBack(attempt, 'absent');
    expect(desk.field(attempt, 'certainty')).toBe('in_doubt');
  });

  it('proves nothing without the time at which its walk began', () => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    desk.pass(SETTLE_MS);
    desk.readBack(attempt, 'absent', { begunAt: null });
    expect(desk.field(attempt, 'certainty')).toBe('in_doubt');
  });

  it('that is inconclusive changes nothing, and moves no revision', () => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    const before = desk.objects();
    desk.readBack(attempt, 'inconclusive');
    expect(desk.objects()).toEqual(before);
  });
});

describe('the schedule of read-backs', () => {
  const reads = (decisions: readonly Decision[]): readonly Command[] =>
    decisions.flatMap(({ commands }) => commands).filter((command) => command.do === 'read_back');

  it('is 2, 5, 10, 25, 60 s and so on to a day after doubt began, then waits for a person', () => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    const began = desk.at;
    const at: number[] = [];
    for (let next = desk.state.nextTimerAt(); next !== undefined && at.length < 20; next = desk.state.nextTimerAt()) {
      const found = reads(desk.pass(next - desk.at));
      expect(found).toEqual([{ do: 'read_back', attempt, asker: null }]);
      at.push((desk.at - began) / 1000);
    }
    expect(at).toEqual([2, 5, 10, 25, 60, 300, 1800, 7200, 21_600, 86_400]);
    expect(at).toEqual(LIMITS.readBackScheduleSeconds);
    expect(desk.events('reconciliation.needs_person')).toEqual([{ object: attempt }]);
    expect(desk.field(attempt, 'certainty')).toBe('in_doubt');
  });

  it('begins with doubt, not before, and ends with it', () => {
    const desk = Desk.open();
    const { attempt } = desk.refund('Order:1', 1000);
    expect(desk.state.nextTimerAt()).toBeUndefined();
    desk.evidence(attempt, 'unclear');
    expect(desk.state.nextTimerAt()).toBe(desk.at + 2000);
    desk.evidence(attempt, 'landed');
    expect(desk.state.nextTimerAt()).toBeUndefined();
  });

  it('that was slept through reads back once, and goes on from there', () => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    const began = desk.at;
    expect(reads(desk.pass(3_600_000))).toHaveLength(1);
    expect(desk.state.nextTimerAt()).toBe(began + 7_200_000);
    expect(desk.field(attempt, 'certainty')).toBe('in_doubt');
  });

  it('is not for effects whose contract has no read-back', () => {
    const desk = Desk.open();
    mailInDoubt(desk);
    expect(desk.state.nextTimerAt()).toBeUndefined();
  });
});

describe('a person finds `landed`', () => {
  it('and the effect has landed: counted, with its evidence, and the fence is open', () => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    const { outcome } = reconcile(desk, attempt, 'landed');
    const evidence = String(outcome?.detail?.['evidence']);
    expect(desk.object(attempt).state).toMatchObject({ certainty: 'landed', status: 'settled', evidence: [expect.any(String), evidence] });
    expect(desk.object(evidence).state).toMatchObject({ about: attempt, source: 'person', finding: 'landed', note: 'I have looked', by: ann.id });
    expect(desk.sums('Order:1').landedTotal).toBe(1000);
    expect(desk.fence(attempt).open).toBeNull();
  });

  it('also where it had been shown not to have happened: that is a conflict', () => {
    const desk = Desk.open();
    const attempt = desk.notHappened('Order:1', 1000);
    expect(reconcile(desk, attempt, 'landed').outcome?.kind).toBe('Succeeded');
    expect([desk.field(attempt, 'certainty'), desk.attemptCell(attempt).conflict]).toEqual(['landed', true]);
  });

  it('and a webhook that comes later gives the provider’s own status', () => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    reconcile(desk, attempt, 'landed');
    desk.webhook(attempt, 'landed', { status: 'succeeded', rank: 3 });
    expect(desk.state.ofType('Refund', null, 1)[0]?.state['status']).toBe('succeeded');
    expect(desk.sums('Order:1').landedCount).toBe(1);
  });
});

describe('a person finds `not_happened`', () => {
  it('is refused before the settle time, with how long to wait', () => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    desk.pass(5000);
    desk.readBack(attempt, 'absent');
    const { outcome } = reconcile(desk, attempt, 'not_happened');
    expect(outcome?.failing?.[0]?.detail).toEqual({ rule: 'settle_time_is_over', waitMs: SETTLE_MS - 5000 });
    expect(desk.field(attempt, 'certainty')).toBe('in_doubt');
  });

  it('is refused without a read-back that began after that', () => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    desk.pass(SETTLE_MS - 1);
    desk.readBack(attempt, 'inconclusive');
    desk.pass(60_000);
    expect(rulesOf(reconcile(desk, attempt, 'not_happened'))).toEqual(['read_back_came_first']);
    desk.readBack(attempt, 'inconclusive');
    expect(reconcile(desk, attempt, 'not_happened').outcome?.kind).toBe('Succeeded');
    expect(desk.outcomeOf(attempt)).toMatchObject({ kind: 'FailedTransiently', code: 'not_happened' });
    expect(desk.field(attempt, 'certainty')).toBe('none');
  });

  it('needs no read-back where there is none, only the time', () => {
    const desk = Desk.open();
    const attempt = mailInDoubt(desk);
    desk.pass(MAIL_SETTLE_MS - 1);
    expect(rulesOf(reconcile(desk, attempt, 'not_happened'))).toEqual(['settle_time_is_over']);
    desk.pass(1);
    expect(reconcile(desk, attempt, 'not_happened').outcome?.kind).toBe('Succeeded');
  });

  it('is not for the proposer, where the action needs approval; it is for another person', () => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000, { by: ann });
    desk.pass(SETTLE_MS);
    desk.readBack(attempt, 'inconclusive');
    expect(reconcile(desk, attempt, 'not_happened', ann).code).toBe('not_authorized');
    expect(reconcile(desk, attempt, 'not_happened', bob).outcome?.kind).toBe('Succeeded');
  });

  it('is for the proposer of an action that needs none', () => {
    const desk = Desk.open();
    const attempt = mailInDoubt(desk, ann);
    desk.pass(MAIL_SETTLE_MS);
    expect(reconcile(desk, attempt, 'not_happened', ann).outcome?.kind).toBe('Succeeded');
  });

  it.each([
    ['on its way', (desk: Desk) => desk.refund('Order:1', 1000).attempt],
    ['landed', (desk: Desk) => desk.landed('Order:1', 1000)],
    [
      'declined',
      (desk: Desk) => {
        const { attempt } = desk.refund('Order:1', 1000);
        desk.evidence(attempt, 'declined');
        return attempt;
      },
    ],
    ['reverted', (desk: Desk) => desk.reverted('Order:1', 1000)],
    ['waiting for a person', (desk: Desk) => desk.parked('Order:1', 6000).attempt],
    ['refused', (desk: Desk) => desk.refund('Order:1', 90_000).attempt],
  ] as const)('is refused for what is %s', (_what, start) => {
    const desk = Desk.open();
    const attempt = start(desk);
    desk.pass(SETTLE_MS);
    expect(rulesOf(reconcile(desk, attempt, 'not_happened'))).toEqual(['is_in_doubt']);
  });

  it('permits another try, and the next epoch is looked for first', () => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    desk.pass(SETTLE_MS);
    desk.readBack(attempt, 'inconclusive');
    reconcile(desk, attempt, 'not_happened');
    expect(desk.refund('Order:1', 1000).decision.commands.map((command) => command.do)).toEqual(['preflight']);
  });
});

describe('a finding', () => {
  it.each([
    ['an agent', agent],
    ['an operator', ops],
  ] as const)('is not for %s', (_who, by) => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    for (const finding of ['landed', 'not_happened'] as const) expect(reconcile(desk, attempt, finding, by).code).toBe('not_authorized');
  });

  it('needs a note', () => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    expect(desk.propose('attempt.reconcile', attempt, { finding: 'landed' }, { by: ann }).code).toBe('invalid_parameters');
    expect(desk.propose('attempt.reconcile', attempt, { finding: 'probably', note: 'x' }, { by: ann }).code).toBe('invalid_parameters');
  });

  it.each(['landed', 'not_happened'] as const)('`%s` renews no tries by itself: it is about what this signature did', (finding) => {
    const desk = Desk.open();
    const attempt = desk.doubted('Order:1', 1000);
    desk.pass(SETTLE_MS);
    desk.readBack(attempt, 'inconclusive');
    reconcile(desk, attempt, finding);
    expect(desk.events('retry.renewed')).toEqual([]);
    if (finding === 'not_happened') expect(desk.retryOf(attempt)).toEqual({ remaining: 2, ceilingRemaining: 5 });
  });
});
