// SIGKILL of the real dev server during dispatch, twenty rounds on one state, at seeded moments; effects are counted at the provider.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { Desk, SETTLED_MS, type Attempt } from '../../src/evaluation/desk.ts';
import { Product } from '../../src/evaluation/product.ts';

const ROUNDS = 20;
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);

/** A seeded number in [0, below). */
function random(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Where the kill falls: before the provider has it, while it works on it, or after it committed. */
const MOMENTS = ['before_arrival', 'on_arrival', 'after_commit'] as const;
const MODES = { before_arrival: 'ok', on_arrival: 'hang', after_commit: 'hold_after_commit' } as const;

let product: Product;
let sandbox: Sandbox;
let desk: Desk;

beforeAll(async () => {
  sandbox = await startSandbox();
  product = await Product.start();
  desk = await Desk.open(product, sandbox);
});

afterAll(async () => {
  await product.end();
  await sandbox.close();
});

describe(`killed with SIGKILL during dispatch (seed ${SEED})`, () => {
  it(`${ROUNDS} rounds: nothing is sent twice, and every attempt is settled as the provider's ledger has it`, { timeout: 400_000 }, async () => {
    const draw = random(SEED);
    const orders = await Promise.all(Array.from({ length: ROUNDS }, (_, n) => desk.order(`kill-${SEED}-${n}`)));
    for (const [round, order] of orders.entries()) {
      const moment = MOMENTS[draw(MOMENTS.length)] ?? 'on_arrival';
      sandbox.fault('refund', MODES[moment]);
      const reached = moment === 'before_arrival' ? pause(draw(40)) : sandbox.until(moment === 'on_arrival' ? 'arrives' : 'commits', 'refund');
      const proposing = desk.agent.refund(order, 500 + round, { wait: 20 }).catch(() => null);
      await reached;
      await product.restart();
      await proposing;
      sandbox.clear();
      const again = await (await desk.fresh()).refund(order, 500 + round, { wait: 20 });
      const what = `round ${round}, ${moment}: ${again.text.slice(0, 300)}`;
      // Nothing reached the world: it is a first try. Else: in doubt, or already told apart by a read-back.
      expect(['Succeeded', 'Blocked', 'Rejected', 'FailedTransiently'], what).toContain(again.outcome?.kind);
      if (again.outcome?.kind === 'Blocked') expect(again.outcome.code, what).toBe('in_doubt');
      if (again.outcome?.kind === 'Rejected') expect(again.outcome.code, what).toBe('already_completed');
    }
    await desk.pass(SETTLED_MS);
    for (const attempt of await refunds()) await settled(attempt);
    expect(desk.repeated(), 'correlation ids with more than one effect').toEqual([]);
    for (const attempt of await refunds()) {
      const there = sandbox.ledger().some((effect) => effect.effect && effect.correlation === attempt.correlationId);
      expect(attempt.certainty === 'landed', `${attempt.id}: ${attempt.certainty}, and ${there ? '' : 'not '}in the ledger`).toBe(there);
    }
  });

  it('the same Idempotency-Key after a kill gives the same attempt, and nothing is sent again', async () => {
    const order = await desk.order(`key-${SEED}`);
    const seen = await desk.agent.look(order);
    sandbox.fault('refund', 'hold_after_commit');
    const commits = sandbox.until('commits', 'refund');
    const proposing = desk.agent.refund(order, 700, { seen, key: 'once', wait: 20 }).catch(() => null);
    await commits;
    await product.restart();
    await proposing;
    const again = await desk.agent.refund(order, 700, { seen, key: 'once', wait: 20 });
    expect(again.attempt?.['target']).toBe(order);
    expect(again.attempt?.certainty).not.toBe('none');
    await desk.pass(SETTLED_MS);
    await settled(again.attempt ?? { id: '', status: '', certainty: '', correlationId: null, outcome: null });
    expect(desk.effects(`ch_key-${SEED}`)).toBe(1);
    const [then, later] = [await desk.agent.refund(order, 700, { seen, key: 'once' }), await desk.agent.refund(order, 700, { seen, key: 'once' })];
    expect(then.attempt?.id).toBe(again.attempt?.id);
    expect(later.text).toBe(then.text);
  });
});

/** All refunds that were ever sent. */
async function refunds(): Promise<readonly Attempt[]> {
  const found: Attempt[] = [];
  for (let after: string | null = null; ;) {
    const page = await desk.person.get(`/objects?type=ActionAttempt&limit=100${after === null ? '' : `&after=${after}`}`);
    for (const { state } of page['objects'] as readonly { readonly state: Attempt }[])
      if (state['action'] === 'order.refund' && state.correlationId !== null && Number(state['attemptCount']) > 0) found.push(state);
    if (typeof page['next'] !== 'string') return found;
    after = page['next'];
  }
}

/** Read back until nobody doubts; the provider's list is whole by now. */
async function settled(attempt: Attempt): Promise<void> {
  const now = await desk.until(attempt.id, ({ status }) => status !== 'dispatched');
  if (now.certainty !== 'in_doubt') return;
  await desk.person.propose('attempt.read_back', attempt.id);
  await desk.until(attempt.id, ({ certainty }) => certainty !== 'in_doubt');
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
