// Design §8 "What an answer proves": certainty × evidence. The expectations here are written from the design, not from the code.
import { describe, expect, it } from 'vitest';
import { CERTAINTIES, CERTAINTY_TABLE, EVIDENCE_KINDS, type Certainty, type EvidenceKind, type OutcomeKind } from '../../../src/kernel/index.ts';
import { Desk } from './desk.ts';

interface Expected {
  readonly certainty: Certainty;
  /** The outcome that the evidence gives; `keeps` where the attempt's own stays. */
  readonly outcome: OutcomeKind | 'keeps';
  readonly conflict: boolean;
}

const stays = (certainty: Certainty): Expected => ({ certainty, outcome: 'keeps', conflict: false });
const becomes = (certainty: Certainty, outcome: OutcomeKind): Expected => ({ certainty, outcome, conflict: false });
const CONTRADICTS_A_LANDING: Expected = { certainty: 'landed', outcome: 'keeps', conflict: true };

const EXPECTED: Record<Certainty, Record<EvidenceKind, Expected>> = {
  none: {
    // "A landing found after *not happened* is recorded as landed, and the conflict is a blocker."
    landed: { certainty: 'landed', outcome: 'Succeeded', conflict: true },
    failed: stays('none'),
    declined: stays('none'),
    login_lost: stays('none'),
    rate_limited: stays('none'),
    unclear: stays('none'),
    violated: stays('none'),
    cut_off: stays('none'),
    preflight_failed: stays('none'),
    absent: stays('none'),
    inconclusive: stays('none'),
  },
  in_doubt: {
    landed: becomes('landed', 'Succeeded'),
    failed: becomes('none', 'FailedPermanently'),
    declined: becomes('none', 'FailedPermanently'),
    login_lost: becomes('none', 'Blocked'),
    rate_limited: becomes('none', 'FailedTransiently'),
    unclear: becomes('in_doubt', 'OutcomeAmbiguous'),
    violated: becomes('in_doubt', 'ProtocolViolated'),
    cut_off: becomes('in_doubt', 'OutcomeAmbiguous'),
    preflight_failed: becomes('none', 'FailedTransiently'),
    absent: becomes('none', 'FailedTransiently'),
    inconclusive: stays('in_doubt'),
  },
  // "Landed never returns to doubt; only *reverted* follows it." What says that nothing happened contradicts; what knows nothing does not.
  landed: {
    landed: stays('landed'),
    failed: { certainty: 'reverted', outcome: 'Succeeded', conflict: false },
    declined: CONTRADICTS_A_LANDING,
    login_lost: CONTRADICTS_A_LANDING,
    rate_limited: CONTRADICTS_A_LANDING,
    unclear: stays('landed'),
    violated: stays('landed'),
    cut_off: stays('landed'),
    preflight_failed: CONTRADICTS_A_LANDING,
    absent: CONTRADICTS_A_LANDING,
    inconclusive: stays('landed'),
  },
  reverted: {
    landed: stays('reverted'),
    failed: stays('reverted'),
    declined: stays('reverted'),
    login_lost: stays('reverted'),
    rate_limited: stays('reverted'),
    unclear: stays('reverted'),
    violated: stays('reverted'),
    cut_off: stays('reverted'),
    preflight_failed: stays('reverted'),
    absent: stays('reverted'),
    inconclusive: stays('reverted'),
  },
};

const CELLS = CERTAINTIES.flatMap((before) => EVIDENCE_KINDS.map((says) => ({ before, says, expected: EXPECTED[before][says] })));

const AMOUNT = 2500;

/** An attempt of each certainty. In doubt comes in two forms: on its way, and answered by nothing. */
const STARTS: Record<Certainty, readonly { readonly how: string; readonly start: (desk: Desk) => string }[]> = {
  none: [
    { how: 'shown not to have happened', start: (desk) => desk.notHappened('Order:1', AMOUNT) },
    {
      how: 'declined',
      start: (desk) => {
        const { attempt } = desk.refund('Order:1', AMOUNT);
        desk.evidence(attempt, 'declined', { code: 'card_error' });
        return attempt;
      },
    },
  ],
  in_doubt: [
    { how: 'on its way', start: (desk) => desk.refund('Order:1', AMOUNT).attempt },
    { how: 'its answer lost', start: (desk) => desk.doubted('Order:1', AMOUNT) },
  ],
  landed: [{ how: 'landed', start: (desk) => desk.landed('Order:1', AMOUNT) }],
  reverted: [{ how: 'reverted', start: (desk) => desk.reverted('Order:1', AMOUNT) }],
};

const DECIDED = CELLS.flatMap((cell) => STARTS[cell.before].map((start) => ({ ...cell, ...start })));

describe('the table of certainty and evidence', () => {
  it('has a cell for every certainty and kind of evidence, and no other', () => {
    expect(Object.keys(CERTAINTY_TABLE).sort()).toEqual([...CERTAINTIES].sort());
    for (const row of Object.values(CERTAINTY_TABLE)) expect(Object.keys(row).sort()).toEqual([...EVIDENCE_KINDS].sort());
  });

  it.each(CELLS)('$before and `$says` give $expected.certainty, outcome $expected.outcome, conflict $expected.conflict', ({ before, says, expected }) => {
    const { certainty, outcome, conflict } = CERTAINTY_TABLE[before][says];
    expect({ certainty, outcome: outcome ?? 'keeps', conflict }).toEqual(expected);
  });
});

describe('the desk after the evidence', () => {
  it.each(DECIDED)('an effect that is $how, then `$says`, is $expected.certainty', ({ start, says, expected, before }) => {
    const desk = Desk.open();
    const attempt = start(desk);
    expect(desk.field(attempt, 'certainty')).toBe(before);
    const outcomeBefore = desk.outcomeOf(attempt)?.kind ?? null;
    const settledBefore = desk.field(attempt, 'status') === 'settled';
    desk.pass(30_000);
    // The last word of the provider, so that no rank makes it stale; a walk that began after settle time, so that absence counts.
    const status = says === 'landed' || says === 'failed' ? { status: says === 'landed' ? 'succeeded' : 'failed', rank: 9 } : {};
    desk.evidence(attempt, says, { ...status, begunAt: says === 'absent' || says === 'inconclusive' ? desk.at : null });

    // An answer that tells nothing more leaves an effect in doubt with the outcome that it has.
    const keeps = expected.outcome === 'keeps' || (before === 'in_doubt' && expected.certainty === 'in_doubt' && settledBefore);
    expect(desk.field(attempt, 'certainty')).toBe(expected.certainty);
    expect(desk.outcomeOf(attempt)?.kind ?? null).toBe(keeps ? outcomeBefore : expected.outcome);
    const held = expected.certainty === 'in_doubt' ? 1 : 0;
    const landed = expected.certainty === 'landed' ? 1 : 0;
    expect(desk.sums('Order:1')).toEqual({ landedCount: landed, landedTotal: landed * AMOUNT, heldCount: held, heldTotal: held * AMOUNT });
    expect(desk.field('Order:1', 'refundedCents')).toBe(landed * AMOUNT);
    expect(desk.budget()).toEqual({ limit: 100_000, spent: landed * AMOUNT, held: held * AMOUNT, remaining: 100_000 - (landed + held) * AMOUNT });
    expect(desk.fence(attempt).open).toBe(expected.certainty === 'in_doubt' ? attempt : null);
    expect(desk.attemptCell(attempt).conflict).toBe(expected.conflict);
    expect(desk.frame().blockers.some(({ code, attempt: about }) => code === 'conflict' && about === attempt)).toBe(expected.conflict);
    expect(desk.sent).toHaveLength(1);
  });

  it('keeps every piece of evidence but an inconclusive read-back, whatever it proves', () => {
    for (const { start, says } of DECIDED) {
      const desk = Desk.open();
      const attempt = start(desk);
      desk.pass(30_000);
      const kept = desk.state.ofType('Evidence', null, 100).length;
      desk.evidence(attempt, says, { rank: 9, begunAt: says === 'absent' ? desk.at : null });
      expect(desk.state.ofType('Evidence', null, 100).length - kept).toBe(says === 'inconclusive' ? 0 : 1);
    }
  });
});
