// What holds for every answer, and what needs no credential.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { expectProblem } from './expect-problem.ts';
import { Deployment, openDesk } from './fakes.ts';
import type { Desk } from './fakes.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
});

describe('every answer', () => {
  test('carries a request id of ours, a new one each time', async () => {
    const ids = new Set<string | null>();
    for (const path of ['/healthz', '/openapi.json', '/docs', '/nothing', '/v1/worlds/alpha', '/v1/worlds', '/docs/scalar.js']) {
      const answer = await desk.at.call('GET', path, { key: desk.agent, headers: { 'x-request-id': 'mine' } });
      expect(answer.headers.get('x-request-id'), path).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
      ids.add(answer.headers.get('x-request-id'));
    }
    expect(ids.size).toBe(7);
  });

  test('tells browsers to neither guess, nor keep, nor frame it', async () => {
    for (const path of ['/healthz', '/v1/worlds/alpha', '/v1/worlds/nowhere', '/nothing']) {
      const { headers } = await desk.at.call('GET', path, { key: desk.agent });
      expect(Object.fromEntries(headers)).toMatchObject({
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      });
    }
  });
});

describe('what does not exist', () => {
  test('is a 404 problem', async () => {
    for (const path of ['/', '/nothing', '/v1', '/healthz/', '/console']) expectProblem(await desk.at.call('GET', path), 404, path);
    for (const path of [
      '/v1/nothing',
      '/v1/worlds/alpha/nothing',
      '/v1/worlds/alpha/stream',
      '/v1/worlds/alpha/tools',
      '/v1/worlds/beta/stream',
      '/v1/worlds/alpha/',
    ]) {
      expectProblem(await desk.at.call('GET', path, { key: desk.agent }), 404, path);
    }
    for (const path of ['upgrades', 'rollback', 'mcp'])
      expectProblem(await desk.at.call('POST', `/v1/worlds/alpha/${path}`, { key: desk.operator, body: {} }), 404, path);
  });

  test('is a 405 problem where the path has other methods, which it names', async () => {
    for (const [method, path, allow] of [
      ['DELETE', '/v1/worlds/alpha', 'GET, PUT'],
      ['POST', '/v1/worlds/alpha', 'GET, PUT'],
      ['GET', '/v1/worlds/alpha/proposals', 'POST'],
      ['PATCH', '/healthz', 'GET'],
      ['OPTIONS', '/v1/worlds', 'GET'],
      ['GET', '/v1/tenants', 'POST'],
    ] as const) {
      const answer = await desk.at.call(method, path, { key: desk.agent });
      expectProblem(answer, 405, `${method} ${path}`);
      expect(answer.headers.get('allow')).toBe(allow);
    }
  });

  test('is not told to strangers below /v1', async () => {
    for (const method of ['GET', 'DELETE']) expectProblem(await desk.at.call(method, '/v1/worlds/alpha/stream'), 401);
    expectProblem(await desk.at.call('DELETE', '/v1/worlds/alpha'), 401);
  });
});

describe('a fault', () => {
  const secret = 'whsec_0123456789 in a message';

  class OddError extends Error {}

  test('is a 500 problem and a line in the log, neither with a word of its message', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    desk.at.answers.set('describe', new OddError(secret));
    const answer = await desk.at.call('GET', '/v1/worlds/alpha', { key: desk.agent });
    expectProblem(answer, 500);
    expect(answer.text).not.toContain('whsec');
    expect(log.mock.calls).toEqual([[JSON.stringify({ requestId: answer.headers.get('x-request-id'), error: 'OddError' })]]);
    log.mockRestore();
  });

  test('of an object that is asked too much is 429 with Retry-After', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    desk.at.answers.set('describe', Object.assign(new Error(secret), { overloaded: true }));
    const answer = await desk.at.call('GET', '/v1/worlds/alpha', { key: desk.agent });
    expectProblem(answer, 429);
    expect(answer.headers.get('retry-after')).toBe('1');
    log.mockRestore();
  });
});

describe('without a credential', () => {
  test('the deployment says that it answers', async () => {
    const answer = await desk.at.call('GET', '/healthz');
    expect([answer.status, answer.json]).toEqual([200, { ok: true }]);
    const head = await desk.at.app.request('/healthz', { method: 'HEAD' }, desk.at.env);
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('the documentation is a page that asks no other host', async () => {
    const page = await desk.at.call('GET', '/docs');
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.text).not.toMatch(/(?:https?:)?\/\/[a-z]/i);
    const policy = page.headers.get('content-security-policy') ?? '';
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
    expect(policy).toContain(`default-src 'none'; script-src 'self' 'nonce-${nonce}'`);
    expect(page.text).toContain(`<script src="/docs/scalar.js" nonce="${nonce}">`);
    expect([...page.text.matchAll(/<script[^>]*>/g)].every(([tag]) => tag.includes(`nonce="${nonce}"`))).toBe(true);
    expect((await desk.at.call('GET', '/docs')).text).not.toContain(`nonce="${nonce}"`);
    expect(policy).toContain("connect-src 'self'");
  });

  test('its script comes from the built files, and is 404 where they are missing', async () => {
    expectProblem(await desk.at.call('GET', '/docs/scalar.js'), 404);
    const asked: string[] = [];
    const built = new Deployment({
      ASSETS: {
        fetch: async (url) => {
          asked.push(new URL(url).pathname);
          return new Response('script');
        },
      },
    });
    const script = await built.call('GET', '/docs/scalar.js');
    expect([script.status, script.text, script.headers.get('content-type'), asked]).toEqual([
      200,
      'script',
      'text/javascript; charset=utf-8',
      ['/docs/scalar.js'],
    ]);
    expect(script.headers.get('x-request-id')).not.toBeNull();
  });
});
