// SPEC K1: the kernel is pure. Inputs are deeply frozen, each transition is decided twice, and no clock, randomness or host is there to be asked.
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { canonical, compile, decide, preview, type Decision, type Input, type Json } from '../../../src/kernel/index.ts';
import { agent, Desk, START } from '../transition/desk.ts';
import { LONG_MS, runs } from './runs.ts';
import { moves, sealedTight, Simulation } from './simulator.ts';

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}

const bytes = (value: unknown): string => canonical(value as Json);

const HOST = ['Date', 'crypto', 'fetch', 'setTimeout', 'setInterval', 'queueMicrotask', 'performance', 'Intl'] as const;

function forbidden(name: string): never {
  throw new Error(`the kernel asked for ${name}`);
}

/** Runs with everything of the host replaced by what throws. */
function withoutHost<T>(work: () => T): T {
  const random = vi.spyOn(Math, 'random').mockImplementation(() => forbidden('Math.random'));
  for (const name of HOST) {
    const thrower = new Proxy(function thrown() {}, { get: () => forbidden(name), apply: () => forbidden(name), construct: () => forbidden(name) });
    vi.stubGlobal(name, thrower);
  }
  try {
    return work();
  } finally {
    vi.unstubAllGlobals();
    random.mockRestore();
  }
}

/** Decides every input twice over a frozen state, compiles a frame after it, and freezes what it gave. */
class PureDesk extends Desk {
  override step(input: Input): Decision {
    deepFreeze(input);
    const decided = decide(this.sealed, this.state, input);
    const first = bytes(decided);
    deepFreeze(decided.changes);
    expect(bytes(decide(this.sealed, this.state, input))).toBe(first);
    if (input.kind === 'proposal') expect(bytes(preview(this.sealed, this.state, input))).toBe(bytes(preview(this.sealed, this.state, input)));
    const done = super.step(input);
    expect(bytes(done)).toBe(first);
    // The class sets its own members after the birth of the world, which is a step of the constructor.
    if (input.kind !== 'genesis') {
      const request = { actor: agent, now: this.at, task: null, focus: 'Order:1', since: 1, maxBytes: 100_000 };
      expect(bytes(compile(this.sealed, this.state, request))).toBe(bytes(compile(this.sealed, this.state, request)));
    }
    return done;
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('the transition function', () => {
  it(
    'gives the same bytes for the same input, and changes nothing that it was given',
    () => {
      fc.assert(
        fc.property(moves(60), (history) => {
          const desk = new PureDesk(sealedTight);
          new Simulation(desk).run(history);
          expect(desk.log.length).toBeGreaterThan(5);
        }),
        runs(15),
      );
    },
    LONG_MS,
  );

  it('asks nothing of its host: no clock, no randomness, no digest, no timer, no locale', () => {
    const histories = fc.sample(moves(80), { seed: 20_261_202, numRuns: 12 });
    // Ids and hashes are made on the way, so a library that asked the host once would be found at its first use.
    const heads = (): readonly string[] =>
      histories.map((history) => {
        const desk = new Simulation(new Desk(sealedTight)).run(history).desk;
        desk.frame({ focus: 'Order:1' });
        return desk.state.head().hash;
      });
    const without = withoutHost(heads);
    expect(without).toEqual(heads());
  });

  it('would be caught if it did', () => {
    expect(() => withoutHost(() => Date.now())).toThrow('asked for Date');
    expect(() => withoutHost(() => Math.random())).toThrow('asked for Math.random');
    expect(() => withoutHost(() => crypto.randomUUID())).toThrow('asked for crypto');
    expect(() => withoutHost(() => new Date(0))).toThrow('asked for Date');
  });

  it('takes its time from the input alone', () => {
    const desk = new Desk();
    const input = (at: number): Input => ({ ...desk.input('message.post', 'Message', { text: 'x' }), at });
    const one = decide(desk.sealed, desk.state, input(START + 5));
    expect(bytes(decide(desk.sealed, desk.state, input(START + 6)))).not.toBe(bytes(one));
    expect(bytes(decide(desk.sealed, desk.state, input(START + 5)))).toBe(bytes(one));
  });
});
