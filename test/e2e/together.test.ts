// People and agents at the same time, over HTTP against the real server; effects are counted at the provider.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { canonical, replay, seal, verifyChain, type Json, type TransitionRecord } from '../../src/kernel/index.ts';
import { Desk, type Result } from '../../src/evaluation/desk.ts';
import { Product } from '../../src/evaluation/product.ts';

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

describe('at the same time', () => {
  it('a person amends an order and an agent refunds it, 50 rounds: whichever comes second at that revision is refused', async () => {
    for (let round = 0; round < 50; round += 1) {
      const order = await desk.order(`both-${round}`, 3000);
      const [byAgent, byOperator] = [await desk.agent.look(order), await desk.operator.look(order)];
      const amend = (): Promise<Result> => desk.operator.propose('order.amend', order, { totalCents: 1000 }, { seen: byOperator });
      const refund = (): Promise<Result> => desk.agent.refund(order, 2500, { seen: byAgent });
      const both = round % 2 === 0 ? [amend(), refund()] : [refund(), amend()];
      const answers = await Promise.all(both);
      const [amended, refunded] = round % 2 === 0 ? answers : answers.toReversed();
      const won = [amended, refunded].filter((answer) => answer?.outcome?.kind === 'Succeeded').length;
      expect(won, `round ${round}: ${amended?.outcome?.code} ${refunded?.outcome?.code}`).toBe(1);
      if (refunded?.outcome?.kind !== 'Succeeded') expect(refunded?.outcome?.code).toBe('stale_revision');
      const total = Number((await desk.person.look(order)).state['totalCents']);
      expect(desk.effects(`ch_both-${round}`) * 2500).toBeLessThanOrEqual(total);
    }
  });

  it('nine identical mails are one mail, and eight answers point at it', async () => {
    sandbox.fault('mail', 'commit_then_slow_answer', { ms: 200 });
    const seen = await desk.agent.look('Customer:kim');
    const nine = await Promise.all(
      Array.from({ length: 9 }, (_, n) => desk.agent.propose('customer.email', 'Customer:kim', { template: 'need_information' }, { seen, key: `mail-${n}` })),
    );
    const sent = nine.find(({ outcome }) => outcome?.kind === 'Succeeded')?.attempt?.id;
    for (const { attempt, outcome } of nine) expect([attempt?.id, outcome?.detail?.['attempt']]).toContain(sent);
    expect(sandbox.ledger().filter(({ route }) => route === 'mail')).toHaveLength(1);
  });

  it('twenty grants by two people are one decision and one refund', async () => {
    const order = await desk.order('granted');
    const parked = await desk.agent.refund(order, 6000);
    const approval = String(parked.outcome?.detail?.['approval']);
    const seen = await desk.person.look(approval);
    const answers = await Promise.all(Array.from({ length: 20 }, () => desk.person.propose('approval.grant', approval, {}, { seen })));
    expect(answers.filter(({ outcome }) => outcome?.kind === 'Succeeded')).toHaveLength(1);
    await desk.until(String(parked.attempt?.id), ({ certainty }) => certainty === 'landed');
    expect(desk.effects('ch_granted')).toBe(1);
  });

  it('the log that all this left is whole, and replays from the manifest alone to the same head hash', async () => {
    const records = (await desk.person.ndjson())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as TransitionRecord);
    const summary = (await desk.person.get('')) as {
      readonly head: { readonly sequence: number; readonly hash: string };
      readonly manifest: { readonly hash: string };
    };
    const manifest = await desk.person.http('GET', `/v1/manifests/${summary.manifest.hash}`);
    const sealed = seal(manifest.text);
    expect(canonical(JSON.parse(manifest.text) as Json)).toBe(manifest.text);
    expect(verifyChain(records)).toBeUndefined();
    const { defect, head } = replay(sealed, records);
    expect(defect).toBeUndefined();
    expect(head).toEqual(summary.head);
  });
});
