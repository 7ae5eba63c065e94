// What the provider does when all is well, and what it remembers.
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { askMail, askRefund, listRefunds } from './asking.ts';

let directory: string;
let ledgerFile: string;
let sandbox: Sandbox;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'sandbox-'));
  ledgerFile = join(directory, 'ledger.ndjson');
  sandbox = await startSandbox({ ledgerFile });
});
afterEach(async () => {
  await sandbox.close();
  rmSync(directory, { recursive: true });
});

async function restarted(): Promise<void> {
  await sandbox.close();
  sandbox = await startSandbox({ ledgerFile, token: sandbox.token });
}

test('the same idempotency key twice is two effects', async () => {
  await askRefund(sandbox);
  await askRefund(sandbox);
  expect(sandbox.ledger()).toMatchObject([
    { n: 1, correlation: 'c1', idempotencyKey: 'c1', charge: 'ch_1', amountCents: 2_500 },
    { n: 2, correlation: 'c1', idempotencyKey: 'c1' },
  ]);
});

test('a payment intent is answered as one', async () => {
  const answer = await askRefund(sandbox, { charge: 'pi_7' });
  expect(await answer.json()).toMatchObject({
    object: 'refund',
    amount: 2_500,
    charge: null,
    payment_intent: 'pi_7',
    status: 'succeeded',
    metadata: { correlation_id: 'c1', world: 'desk' },
  });
});

test('a mail is in the ledger with its recipients and its tag', async () => {
  expect(await (await askMail(sandbox)).json()).toEqual({ id: expect.any(String) });
  await askMail(sandbox, { to: 'one@example.com', tags: { correlation_id: 'm2' } });
  expect(sandbox.ledger()).toMatchObject([
    { route: 'mail', to: ['kim@example.com'], correlation: 'm1' },
    { route: 'mail', to: ['one@example.com'], correlation: 'm2' },
  ]);
});

test.each(['0', '-1', '1.5', 'NaN', ''])('a refund of `%s` cents is refused and uses up no fault', async (amountCents) => {
  sandbox.fault('refund', 'lost_answer');
  expect((await askRefund(sandbox, { amountCents })).status).toBe(400);
  expect(sandbox.ledger()).toEqual([]);
  await expect(askRefund(sandbox)).rejects.toThrow();
});

test('a mail without a recipient is refused', async () => {
  const answer = await askMail(sandbox, { to: [] });
  expect([answer.status, await answer.json()]).toMatchObject([422, { name: 'missing_required_field' }]);
});

test('only the present token is accepted, and none is kept', async () => {
  const old = sandbox.token;
  const fresh = sandbox.rotate();
  const answer = await askRefund(sandbox, { token: old });
  expect([answer.status, await answer.json()]).toMatchObject([401, { error: { type: 'invalid_request_error' } }]);
  expect((await askRefund(sandbox, { token: fresh })).status).toBe(200);
  expect(sandbox.ledger()).toHaveLength(1);
  expect(JSON.stringify(sandbox.requests())).not.toContain(fresh);
});

describe('the list of refunds', () => {
  test('is newest first, by charge, in pages', async () => {
    for (const correlation of ['a', 'b', 'c']) await askRefund(sandbox, { correlation });
    await askRefund(sandbox, { charge: 'ch_other', correlation: 'x' });
    const first = await listRefunds(sandbox, 'charge=ch_1&limit=2');
    expect(first).toMatchObject({ has_more: true, data: [{ metadata: { correlation_id: 'c' } }, { metadata: { correlation_id: 'b' } }] });
    const rest = await listRefunds(sandbox, `charge=ch_1&limit=2&starting_after=${first.data[1]?.id}`);
    expect(rest).toMatchObject({ has_more: false, data: [{ metadata: { correlation_id: 'a' } }] });
  });

  test('shows a refund that failed at once, which is no effect', async () => {
    sandbox.fault('refund', 'failed');
    await askRefund(sandbox);
    expect(sandbox.ledger()).toEqual([]);
    expect((await listRefunds(sandbox, 'charge=ch_1')).data).toMatchObject([{ status: 'failed' }]);
  });

  test('can lag behind, fail, or never end', async () => {
    await askRefund(sandbox);
    sandbox.fault('readback', 'empty');
    expect(await listRefunds(sandbox, 'charge=ch_1')).toMatchObject({ data: [], has_more: false });
    sandbox.fault('readback', 'endless', { times: 2 });
    const one = await listRefunds(sandbox, 'charge=ch_1');
    const two = await listRefunds(sandbox, `charge=ch_1&starting_after=${one.data[0]?.id}`);
    expect([one, two]).toMatchObject([
      { has_more: true, data: [{ metadata: {} }] },
      { has_more: true, data: [{ metadata: {} }] },
    ]);
    sandbox.fault('readback', 'error');
    expect(await listRefunds(sandbox, 'charge=ch_1')).toMatchObject({ error: { type: 'api_error' } });
    sandbox.fault('readback', 'drop');
    await expect(listRefunds(sandbox, 'charge=ch_1')).rejects.toThrow();
    expect((await listRefunds(sandbox, 'charge=ch_1')).data).toHaveLength(1);
  });
});

describe('the ledger file', () => {
  test('holds an effect before its answer is sent, and counts on after a restart', async () => {
    sandbox.fault('refund', 'lost_answer');
    await askRefund(sandbox).catch(() => undefined);
    await restarted();
    await askRefund(sandbox, { correlation: 'c2' });
    expect(sandbox.ledger()).toMatchObject([
      { n: 1, correlation: 'c1' },
      { n: 2, correlation: 'c2' },
    ]);
    expect((await listRefunds(sandbox, 'charge=ch_1')).data).toHaveLength(2);
  });

  test('loses only the line that a kill cut off', async () => {
    await askRefund(sandbox);
    appendFileSync(ledgerFile, '{"effect":true,"n":2,"rou');
    await restarted();
    await askRefund(sandbox, { correlation: 'c2' });
    await restarted();
    expect(sandbox.ledger().map((entry) => entry.correlation)).toEqual(['c1', 'c2']);
  });
});
