// Tenants, worlds and manifests, as far as the router decides about them.
import { beforeEach, describe, expect, test } from 'vitest';
import { errorsOf, expectProblem } from './expect-problem.ts';
import { Deployment, deskNew, deskOld, lab, openDesk } from './fakes.ts';
import type { Answer, Desk } from './fakes.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
  desk.at.asked.length = 0;
});

describe('tenants', () => {
  test('are created once', async () => {
    const [first, again] = [await desk.at.root('POST', '/v1/tenants', { tenant: 'new' }), await desk.at.root('POST', '/v1/tenants', { tenant: 'new' })];
    expect([first.status, first.json, again.status, again.json]).toEqual([201, { tenant: 'new' }, 200, { tenant: 'new' }]);
  });

  test('have names off which nothing can break', async () => {
    for (const tenant of ['UPPER', 'under_score', 'a/b', 'x'.repeat(64), '-dash', '', 'a.b', 'a\n', '\u00e9', 7, null])
      expectProblem(await desk.at.root('POST', '/v1/tenants', { tenant }), 422, String(tenant));
    expect((await desk.at.root('POST', '/v1/tenants', { tenant: 'x'.repeat(63) })).status).toBe(201);
  });
});

describe('a world', () => {
  const put = (world: string, body: unknown, key = desk.operator): Promise<Answer> => desk.at.call('PUT', `/v1/worlds/${world}`, { key, body });

  test('is created once, and opened every time', async () => {
    const [first, again] = [await put('one', { manifest: 'desk' }), await put('one', { manifest: 'desk' })];
    const entry = { world: 'one', manifest: { name: 'desk', version: deskNew.version, hash: deskNew.hash } };
    expect([first.status, first.json, again.status, again.json]).toEqual([201, entry, 200, entry]);
    const opened = { world: 'acme/one', method: 'open', with: [{ tenant: 'acme', actor: 'Operator:ops', roles: ['operator'] }, 'one', deskNew.hash] };
    expect(desk.at.asked).toEqual([opened, opened]);
  });

  test('is made by the newest version of a name, by a version, or by a hash', async () => {
    await put('newest', { manifest: 'desk' });
    await put('older', { manifest: 'desk', version: '1.9.0' });
    await put('hash', { manifest: lab.hash });
    expect(desk.at.asked.map(({ with: [, , hash] }) => hash)).toEqual([deskNew.hash, deskOld.hash, lab.hash]);
  });

  test('keeps its manifest when the same request meets a newer version', async () => {
    expect((await put('kept', { manifest: 'desk', version: '1.9.0' })).status).toBe(201);
    expect((await put('kept', { manifest: 'desk' })).status).toBe(200);
    expect(desk.at.asked.at(-1)?.with[2]).toBe(deskOld.hash);
  });

  test('pinned to another manifest is 409, and is not opened', async () => {
    for (const body of [{ manifest: 'lab' }, { manifest: 'desk', version: '1.9.0' }, { manifest: deskOld.hash }]) expectProblem(await put('alpha', body), 409);
    expect(desk.at.asked).toEqual([]);
  });

  test.each([
    [{ manifest: 'nothing' }, { path: 'manifest', code: 'unknown_manifest' }],
    [{ manifest: `sha256:${'0'.repeat(64)}` }, { path: 'manifest', code: 'unknown_manifest' }],
    [
      { manifest: 'desk', version: '999.0.0' },
      { path: 'version', code: 'unknown_version' },
    ],
    [
      { manifest: deskOld.hash, version: '1.10.0' },
      { path: 'version', code: 'unknown_version' },
    ],
    [{}, { path: 'manifest', code: 'missing' }],
    [
      { manifest: 'desk', owner: 'me' },
      { path: 'owner', code: 'unknown_field' },
    ],
  ])('%j is 422', async (body, error) => {
    const answer = await put('fresh', body);
    expectProblem(answer, 422);
    expect(errorsOf(answer)).toEqual([error]);
    expect(desk.at.tenant('acme').entries.has('fresh')).toBe(false);
  });

  test.each(['UPPER', 'under_score', 'x'.repeat(64), '-dash', '%00', 'a%2fb', '..'])('cannot be called %s', async (world) => {
    const answer = await put(world, { manifest: 'desk' });
    expect([404, 405, 422]).toContain(answer.status);
    expectProblem(answer, answer.status);
    expect(desk.at.asked).toEqual([]);
  });

  test('that refuses to open is answered with its refusal', async () => {
    desk.at.answers.set('open', { status: 409, body: '{"status":409}', contentType: 'application/problem+json' });
    const answer = await put('stuck', { manifest: 'desk' });
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([409, '{"status":409}', 'application/problem+json']);
  });

  test('answers for itself: status, body, type and headers pass through', async () => {
    desk.at.answers.set('propose', { status: 429, body: '{"a":"\u00e9"}', contentType: 'application/problem+json', headers: { 'retry-after': '60' } });
    const answer = await desk.at.call('POST', '/v1/worlds/alpha/proposals', {
      key: desk.agent,
      body: { action: 'a', target: 'T', expectedRevision: 0, parameters: {} },
    });
    expect([answer.status, answer.text, answer.headers.get('content-type'), answer.headers.get('retry-after')]).toEqual([
      429,
      '{"a":"\u00e9"}',
      'application/problem+json',
      '60',
    ]);
  });
});

describe('manifests', () => {
  test('are listed for any key, root included', async () => {
    const named = [deskOld, deskNew, lab].map(({ name, version, hash }) => ({ name, version, hash }));
    for (const answer of [await desk.at.call('GET', '/v1/manifests', { key: desk.agent }), await desk.at.root('GET', '/v1/manifests')])
      expect(answer.json).toEqual({ manifests: named });
  });

  test('are served byte for byte', async () => {
    const answer = await desk.at.call('GET', `/v1/manifests/${lab.hash}`, { key: desk.agent });
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([200, lab.text, 'application/json']);
    expect((await desk.at.call('GET', `/v1/manifests/${encodeURIComponent(lab.hash)}`, { key: desk.agent })).text).toBe(lab.text);
  });

  test('that are not deployed are 404', async () => {
    expectProblem(await desk.at.call('GET', `/v1/manifests/sha256:${'0'.repeat(64)}`, { key: desk.agent }), 404);
    expectProblem(await desk.at.call('GET', '/v1/manifests/desk', { key: desk.agent }), 422);
  });
});

test('a deployment without manifests knows no role', async () => {
  const bare = new Deployment({}, []);
  await bare.root('POST', '/v1/tenants', { tenant: 'acme' });
  expectProblem(await bare.root('POST', '/v1/tenants/acme/keys', { actor: 'Operator:ops', roles: ['operator'] }), 422);
});
