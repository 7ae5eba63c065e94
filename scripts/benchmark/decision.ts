// The pure decision in this process: no storage, no HTTP. Median and p99 in µs, over a world in memory.
import { decide, makeRecord, preview } from '../../src/kernel/index.ts';
import type { Input } from '../../src/kernel/index.ts';
import { Desk, ops } from '../../test/kernel/transition/desk.ts';

export interface Timed {
  readonly name: string;
  readonly median: number;
  readonly p99: number;
}

function time(name: string, run: () => unknown): Timed {
  const rounds = 4000;
  for (let n = 0; n < 2000; n += 1) run();
  const taken: number[] = [];
  for (let n = 0; n < rounds; n += 1) {
    const began = performance.now();
    run();
    taken.push((performance.now() - began) * 1000);
  }
  taken.sort((a, b) => a - b);
  return { name, median: taken[rounds / 2] ?? 0, p99: taken[Math.floor(rounds * 0.99)] ?? 0 };
}

export function timeDecisions(): readonly Timed[] {
  const desk = Desk.open();
  const { sealed, state } = desk;
  const internal: Input = desk.input('customer.update', 'Customer:kim', { optedOut: true }, { by: ops });
  const effect: Input = desk.input('order.refund', 'Order:1', { amountCents: 2500, reason: 'duplicate' });
  const refused: Input = desk.input('order.refund', 'Order:1', { amountCents: 250_000, reason: 'duplicate' });
  const decision = decide(sealed, state, effect);
  return [
    time('decide, internal action', () => decide(sealed, state, internal)),
    time('decide, effect', () => decide(sealed, state, effect)),
    time('decide, refusal', () => decide(sealed, state, refused)),
    time('preview, effect', () => preview(sealed, state, effect)),
    time('record of an effect (canonical bytes and hashes)', () => makeRecord(state.head(), sealed.hash, effect, decision)),
  ];
}
