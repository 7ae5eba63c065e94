// Webhooks: no credential, one answer to every failure.
import { beforeEach, describe, expect, test } from 'vitest';
import { expectProblem } from './expect-problem.ts';
import { openDesk, read } from './fakes.ts';
import type { Answer, Desk } from './fakes.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
  desk.at.asked.length = 0;
});

const deliver = (path: string, body: BodyInit = '{"id":"evt_1"}', headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  Promise.resolve(desk.at.app.request(`/v1/hooks/${path}`, { method: 'POST', headers, body }, desk.at.env)).then(read);

describe('a delivery', () => {
  test('reaches the world with its raw body and its headers, of whatever media type', async () => {
    const answer = await deliver('acme/alpha/payments', '{"a" : "\u00e9"}\n', { 'Stripe-Signature': 't=1,v1=x', 'content-type': 'text/plain' });
    expect(answer.status).toBe(200);
    expect(desk.at.asked).toEqual([
      {
        world: 'acme/alpha',
        method: 'hook',
        with: [{ integration: 'payments', headers: expect.objectContaining({ 'stripe-signature': 't=1,v1=x' }), body: '{"a" : "\u00e9"}\n' }],
      },
    ]);
  });

  test('keeps a byte order mark, which is signed too', async () => {
    await deliver('acme/alpha/payments', '\ufeff{}');
    expect(desk.at.asked[0]?.with[0]).toMatchObject({ body: '\ufeff{}' });
  });

  test('fails in one way only, whichever name or signature is wrong', async () => {
    desk.at.answers.set('hook', { status: 401, body: '{"why":"the world has a reason"}', contentType: 'application/problem+json' });
    const texts = new Set<string>();
    const paths = [
      'acme/alpha/payments',
      'acme/alpha/nothing',
      'acme/nowhere/payments',
      'nobody/alpha/payments',
      'UPPER/alpha/payments',
      'acme/under_score/payments',
      'acme/alpha/%00',
      `acme/alpha/${'x'.repeat(200)}`,
    ];
    for (const path of paths) {
      const answer = await deliver(path);
      expectProblem(answer, 401, path);
      texts.add(answer.text);
    }
    expect(texts.size).toBe(1);
    expectProblem(await deliver('acme/alpha/payments', new Uint8Array([255, 254])), 401);
  });

  test('above 1 MiB is 413, before any name is looked up', async () => {
    for (const path of ['acme/alpha/payments', 'nobody/alpha/payments']) expectProblem(await deliver(path, 'x'.repeat(1_048_577)), 413);
    expect(desk.at.asked).toEqual([]);
  });

  test('needs POST', async () => {
    expectProblem(await desk.at.call('GET', '/v1/hooks/acme/alpha/payments'), 405);
    expectProblem(await desk.at.call('POST', '/v1/hooks/acme/alpha'), 404);
  });
});
