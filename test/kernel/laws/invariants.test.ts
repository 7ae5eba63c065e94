// SPEC I2–I5, K2–K5, K8 over random histories; at the end the log replays to the same head (K6).
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replay, verifyChain, type SealedWorld } from '../../../src/kernel/index.ts';
import { Invariants } from './invariants.ts';
import { LONG_MS, runs } from './runs.ts';
import { moves, sealedTight, Simulation, WatchedDesk, type Move } from './simulator.ts';

/** Plays a history; every step is checked. */
function play(history: readonly Move[], sealed?: SealedWorld): WatchedDesk {
  const desk = WatchedDesk.watched(new Invariants().check, sealed);
  new Simulation(desk).run(history);
  return desk;
}

const WORLDS: readonly (readonly [title: string, sealed: SealedWorld | undefined])[] = [
  ['on the desk', undefined],
  ['on a desk with little room', sealedTight],
];

describe('in every history', () => {
  it.each(WORLDS)(
    'every step keeps the invariants, and the log replays to the same head and state (%s)',
    (_title, sealed) => {
      fc.assert(
        fc.property(moves(150), (history) => {
          const desk = play(history, sealed);
          expect(verifyChain(desk.log)).toBeUndefined();
          const again = replay(desk.sealed, desk.log);
          expect(again.defect).toBeUndefined();
          expect(again.head).toEqual({ sequence: desk.state.head().sequence, hash: desk.state.head().hash });
          expect(again.state?.recent(100_000)).toEqual(desk.state.recent(100_000));
        }),
        runs(15),
      );
    },
    LONG_MS,
  );
});

/** What no history reached would be tested by none: with a fixed seed, so that it says the same every time. */
describe('the histories', () => {
  const REACHED = [
    'approval.denied',
    'approval.expired',
    'approval.granted',
    'approval.not_run',
    'conflict.accepted',
    'effect.conflict',
    'effect.did_not_happen',
    'effect.dispatched',
    'effect.in_doubt',
    'effect.landed',
    'effect.preflight',
    'effect.progressed',
    'effect.reverted',
    'evidence.unbound',
    'integration.authentication_required',
    'integration.unavailable',
    'read_back.due',
    'reconciliation.needs_person',
    'retry.renewed',
    'task.completed',
    'task.incomplete',
    'task.reopened',
  ];

  it(
    'reach everything that can happen to an effect, an approval, a task and an integration',
    () => {
      const reached = new Set<string>();
      const preflights = new Set<string>();
      for (const history of fc.sample(moves(150), { seed: 20_261_201, numRuns: 30 })) {
        for (const { kind, events } of play(history, sealedTight).log) {
          for (const { name } of events) reached.add(name);
          if (kind === 'cleared') for (const { name } of events) preflights.add(name);
        }
      }
      expect([...reached].sort()).toEqual(expect.arrayContaining(REACHED));
      expect([...preflights]).toContain('effect.dispatched');
    },
    LONG_MS,
  );
});
