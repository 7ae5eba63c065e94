// Who is let in at all, and by which credential.
import { beforeEach, describe, expect, test } from 'vitest';
import { expectProblem } from './expect-problem.ts';
import { Deployment, ROOT_KEY, openDesk } from './fakes.ts';
import type { Desk } from './fakes.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});

const alpha = '/v1/worlds/alpha';

describe('keys', () => {
  test('have the form that the contract names, and end in their tenant', () => {
    expect(desk.agent).toMatch(/^cwr_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}\.acme$/);
  });

  test('open the worlds of their tenant', async () => {
    const answer = await desk.at.call('GET', alpha, { key: desk.agent });
    expect(answer.status).toBe(200);
    expect(desk.at.asked.at(-1)).toEqual({ world: 'acme/alpha', method: 'describe', with: [{ tenant: 'acme', actor: 'Agent:one', roles: ['agent'] }] });
  });

  test('are stored as nothing but a digest', () => {
    const stored = JSON.stringify([...desk.at.tenant('acme').keys.values()]);
    const secret = desk.agent.split('_')[2] ?? '';
    expect(secret.length).toBeGreaterThan(43);
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(secret.slice(0, 20));
  });

  test('are listed without their secrets', async () => {
    const listed = await desk.at.root('GET', '/v1/tenants/acme/keys');
    expect(listed.status).toBe(200);
    expect(listed.text).not.toContain(desk.agent.slice(13));
    expect(listed.text).not.toContain('secretDigest');
    expect(listed.json['keys']).toHaveLength(3);
  });

  test('end at once when they are deleted', async () => {
    expect((await desk.at.call('GET', alpha, { key: desk.agent })).status).toBe(200);
    const id = desk.agent.split('_')[1] ?? '';
    const gone = await desk.at.root('DELETE', `/v1/tenants/acme/keys/${id}`);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expectProblem(await desk.at.call('GET', alpha, { key: desk.agent }), 401);
    expectProblem(await desk.at.root('DELETE', `/v1/tenants/acme/keys/${id}`), 404);
  });

  test('end when they expire', async () => {
    const brief = await desk.at.key('acme', 'Agent:brief', { expiresAt: new Date(Date.now() + 40).toISOString() });
    await expect.poll(async () => (await desk.at.call('GET', alpha, { key: brief })).status).toBe(401);
  });

  test('narrowed to other worlds see this one no more than one that does not exist', async () => {
    const narrow = await desk.at.key('acme', 'Agent:narrow', { worlds: ['elsewhere'] });
    const [hidden, absent] = [await desk.at.call('GET', alpha, { key: narrow }), await desk.at.call('GET', '/v1/worlds/nowhere', { key: desk.agent })];
    expectProblem(hidden, 404);
    expect(hidden.text).toBe(absent.text);
    expect((await desk.at.call('GET', '/v1/worlds', { key: narrow })).json).toEqual({ worlds: [] });
  });

  test('narrowed to a world open that one', async () => {
    const narrow = await desk.at.key('acme', 'Agent:narrow', { worlds: ['elsewhere', 'alpha'] });
    expect((await desk.at.call('GET', alpha, { key: narrow })).status).toBe(200);
    expect((await desk.at.call('GET', '/v1/worlds', { key: narrow })).json['worlds']).toHaveLength(1);
  });
});

describe('a 401 answers', () => {
  const cases: readonly [string, (known: Desk) => Readonly<Record<string, string>>][] = [
    ['no credential', () => ({})],
    ['an empty one', () => ({ authorization: 'Bearer ' })],
    ['an unknown key', () => ({ authorization: 'Bearer cwr_00000000_nonsense' })],
    ['a well-formed key of nobody', () => ({ authorization: `Bearer cwr_00000000_${'a'.repeat(43)}.acme` })],
    ['a key of a tenant that does not exist', () => ({ authorization: `Bearer cwr_00000000_${'a'.repeat(43)}.nobody` })],
    ['a key with one more letter', ({ agent }) => ({ authorization: `Bearer ${agent}x` })],
    ['a key with one letter less', ({ agent }) => ({ authorization: `Bearer ${agent.slice(0, -1)}` })],
    ['a key with another secret', ({ agent }) => ({ authorization: `Bearer ${agent.replace(/_[0-9A-Za-z]{43}/, `_${'b'.repeat(43)}`)}` })],
    ['a key that names another tenant', ({ agent }) => ({ authorization: `Bearer ${agent.replace('.acme', '.other')}` })],
    ['another scheme', () => ({ authorization: 'Basic YTpi' })],
    ['a key without scheme', ({ agent }) => ({ authorization: agent })],
    ['two keys', ({ agent }) => ({ authorization: `Bearer ${agent} ${agent}` })],
    ['a credential of 100k letters', () => ({ authorization: `Bearer ${'x'.repeat(100_000)}` })],
    ['the root key with one more letter', () => ({ authorization: `Bearer ${ROOT_KEY}x` })],
    ['a JWT where none is accepted', () => ({ authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJ0ZW5hbnQiOiJhY21lIn0.AA' })],
  ];

  test.each(cases)('%s', async (_, headers) => {
    for (const path of [alpha, '/v1/worlds/nowhere', '/v1/worlds', '/v1/manifests', '/v1/tenants/acme/keys', '/v1/nothing']) {
      const answer = await desk.at.call('GET', path, { headers: headers(desk) });
      expectProblem(answer, 401, path);
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('before the body is looked at', async () => {
    for (const path of [`${alpha}/proposals`, '/v1/tenants']) expectProblem(await desk.at.call('POST', path, { body: 'not json' }), 401);
  });
});

describe('the root key', () => {
  test('is 403 on every route below /v1/worlds, whether or not the world exists', async () => {
    for (const path of ['', '/observation', '/objects?type=Order', '/objects/Order:1', '/transitions']) {
      for (const world of ['alpha', 'nowhere']) expectProblem(await desk.at.root('GET', `/v1/worlds/${world}${path}`), 403, path);
    }
    for (const path of ['/proposals', '/proposals/preview', '/clock']) expectProblem(await desk.at.root('POST', `${alpha}${path}`, {}), 403, path);
    expectProblem(await desk.at.root('GET', '/v1/worlds'), 403);
    expectProblem(await desk.at.root('PUT', alpha, { manifest: 'desk' }), 403);
    expect(desk.at.asked.filter(({ method }) => method !== 'open')).toEqual([]);
  });

  test('opens nothing where the deployment has none', async () => {
    for (const override of [{ ROOT_KEY: '' }, { ROOT_KEY: undefined }]) {
      const at = new Deployment(override as Partial<Deployment['env']>);
      for (const key of ['', 'undefined', ROOT_KEY]) expectProblem(await at.call('POST', '/v1/tenants', { key, body: { tenant: 'x' } }), 401);
    }
  });
});
