// Signed webhooks against the real server, as it is bundled and served: evidence, duplicates, forgeries.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { Desk } from '../../src/evaluation/desk.ts';
import { Product } from '../../src/evaluation/product.ts';

let product: Product;
let sandbox: Sandbox;
let desk: Desk;

beforeAll(async () => {
  sandbox = await startSandbox();
  product = await Product.start();
  desk = await Desk.open(product, sandbox);
  sandbox.fault('readback', 'error', { times: 'always' });
});

afterAll(async () => {
  await product.end();
  await sandbox.close();
});

/** A refund that committed and whose answer was lost: its attempt, and the correlation id that the provider saw. */
async function lost(name: string): Promise<{ readonly attempt: string; readonly correlation: string; readonly order: string }> {
  const order = await desk.order(name);
  sandbox.fault('refund', 'lost_answer');
  const { attempt } = await desk.agent.refund(order, 2500);
  const doubtful = await desk.until(attempt?.id ?? '', ({ status }) => status === 'settled');
  expect(doubtful.certainty).toBe('in_doubt');
  return { attempt: doubtful.id, correlation: doubtful.correlationId ?? '', order };
}

describe('a webhook of the payment provider', () => {
  it('ends the doubt about a refund, once, whatever its order and number', async () => {
    const { attempt, correlation, order } = await lost('hooked');
    const delivery = { ...desk.hook('payments'), scheme: 'stripe', event: 'refund.updated', correlation, status: 'succeeded', deliveryId: 'evt_1' } as const;
    expect((await sandbox.webhook({ ...delivery, times: 3 })).statuses).toEqual([200, 200, 200]);
    expect((await desk.person.attempt(attempt)).certainty).toBe('landed');
    expect((await sandbox.webhook({ ...delivery, event: 'refund.created', status: 'pending', deliveryId: 'evt_0' })).statuses).toEqual([200]);
    expect((await desk.person.look(order)).state['refundedCents']).toBe(2500);
  });

  it('that is not genuine is 401 and changes nothing', async () => {
    const { attempt, correlation } = await lost('forged');
    const delivery = { ...desk.hook('payments'), scheme: 'stripe', event: 'refund.updated', correlation, status: 'succeeded' } as const;
    expect((await sandbox.webhook({ ...delivery, secret: 'whsec_other' })).statuses).toEqual([401]);
    expect((await sandbox.webhook({ ...delivery, flaw: 'tampered' })).statuses).toEqual([401]);
    expect((await desk.person.attempt(attempt)).certainty).toBe('in_doubt');
  });

  it('that says the money came back reverts what had landed', async () => {
    const order = await desk.order('returned');
    const { attempt } = await desk.agent.refund(order, 2500);
    expect(attempt?.certainty).toBe('landed');
    await sandbox.webhook({ ...desk.hook('payments'), scheme: 'stripe', event: 'refund.failed', correlation: attempt?.correlationId ?? '', status: 'failed' });
    expect((await desk.person.attempt(attempt?.id ?? '')).certainty).toBe('reverted');
    expect((await desk.person.look(order)).state['refundedCents']).toBe(0);
  });
});

describe('a webhook of the mail provider', () => {
  it('ends the doubt about a mail', async () => {
    sandbox.fault('mail', 'lost_answer');
    const { attempt } = await desk.agent.propose('customer.email', 'Customer:kim', { template: 'need_information' });
    const doubtful = await desk.until(attempt?.id ?? '', ({ status }) => status === 'settled');
    const delivery = { ...desk.hook('mail'), scheme: 'standard', event: 'email.delivered', correlation: doubtful.correlationId ?? '' } as const;
    expect((await sandbox.webhook(delivery)).statuses).toEqual([200]);
    expect((await desk.person.attempt(doubtful.id)).certainty).toBe('landed');
  });
});
