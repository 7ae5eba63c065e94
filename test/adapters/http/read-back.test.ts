// Design §8 "Read-back": what is found, what is shown not to be there, and everything else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mail } from '../../../src/adapters/contracts/mail.ts';
import { payments } from '../../../src/adapters/contracts/payments.ts';
import { readBack } from '../../../src/adapters/http/read-back.ts';
import type { ReadBackResult } from '../../../src/adapters/http/read-back.ts';
import { broken, dropped, silent, startFakeServer, status } from './fake-server.ts';
import type { FakeServer, Reply } from './fake-server.ts';
import { CORRELATION_ID, CREDENTIAL, mailScope, refund, refundScope } from './subjects.ts';

const OTHER_ID = 'a0'.repeat(32);

let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer();
});
afterAll(() => server.close());

function look(reply: Reply, correlationIds: readonly string[] = [CORRELATION_ID], more: { readonly timeoutMs?: number } = {}): Promise<ReadBackResult> {
  server.answer(reply);
  const connection = { endpoint: server.origin, credential: CREDENTIAL, settings: {} };
  return readBack(payments, { operation: 'refund', correlationIds, scope: refundScope('ch_1') }, connection, { fetch, ...more });
}

const stranger = (id: string) => refund({ id, charge: null, status: null, metadata: null });
const page = (data: readonly unknown[], more = false): Reply => status(200, { object: 'list', data, has_more: more });

/** Page by page, whatever cursor is asked for. */
function pages(...replies: readonly Reply[]): Reply {
  return (response, asked) => (replies[server.asked.length - 1] ?? dropped)(response, asked);
}

function saysOf({ findings }: ReadBackResult): readonly string[] {
  return findings.map(({ answer }) => answer.says);
}

describe('found', () => {
  it.each([
    ['pending', 'landed', 1],
    ['succeeded', 'landed', 3],
    ['failed', 'failed', 4],
    ['canceled', 'failed', 4],
  ])('an item with the correlation id and status %s says %s', async (word, says, rank) => {
    const { findings, complete } = await look(page([stranger('re_0'), refund({ status: word })]));
    expect(findings).toMatchObject([
      { correlationId: CORRELATION_ID, answer: { says, status: word, rank, code: null, fields: { providerId: 're_1', amountCents: 2_500 } } },
    ]);
    expect(complete).toBe(true);
  });

  it('a landing of an earlier page stands where the walk breaks later', async () => {
    const { findings, complete } = await look(pages(page([refund({ id: 're_9' })], true), status(500, {})), [CORRELATION_ID, OTHER_ID]);
    expect(findings).toMatchObject([{ answer: { says: 'landed' } }, { answer: { says: 'inconclusive', code: 'http_500' } }]);
    expect(complete).toBe(false);
  });

  it('a landing outweighs a failure with the same correlation id, in either order', async () => {
    const both = [refund({ id: 're_2', status: 'failed' }), refund({ id: 're_3', status: 'pending' })];
    for (const data of [both, [...both].reverse()]) {
      expect((await look(page(data))).findings).toMatchObject([{ answer: { says: 'landed', status: 'pending', fields: { providerId: 're_3' } } }]);
    }
  });

  it('a failure does not end the walk, since a landing may follow', async () => {
    const { findings } = await look(pages(page([refund({ id: 're_2', status: 'failed' })], true), page([refund({ id: 're_3' })])));
    expect(findings).toMatchObject([{ answer: { says: 'landed' } }]);
    expect(server.asked).toHaveLength(2);
  });

  it('no further page is asked for once everything has landed', async () => {
    const { complete } = await look(page([refund()], true));
    expect(server.asked).toHaveLength(1);
    expect(complete).toBe(false);
  });

  it('a status that the table does not know is inconclusive, and nothing else is', async () => {
    const { findings, complete } = await look(page([refund({ status: 'reversed' })]), [CORRELATION_ID, OTHER_ID]);
    expect(findings).toMatchObject([{ answer: { says: 'inconclusive', code: 'status_unknown' } }, { answer: { says: 'absent' } }]);
    expect(complete).toBe(true);
  });

  it('of a page too large to keep, the evidence holds the item', async () => {
    const wide = Array.from({ length: 100 }, (_, index) => refund({ id: `re_w${index}`, metadata: { note: 'x'.repeat(1_000) } }));
    const { findings } = await look(page([...wide.slice(1), refund({ id: 're_last' })]));
    const body = findings[0]?.answer.raw?.response?.body ?? '';
    expect(JSON.parse(body)).toMatchObject({ id: 're_last' });
  });
});

describe('not there', () => {
  it('needs every page, each asked for after the last item of the one before', async () => {
    const replies = pages(page([stranger('re_1'), stranger('re_2')], true), page([stranger('re_3')], true), page([]));
    const { findings, complete } = await look(replies, [CORRELATION_ID, OTHER_ID]);
    expect(findings.map(({ answer }) => answer.says)).toEqual(['absent', 'absent']);
    expect(complete).toBe(true);
    expect(server.asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /v1/refunds?charge=ch_1&limit=100',
      'GET /v1/refunds?charge=ch_1&limit=100&starting_after=re_2',
      'GET /v1/refunds?charge=ch_1&limit=100&starting_after=re_3',
    ]);
    expect(server.asked[0]?.headers).toMatchObject({ authorization: `Bearer ${CREDENTIAL}`, 'stripe-version': '2024-10-28.acacia' });
  });
});

describe('inconclusive', () => {
  it.each<[string, Reply, string]>([
    ['a server error', status(500, {}), 'http_500'],
    ['a rate limit', status(429, {}, { 'retry-after': '1' }), 'http_429'],
    ['a lost login', status(401, { error: { type: 'invalid_request_error' } }), 'login_lost'],
    ['a missing right', status(403, { error: { type: 'invalid_request_error' } }), 'login_lost'],
    ['an error page', status(403, '<h1>no</h1>'), 'http_403'],
    ['a charge that is not there', status(404, { error: { type: 'invalid_request_error' } }), 'http_404'],
    ['a redirect', status(302, '', { location: '/login' }), 'redirect'],
    ['a closed connection', dropped, 'connection_lost'],
    ['a page that breaks off', broken(200), 'connection_lost'],
    ['a page that is no page', status(200, { data: [] }), 'page_unfit'],
    ['a page of something else', page([{ id: 'ch_1', object: 'charge', amount: 1 }]), 'page_unfit'],
    ['no JSON', status(200, '<h1>no</h1>'), 'page_unfit'],
    ['more, and nothing to go on from', page([], true), 'page_unfit'],
    ['the same page again and again', page([stranger('re_1')], true), 'page_unfit'],
    ['a page over the cap', status(200, 'x'.repeat(payments.responseBytesMax + 1)), 'body_too_large'],
  ])('%s', async (_what, reply, code) => {
    const { findings, complete } = await look(reply);
    expect(findings).toMatchObject([{ answer: { says: 'inconclusive', code } }]);
    expect(complete).toBe(false);
  });

  it('a silent provider', async () => {
    const { findings } = await look(silent, [CORRELATION_ID], { timeoutMs: 40 });
    expect(findings).toMatchObject([{ answer: { says: 'inconclusive', code: 'timeout' } }]);
  });

  it('a list that never ends, after the compiled number of pages', async () => {
    const endless: Reply = (response, asked) => page([stranger(`re_${server.asked.length}`)], true)(response, asked);
    const result = await look(endless);
    expect(result.findings).toMatchObject([{ answer: { says: 'inconclusive', code: 'pages_exceeded' } }]);
    expect(server.asked).toHaveLength(payments.readBack?.paging.pagesMax ?? -1);
  });

  it('a contract without a list', async () => {
    const connection = { endpoint: server.origin, credential: CREDENTIAL, settings: {} };
    const result = await readBack(mail, { operation: 'send', correlationIds: [CORRELATION_ID], scope: mailScope({}) }, connection, { fetch });
    expect(saysOf(result)).toEqual(['inconclusive']);
    expect(result.complete).toBe(false);
  });
});
