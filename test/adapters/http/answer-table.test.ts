// Design §8 "What an answer proves": one generated test for each situation and contract, over a real socket.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SITUATIONS, SAYS } from '../../../src/adapters/http/classify.ts';
import type { Situation } from '../../../src/adapters/http/classify.ts';
import { perform } from '../../../src/adapters/http/perform.ts';
import { compileExpectations, compileRequest } from '../../../src/adapters/http/request.ts';
import type { Answer } from '../../../src/adapters/port.ts';
import type { EvidenceKind } from '../../../src/kernel/index.ts';
import { broken, dropped, silent, startFakeServer, status } from './fake-server.ts';
import type { FakeServer, Reply } from './fake-server.ts';
import { CREDENTIAL, SUBJECTS, refund } from './subjects.ts';
import type { Subject } from './subjects.ts';

interface Cell {
  readonly reply: Reply;
  readonly says: EvidenceKind;
  readonly code: string | null;
  readonly credential?: string;
  readonly endpoint?: string;
  readonly timeoutMs?: number;
  readonly more?: Partial<Answer>;
  /** Requests that reached the provider. */
  readonly asked?: number;
}

/** Null: this contract cannot meet the situation, because it has no status table. */
type Column = Readonly<Record<Situation, Cell | null>>;

function column(subject: Subject): Column {
  const { landed, declined, loginLost } = subject;
  const meets = (body: Subject['landed']['body']): Reply => status(200, body);
  return {
    landed: { reply: meets(landed.body), says: 'landed', code: null, more: { status: landed.status, rank: landed.rank, fields: landed.fields } },
    failed:
      subject.name === 'payments'
        ? {
            reply: meets(refund({ status: 'failed' })),
            says: 'failed',
            code: null,
            more: { status: 'failed', rank: 4, fields: { providerId: 're_1', status: 'failed', amountCents: 2_500 } },
          }
        : null,
    unfit: { reply: meets({ error: 'declined' }), says: 'violated', code: 'body_unfit' },
    redirect: { reply: status(302, '', { location: '/elsewhere' }), says: 'violated', code: 'redirect' },
    declined: { reply: status(declined.status, declined.body), says: 'declined', code: declined.code },
    login_lost: { reply: status(loginLost.status, loginLost.body), says: 'login_lost', code: loginLost.code },
    rate_limited: { reply: status(429, '<html>', { 'retry-after': '7' }), says: 'rate_limited', code: 'http_429', more: { retryAfterMs: 7_000 } },
    unlisted: { reply: status(declined.status, { message: 'bad request' }), says: 'unclear', code: `http_${declined.status}` },
    server_error: { reply: status(504, declined.body), says: 'unclear', code: 'http_504' },
    odd_status: { reply: status(600, landed.body), says: 'unclear', code: 'http_600' },
    timed_out: { reply: silent, says: 'unclear', code: 'timeout', timeoutMs: 40 },
    lost: { reply: dropped, says: 'unclear', code: 'connection_lost' },
    credential_unusable: { reply: meets(landed.body), says: 'login_lost', code: 'credential_unusable', credential: 'two\nlines', asked: 0 },
    request_not_built: { reply: meets(landed.body), says: 'unclear', code: 'request_not_built', endpoint: 'not a url', asked: 0 },
  };
}

let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer();
});
afterAll(() => server.close());

function ask(subject: Subject, cell: Pick<Cell, 'reply' | 'credential' | 'endpoint' | 'timeoutMs'>): Promise<Answer> {
  server.answer(cell.reply);
  const request = compileRequest(subject.contract, subject.operation, subject.scope);
  const connection = { endpoint: cell.endpoint ?? server.origin, credential: cell.credential ?? CREDENTIAL, settings: {} };
  const expectations = compileExpectations(subject.contract, subject.operation, subject.scope);
  const timing = cell.timeoutMs === undefined ? {} : { timeoutMs: cell.timeoutMs };
  return perform({ contract: subject.contract, name: subject.operation }, request, connection, { fetch, expectations, ...timing });
}

describe.each(SUBJECTS)('the answer table: $name', (subject) => {
  const cells = column(subject);
  for (const situation of SITUATIONS) {
    const cell = cells[situation];
    if (cell === null) continue;
    it(`${situation} says ${cell.says}`, async () => {
      const answer = await ask(subject, cell);
      expect(SAYS[situation]).toBe(cell.says);
      expect(answer).toMatchObject({ says: cell.says, code: cell.code, status: null, rank: 0, fields: {}, retryAfterMs: null, ...cell.more });
      expect(server.asked).toHaveLength(cell.asked ?? 1);
    });
  }

  it('a redirect is never followed, and its target never learns the credential', async () => {
    const answer = await ask(subject, { reply: status(307, '', { location: `${server.origin}/elsewhere` }) });
    expect(answer.says).toBe('violated');
    expect(server.asked.map(({ url }) => url)).not.toContain('/elsewhere');
  });

  it('a body that goes over the cap does not fit, whatever it is', async () => {
    // What arrives until the cap is JSON that would fit: it is not believed either.
    const filler = ' '.repeat(subject.contract.responseBytesMax);
    const answer = await ask(subject, { reply: status(200, `${JSON.stringify(subject.landed.body)}${filler}`) });
    expect(answer).toMatchObject({ says: 'violated', code: 'body_too_large' });
    const refused = await ask(subject, { reply: status(subject.declined.status, `${JSON.stringify(subject.declined.body)}${filler}`) });
    expect(refused).toMatchObject({ says: 'unclear', code: `http_${subject.declined.status}` });
  });

  it('an answer that breaks off proves nothing, whatever its status', async () => {
    for (const code of [200, subject.declined.status, 429]) {
      expect(await ask(subject, { reply: broken(code) })).toMatchObject({ says: 'unclear', code: 'connection_lost' });
    }
  });

  it('what is not JSON, or empty, does not fit', async () => {
    for (const text of ['<h1>It works!</h1>', '', '{"id":']) {
      expect(await ask(subject, { reply: status(200, text) })).toMatchObject({ says: 'violated', code: 'body_not_json' });
    }
  });

  it('an error page under the status of a decline proves nothing', async () => {
    for (const code of [400, 401, 402, 403, 404, 409, 422]) {
      expect(await ask(subject, { reply: status(code, '<h1>It works!</h1>') })).toMatchObject({ says: 'unclear', code: `http_${code}` });
    }
  });

  it('a conflict about the idempotency key is doubt even in the words of a decline', async () => {
    expect(await ask(subject, { reply: status(409, subject.declined.body) })).toMatchObject({ says: 'unclear', code: 'http_409' });
  });

  it('fields beyond those used are ignored', async () => {
    const answer = await ask(subject, { reply: status(201, { ...subject.landed.body, surprise: { deep: [1.5] } }) });
    expect(answer).toMatchObject({ says: 'landed', fields: subject.landed.fields });
  });

  it('the evidence holds what was said, and never the credential', async () => {
    const answer = await ask(subject, { reply: status(subject.loginLost.status, subject.loginLost.body, { 'set-cookie': 'session=1' }) });
    expect(JSON.stringify(answer)).not.toContain(CREDENTIAL);
    expect(answer.raw?.response?.body).toContain('[redacted]');
    expect(answer.raw?.response?.headers).not.toHaveProperty('set-cookie');
    expect(answer.raw?.request.headers).not.toHaveProperty('authorization');
    expect(answer.raw?.request.headers).toHaveProperty('idempotency-key');
    expect(server.asked[0]?.headers['authorization']).toBe(`Bearer ${CREDENTIAL}`);
  });
});
