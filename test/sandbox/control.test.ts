// The routes under /sandbox/, and the webhooks that they send.
import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { startFakeServer, status } from '../adapters/http/fake-server.ts';
import type { FakeServer } from '../adapters/http/fake-server.ts';
import { askRefund, control, listRefunds } from './asking.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

test('faults are set and cleared over HTTP', async () => {
  expect((await control(sandbox, 'POST faults', { route: 'refund', mode: 'error_500', times: 'always' })).status).toBe(200);
  expect((await askRefund(sandbox)).status).toBe(500);
  expect((await control(sandbox, 'DELETE faults')).status).toBe(200);
  expect((await askRefund(sandbox)).status).toBe(200);
  expect((await control(sandbox, 'GET ledger')).json).toMatchObject({ ledger: [{ n: 1, correlation: 'c1' }] });
  expect((await control(sandbox, 'GET requests')).json).toMatchObject({ requests: [{ mode: 'error_500' }, { mode: 'ok', committed: true }] });
});

test.each([
  { route: 'refund', mode: 'constantly' },
  { route: 'nowhere', mode: 'ok' },
  { route: 'readback', mode: 'decline' },
  { route: 'refund', mode: 'ok', times: 0 },
])('a fault that cannot be is refused: %o', async (order) => {
  expect((await control(sandbox, 'POST faults', order)).status).toBe(422);
});

test('the token is rotated over HTTP', async () => {
  const { json } = await control(sandbox, 'POST token');
  expect(json).toEqual({ token: sandbox.token });
  expect((await askRefund(sandbox)).status).toBe(200);
});

test('a web page may not use the control routes', async () => {
  const headers = { origin: 'https://example.com' };
  expect((await fetch(`${sandbox.url}/sandbox/token`, { method: 'POST', headers })).status).toBe(403);
  expect(await statusFor('rebound.example.com')).toBe(403);
});

function statusFor(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(`${sandbox.url}/sandbox/ledger`, { headers: { host } }, (answer) => resolve(answer.resume().statusCode ?? 0));
    asked.on('error', reject).end();
  });
}

describe('a webhook', () => {
  let receiver: FakeServer;
  beforeEach(async () => {
    receiver = await startFakeServer();
    receiver.answer(status(200, {}));
  });
  afterEach(() => receiver.close());
  const order = (more: object): object => ({
    url: `${receiver.origin}/hook`,
    secret: 'whsec_c2VjcmV0',
    scheme: 'stripe',
    event: 'refund.updated',
    correlation: 'c1',
    ...more,
  });

  test('of Stripe is signed over its bytes with the whole secret', async () => {
    await askRefund(sandbox);
    const { json } = await control(sandbox, 'POST webhooks', order({ deliveryId: 'evt_1', times: 2 }));
    expect(json).toMatchObject({ deliveryId: 'evt_1', statuses: [200, 200] });
    const [got, again] = receiver.asked;
    const [, seconds = '', signature = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(got?.headers['stripe-signature'])) ?? [];
    expect(signature).toBe(createHmac('sha256', 'whsec_c2VjcmV0').update(`${seconds}.${got?.body}`).digest('hex'));
    expect(again?.body).toBe(got?.body);
    expect(JSON.parse(got?.body ?? '')).toMatchObject({
      id: 'evt_1',
      type: 'refund.updated',
      livemode: false,
      data: { object: { status: 'succeeded', metadata: { correlation_id: 'c1' } } },
    });
  });

  test('moves the status of the refund that it is about', async () => {
    await askRefund(sandbox);
    await control(sandbox, 'POST webhooks', order({ event: 'refund.failed', status: 'failed' }));
    expect((await listRefunds(sandbox, 'charge=ch_1')).data).toMatchObject([{ status: 'failed' }]);
    expect(sandbox.ledger()).toHaveLength(1);
  });

  test('in Standard form is signed with the decoded secret, under either family of names', async () => {
    await control(sandbox, 'POST webhooks', order({ scheme: 'standard', event: 'email.delivered', deliveryId: 'msg_1', family: 'svix', tags: 'list' }));
    const [got] = receiver.asked;
    const signed = `msg_1.${String(got?.headers['svix-timestamp'])}.${got?.body}`;
    expect(got?.headers['svix-signature']).toBe(`v1,${createHmac('sha256', 'secret').update(signed).digest('base64')}`);
    expect(JSON.parse(got?.body ?? '')).toMatchObject({ type: 'email.delivered', data: { tags: [{ name: 'correlation_id', value: 'c1' }] } });
  });

  test('can be unsigned, tampered with, or old', async () => {
    await control(sandbox, 'POST webhooks', order({ flaw: 'unsigned' }));
    await control(sandbox, 'POST webhooks', order({ flaw: 'tampered' }));
    await control(sandbox, 'POST webhooks', order({ ageSeconds: 1_000 }));
    const [unsigned, tampered, old] = receiver.asked;
    expect(unsigned?.headers['stripe-signature']).toBeUndefined();
    const [, seconds = '', signature = ''] = /^t=(\d+),v1=(.*)$/.exec(String(tampered?.headers['stripe-signature'])) ?? [];
    expect(signature).not.toBe(createHmac('sha256', 'whsec_c2VjcmV0').update(`${seconds}.${tampered?.body}`).digest('hex'));
    expect(Number(/^t=(\d+)/.exec(String(old?.headers['stripe-signature']))?.[1])).toBeLessThan(Date.now() / 1000 - 990);
  });

  test('goes to this machine only', async () => {
    expect((await control(sandbox, 'POST webhooks', order({ url: 'http://example.com/hook' }))).status).toBe(422);
  });
});
