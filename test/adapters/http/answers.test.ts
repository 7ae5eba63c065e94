// Answers that only one contract can give, and what the port may not let through.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { perform } from '../../../src/adapters/http/perform.ts';
import { compileExpectations, compileRequest } from '../../../src/adapters/http/request.ts';
import type { Answer, Fetch } from '../../../src/adapters/port.ts';
import { stalled, startFakeServer, status } from './fake-server.ts';
import type { FakeServer, Reply } from './fake-server.ts';
import { CREDENTIAL, mailSubject, paymentsSubject, refund } from './subjects.ts';
import type { Subject } from './subjects.ts';

let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer();
});
afterAll(() => server.close());

async function ask(
  subject: Subject,
  reply: Reply,
  more: { readonly timeoutMs?: number; readonly fetch?: Fetch; readonly now?: () => number } = {},
): Promise<Answer> {
  server.answer(reply);
  const expectations = compileExpectations(subject.contract, subject.operation, subject.scope);
  const connection = { endpoint: server.origin, credential: CREDENTIAL, settings: {} };
  return perform({ contract: subject.contract, name: subject.operation }, compileRequest(subject.contract, subject.operation, subject.scope), connection, {
    fetch,
    expectations,
    ...more,
  });
}

describe('payments', () => {
  it.each([
    ['pending', 'landed', 1],
    ['requires_action', 'landed', 2],
    ['succeeded', 'landed', 3],
    ['failed', 'failed', 4],
    ['canceled', 'failed', 4],
  ])('the status %s says %s with rank %i', async (word, says, rank) => {
    expect(await ask(paymentsSubject, status(200, refund({ status: word })))).toMatchObject({ says, status: word, rank });
  });

  it.each([
    ['another amount', refund({ amount: 2_499 }), 'echo_differs'],
    ['an amount as text', refund({ amount: '2500' }), 'body_unfit'],
    ['a status that the table does not know', refund({ status: 'reversed' }), 'body_unfit'],
    ['no status', refund({ status: null }), 'body_unfit'],
    ['another object', refund({ object: 'charge' }), 'body_unfit'],
    ['a list', [refund()], 'body_unfit'],
  ])('a 2xx with %s violates the protocol', async (_what, body, code) => {
    expect(await ask(paymentsSubject, status(200, body))).toMatchObject({ says: 'violated', code, fields: {} });
  });

  it.each([
    [400, 'invalid_request_error', 'declined'],
    [404, 'invalid_request_error', 'declined'],
    [402, 'card_error', 'declined'],
    [403, 'invalid_request_error', 'login_lost'],
    [400, 'idempotency_error', 'unclear'],
    [402, 'quota_error', 'unclear'],
    [401, 'api_error', 'unclear'],
    [422, 'invalid_request_error', 'unclear'],
  ])('%i with type %s says %s', async (code, type, says) => {
    expect(await ask(paymentsSubject, status(code, { error: { type, message: 'x' } }))).toMatchObject({
      says,
      code: says === 'unclear' ? `http_${code}` : type,
    });
  });

  it.each([
    ['half a surrogate pair', '\ud800x', '\ufffdx'],
    ['a long text', `${'x'.repeat(511)}😀`, `${'x'.repeat(511)}\ufffd`],
    ['minus zero', -0, 0],
    ['a boolean', true, true],
    ['a fraction', 0.5, undefined],
    ['null', null, undefined],
    ['an object', { deep: 'text' }, undefined],
  ])('evidence from outside is bounded and can be hashed: %s', async (_what, value, expected) => {
    const reply = status(200, JSON.stringify(refund({ failure_reason: value })).replace('"failure_reason":0', '"failure_reason":-0'));
    const { says, fields } = await ask(paymentsSubject, reply);
    expect(says).toBe('landed');
    expect(fields['failureReason']).toBe(expected);
  });
});

describe('mail', () => {
  const error = (code: number, name: string) => status(code, { statusCode: code, name, message: 'x' });

  it.each([
    [400, 'validation_error', 'declined'],
    [403, 'validation_error', 'declined'],
    [422, 'a_new_error', 'declined'],
    [401, 'a_new_error', 'login_lost'],
    [403, 'invalid_api_key', 'login_lost'],
    [403, 'restricted_api_key', 'login_lost'],
    [403, 'missing_api_key', 'login_lost'],
    [404, 'not_found', 'unclear'],
    [409, 'concurrent_idempotent_requests', 'unclear'],
  ])('%i with name %s says %s', async (code, name, says) => {
    expect(await ask(mailSubject, error(code, name))).toMatchObject({ says });
  });

  it('an error that is not of the form of the provider proves nothing', async () => {
    expect(await ask(mailSubject, status(400, { name: 'TypeError', message: 'x is not a function', statusCode: 400 }))).toMatchObject({ says: 'unclear' });
    expect(await ask(mailSubject, status(422, { name: 'validation_error', message: 'x' }))).toMatchObject({ says: 'unclear' });
  });
});

describe('time', () => {
  const nowMs = Date.UTC(2026, 11, 1, 12);

  it.each([
    ['0', 0],
    ['120', 120_000],
    ['86400', 86_400_000],
    ['999999', 86_400_000],
    ['Tue, 01 Dec 2026 12:00:30 GMT', 30_000],
    ['Tue, 01 Dec 2026 11:00:00 GMT', 0],
    ['Fri, 31 Dec 2027 00:00:00 GMT', 86_400_000],
    ['1.5', null],
    ['-1', null],
    ['soon', null],
    ['2027-01-01', null],
  ])('Retry-After %s is %s ms', async (header, expected) => {
    expect(await ask(paymentsSubject, status(429, {}, { 'retry-after': header }), { now: () => nowMs })).toMatchObject({
      says: 'rate_limited',
      retryAfterMs: expected,
    });
  });

  it('a 429 without Retry-After is rate limited too', async () => {
    expect(await ask(paymentsSubject, status(429, {}))).toMatchObject({ says: 'rate_limited', retryAfterMs: null });
  });

  it('a body that never ends is a time-out', async () => {
    const answer = await ask(paymentsSubject, stalled(200), { timeoutMs: 40 });
    expect(answer).toMatchObject({ says: 'unclear', code: 'timeout' });
    expect(answer.raw?.response).toMatchObject({ status: 200, body: '{"id":' });
  });

  it('a runtime that ignores the signal cannot hold the answer back', async () => {
    const answer = await ask(paymentsSubject, status(200, {}), { timeoutMs: 20, fetch: () => new Promise(() => undefined) });
    expect(answer).toMatchObject({ says: 'unclear', code: 'timeout' });
  });

  it('a fetch that throws at once is a lost connection', async () => {
    const fetch: Fetch = () => {
      throw new TypeError('no');
    };
    expect(await ask(paymentsSubject, status(200, {}), { fetch })).toMatchObject({ says: 'unclear', code: 'connection_lost' });
  });

  it('fetch is called without a receiver, as workerd demands', async () => {
    const receivers: unknown[] = [];
    const fetch: Fetch = async function (this: unknown) {
      receivers.push(this);
      return new Response('{}', { status: 503 });
    };
    await ask(paymentsSubject, status(200, {}), { fetch });
    expect(receivers).toEqual([undefined]);
  });

  it('a redirect that the runtime hides is a redirect', async () => {
    const hidden = { type: 'opaqueredirect', status: 0, headers: new Headers(), body: null } as unknown as Response;
    expect(await ask(paymentsSubject, status(200, {}), { fetch: async () => hidden })).toMatchObject({ says: 'violated', code: 'redirect' });
  });
});

it('an operation that the contract does not have sends nothing', async () => {
  server.answer(status(200, {}));
  const request = compileRequest(paymentsSubject.contract, 'refund', paymentsSubject.scope);
  const connection = { endpoint: server.origin, credential: CREDENTIAL, settings: {} };
  const answer = await perform({ contract: paymentsSubject.contract, name: 'constructor' }, request, connection, { fetch, expectations: {} });
  expect(answer).toMatchObject({ says: 'unclear', code: 'request_not_built' });
  expect(server.asked).toHaveLength(0);
});
