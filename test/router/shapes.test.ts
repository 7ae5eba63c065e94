// What a request may look like: bodies, headers, query parameters.
import { beforeEach, describe, expect, test } from 'vitest';
import { errorsOf, expectProblem } from './expect-problem.ts';
import { openDesk, read } from './fakes.ts';
import type { Answer, Desk } from './fakes.ts';

let desk: Desk;
beforeEach(async () => {
  desk = await openDesk();
  desk.at.asked.length = 0;
});

const good = { action: 'order.refund', target: 'Order:1001', expectedRevision: 1, observed: 'cursor', parameters: { amountCents: 100, reason: 'duplicate' } };
const long = 'x'.repeat(10_000);
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const withParameters = (text: string): string => JSON.stringify({ ...good, parameters: 0 }).replace('"parameters":0', `"parameters":${text}`);

function post(body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return desk.at.call('POST', '/v1/worlds/alpha/proposals', { key: desk.agent, body, headers });
}

describe('a proposal', () => {
  test('reaches the world as it was sent, with who asks taken from the credential', async () => {
    const body = { ...good, expectedOutcome: 'Succeeded', task: 'Task:t1', predecessor: 'ActionAttempt:12' };
    expect((await post(body)).status).toBe(200);
    const [principal, proposal, options] = desk.at.asked[0]?.with ?? [];
    expect(principal).toEqual({ tenant: 'acme', actor: 'Agent:one', roles: ['agent'] });
    expect(proposal).toEqual(body);
    expect(options).toEqual({ idempotencyKey: null, bodyDigest: expect.stringMatching(/^[0-9a-f]{64}$/), waitSeconds: 10 });
  });

  test('needs no cursor here, and may name a bare type', async () => {
    const { observed: _, ...unseen } = good;
    expect((await post({ ...unseen, target: 'Customer', expectedRevision: 0 })).status).toBe(200);
  });

  test('has a digest of exactly its bytes', async () => {
    await post(JSON.stringify(good));
    await post(`${JSON.stringify(good)} `);
    await post(JSON.stringify(good));
    const [first, second, third] = desk.at.asked.map(({ with: [, , options] }) => (options as { readonly bodyDigest: string }).bodyDigest);
    expect(second).not.toBe(first);
    expect(third).toBe(first);
  });

  const unfit: readonly [string, unknown, unknown][] = [
    ['an actor in the body', { ...good, actor: 'Operator:ops' }, [{ path: 'actor', code: 'unknown_field' }]],
    [
      'roles and a tenant in the body',
      { ...good, roles: ['operator'], tenant: 'x' },
      [
        { path: 'roles', code: 'unknown_field' },
        { path: 'tenant', code: 'unknown_field' },
      ],
    ],
    ['missing fields', { action: 'order.refund' }, ['target', 'expectedRevision', 'parameters'].map((path) => ({ path, code: 'missing' }))],
    ['an array', [good], [{ path: '', code: 'wrong_type' }]],
    ['null', null, [{ path: '', code: 'wrong_type' }]],
    ['a negative revision', { ...good, expectedRevision: -1 }, [{ path: 'expectedRevision', code: 'too_small' }]],
    ['a fractional revision', { ...good, expectedRevision: 1.5 }, [{ path: 'expectedRevision', code: 'wrong_type' }]],
    ['a revision above 2^53 - 1', { ...good, expectedRevision: 2 ** 53 }, [{ path: 'expectedRevision', code: 'too_large' }]],
    ['a revision in quotes', { ...good, expectedRevision: '1' }, [{ path: 'expectedRevision', code: 'wrong_type' }]],
    ['a cursor that is null', { ...good, observed: null }, [{ path: 'observed', code: 'wrong_type' }]],
    ['a cursor of 10k characters', { ...good, observed: long }, [{ path: 'observed', code: 'too_large' }]],
    ['an action of 10k characters', { ...good, action: long }, [{ path: 'action', code: 'too_large' }]],
    ['a target that is no id', { ...good, target: '../../secrets' }, [{ path: 'target', code: 'bad_format' }]],
    ['a target __proto__', { ...good, target: '__proto__' }, [{ path: 'target', code: 'bad_format' }]],
    ['a target with a line break at its end', { ...good, target: 'Order:1\n' }, [{ path: 'target', code: 'bad_format' }]],
    ['a task that is no id', { ...good, task: 'not an id' }, [{ path: 'task', code: 'bad_format' }]],
    ['a bare type as task', { ...good, task: 'Task' }, [{ path: 'task', code: 'bad_format' }]],
    ['an outcome that does not exist', { ...good, expectedOutcome: 'Perhaps' }, [{ path: 'expectedOutcome', code: 'unknown_value' }]],
    ['parameters that are a list', { ...good, parameters: [] }, [{ path: 'parameters', code: 'wrong_type' }]],
  ];
  test.each(unfit)('with %s is 422 and says where', async (_, body, errors) => {
    for (const path of ['/proposals', '/proposals/preview']) {
      const answer = await desk.at.call('POST', `/v1/worlds/alpha${path}`, { key: desk.agent, body: JSON.stringify(body) });
      expectProblem(answer, 422);
      expect(errorsOf(answer)).toEqual(errors);
    }
    expect(desk.at.asked).toEqual([]);
  });

  test('with ids of 10k characters is 422', async () => {
    for (const field of ['target', 'task', 'predecessor']) expectProblem(await post({ ...good, [field]: `Task:${long}` }), 422, field);
  });

  test('with many unknown fields lists a bounded number of them, each path of bounded length', async () => {
    const answer = await post({ ...good, ...Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`${long}${index}`, 1])) });
    expectProblem(answer, 422);
    expect(answer.text.length).toBeLessThan(5000);
  });

  const unrepresentable: readonly [string, string, unknown][] = [
    ['a prototype', '{"__proto__":{"amountCents":1},"amountCents":100}', { path: 'parameters.__proto__', code: 'forbidden_name' }],
    ['a prototype further down', '{"a":[{"__proto__":1}]}', { path: 'parameters.a.0.__proto__', code: 'forbidden_name' }],
    ['an escaped prototype', '{"__pr\\u006fto__":1}', { path: 'parameters.__proto__', code: 'forbidden_name' }],
    ['1e400', '{"amountCents":1e400}', { path: 'parameters.amountCents', code: 'number_out_of_range' }],
    ['-1e400 in a list', '{"a":[1,-1e400]}', { path: 'parameters.a.1', code: 'number_out_of_range' }],
    ['minus zero', '{"amountCents":-0}', { path: 'parameters.amountCents', code: 'number_out_of_range' }],
    ['half a surrogate pair', '{"note":"\\ud83d"}', { path: 'parameters.note', code: 'ill_formed_text' }],
  ];
  test.each(unrepresentable)('with %s among its parameters is 422', async (_, parameters, error) => {
    const answer = await post(withParameters(parameters));
    expectProblem(answer, 422);
    expect(errorsOf(answer)).toEqual([error]);
    expect(({} as Record<string, unknown>)['amountCents']).toBeUndefined();
    expect(desk.at.asked).toEqual([]);
  });

  test('with a fractional amount is for the world to judge', async () => {
    expect((await post(withParameters('{"amountCents":100.5}'))).status).toBe(200);
    expect(desk.at.asked[0]?.with[1]).toMatchObject({ parameters: { amountCents: 100.5 } });
  });
});

describe('a body', () => {
  test('that is not JSON is 400', async () => {
    for (const body of ['{"action": "order.refund",', '\ufeff\u0000', `\ufeff${JSON.stringify(good)}`, '', ' ', 'NaN', "{'a':1}", '{"a":1}{}'])
      expectProblem(await post(body), 400, body);
    const response = await desk.at.app.request(
      '/v1/worlds/alpha/proposals',
      { method: 'POST', headers: { authorization: `Bearer ${desk.agent}`, 'content-type': 'application/json' }, body: new Uint8Array([123, 34, 255, 34, 125]) },
      desk.at.env,
    );
    expectProblem(await read(response), 400, 'not UTF-8');
  });

  test('of another media type, or of none, is 415', async () => {
    const text = JSON.stringify(good);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonx',
      'application/problem+json',
      'text/json',
      '',
    ]) {
      expectProblem(await post(text, { 'content-type': type }), 415, type);
    }
    expectProblem(await post(text, { 'content-encoding': 'gzip' }), 415);
  });

  test('may name its charset', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON'])
      expect((await post(JSON.stringify(good), { 'content-type': type })).status).toBe(200);
  });

  test('above 1 MiB is 413, at 1 MiB it is read', async () => {
    const fill = (bytes: number): string =>
      JSON.stringify({ ...good, parameters: { note: '' } }).replace(
        '""',
        `"${'x'.repeat(bytes - JSON.stringify({ ...good, parameters: { note: '' } }).length)}"`,
      );
    expect((await post(fill(1_048_576))).status).toBe(200);
    expectProblem(await post(fill(1_048_577)), 413);
  });

  test('is not read beyond its limit, whatever its length claims to be', async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const init = {
      method: 'POST',
      headers: { authorization: `Bearer ${desk.agent}`, 'content-type': 'application/json', 'content-length': '10' },
      body: endless,
      duplex: 'half',
    };
    const response = await desk.at.app.request(new Request('http://localhost/v1/worlds/alpha/proposals', init as RequestInit), undefined, desk.at.env);
    expectProblem(await read(response), 413);
    expect(sent).toBeLessThan(2 * 1_048_576);
  });

  test('deeper than 32 levels is 413, counted before it is parsed', async () => {
    expectProblem(await post(nested(20_000)), 413);
    expectProblem(await post('['.repeat(500_000)), 413);
    expectProblem(await post(withParameters(`{"x":${nested(20_000)}}`)), 413);
    expectProblem(await post(withParameters(`{"x":${nested(31)}}`)), 413);
    expect((await post(withParameters(`{"x":${nested(30)}}`))).status).toBe(200);
  });

  test('may hold any number of brackets in its texts', async () => {
    expect((await post(withParameters(JSON.stringify({ note: `\\"${nested(1000)}\\` })))).status).toBe(200);
  });

  test('that is too large, too deep or malformed is refused before it is compared with any schema', async () => {
    expectProblem(await desk.at.call('PUT', '/v1/worlds/alpha', { key: desk.operator, body: nested(33) }), 413);
    expectProblem(await desk.at.call('POST', '/v1/worlds/alpha/clock', { key: desk.operator, body: '{' }), 400);
    expectProblem(await desk.at.root('POST', '/v1/tenants', '{"tenant":'), 400);
  });
});

describe('headers of a proposal', () => {
  const optionsAfter = async (headers: Readonly<Record<string, string>>): Promise<unknown> => {
    expect((await post(good, headers)).status).toBe(200);
    return desk.at.asked.at(-1)?.with[2];
  };

  test.each([
    [undefined, 10],
    ['wait=3', 3],
    ['wait=0', 0],
    ['wait=25', 25],
    ['wait=26', 25],
    ['wait=999999', 25],
    ['respond-async, wait=7', 7],
    ['wait = "4"', 4],
    ['wait=2, wait=9', 2],
    ['WAIT=5', 5],
    ['wait=-1', 10],
    ['wait=1.5', 10],
    ['wait=soon', 10],
    ['wait', 10],
    ['await=3', 10],
    ['wait=99999999999999999999', 10],
    [',;=', 10],
  ])('Prefer %s means waiting %i s', async (prefer, seconds) => {
    expect(await optionsAfter(prefer === undefined ? {} : { prefer })).toMatchObject({ waitSeconds: seconds });
  });

  test('an Idempotency-Key of 1 to 255 printable characters is passed on', async () => {
    for (const key of ['a', 'k'.repeat(255), 'a b~!']) expect(await optionsAfter({ 'idempotency-key': key })).toMatchObject({ idempotencyKey: key });
  });

  test('any other Idempotency-Key is 422', async () => {
    for (const key of ['', 'k'.repeat(256), 'caf\u00e9', 'a\tb']) {
      const answer = await post(good, { 'idempotency-key': key });
      expectProblem(answer, 422, key);
      expect(errorsOf(answer)).toEqual([{ path: 'header.Idempotency-Key', code: 'bad_format' }]);
    }
  });
});

describe('query parameters', () => {
  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    desk.at.call('GET', `/v1/worlds/alpha${path}`, { key: desk.person, headers });

  test.each([
    ['/objects', 'objects', { type: null, after: null, limit: 100 }],
    ['/objects?type=Order&after=Order:1&limit=7', 'objects', { type: 'Order', after: 'Order:1', limit: 7 }],
    ['/objects?limit=101', 'objects', { type: null, after: null, limit: 100 }],
    ['/objects?limit=1000000000', 'objects', { type: null, after: null, limit: 100 }],
    ['/transitions', 'transitions', { after: 0, limit: 100, ndjson: false }],
    ['/transitions?after=12&limit=1', 'transitions', { after: 12, limit: 1, ndjson: false }],
    ['/observation', 'observe', { task: null, focus: null, since: null, maxBytes: null }],
    ['/observation?task=Task:1&focus=Order:2&since=anything&maxBytes=4096', 'observe', { task: 'Task:1', focus: 'Order:2', since: 'anything', maxBytes: 4096 }],
    ['/observation?unknown=1', 'observe', { task: null, focus: null, since: null, maxBytes: null }],
  ])('%s', async (path, method, query) => {
    expect((await get(path)).status).toBe(200);
    expect(desk.at.asked).toEqual([{ world: 'acme/alpha', method, with: [{ tenant: 'acme', actor: 'Person:ann', roles: ['human'] }, query] }]);
  });

  test.each([
    '/objects?limit=-1',
    '/objects?limit=0',
    '/objects?limit=1e9',
    '/objects?limit=',
    '/objects?limit=ten',
    '/objects?limit=0x10',
    '/objects?limit=99999999999999999999',
    '/objects?limit=1&limit=2',
    '/objects?type=No%20Type',
    `/objects?type=${'T'.repeat(65)}`,
    `/objects?after=${long}`,
    '/transitions?after=minus',
    '/transitions?after=-1',
    '/transitions?limit=1e9',
    '/observation?maxBytes=-5',
    '/observation?maxBytes=0',
    '/observation?maxBytes=many',
    '/observation?focus=nonsense',
    '/observation?task=',
    `/observation?since=${long}`,
    '/objects/Order:%00',
    '/objects/..%2f..%2fsecrets',
    '/objects/%E0%A4%A',
    `/objects/Order:${long}`,
    '/objects/Order',
  ])('%s is 422', async (path) => {
    expectProblem(await get(path), 422);
    expect(desk.at.asked).toEqual([]);
  });

  test('the log comes line by line for who asks for it so', async () => {
    desk.at.answers.set('transitions', { status: 200, body: '{"sequence":1}\n', contentType: 'application/x-ndjson' });
    const answer = await desk.at.app.request(
      '/v1/worlds/alpha/transitions',
      { headers: { authorization: `Bearer ${desk.person}`, accept: 'application/x-ndjson' } },
      desk.at.env,
    );
    expect(desk.at.asked[0]?.with[1]).toMatchObject({ ndjson: true });
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['application/x-ndjson', '{"sequence":1}\n']);
    for (const accept of ['application/json', '*/*', 'text/html', 'application/json, application/x-ndjson;q=0.5', 'application/x-ndjson;q=0']) {
      await get('/transitions', { accept });
      expect(desk.at.asked.at(-1)?.with[1], accept).toMatchObject({ ndjson: false });
    }
  });
});
