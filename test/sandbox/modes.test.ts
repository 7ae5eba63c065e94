// One row for each mode: what the caller sees, and what really happened.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EFFECT_MODES } from '../../sandbox/modes.ts';
import type { EffectMode } from '../../sandbox/modes.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { askMail, askRefund } from './asking.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

/** `none`: the connection broke. `silence`: nothing until the caller gave up. */
interface Expected {
  readonly answer: number | 'none' | 'silence';
  readonly effects: 0 | 1;
}

const EXPECTED: Record<EffectMode, Expected> = {
  ok: { answer: 200, effects: 1 },
  pending: { answer: 200, effects: 1 },
  commit_then_slow_answer: { answer: 200, effects: 1 },
  slow_commit: { answer: 200, effects: 1 },
  hold: { answer: 'silence', effects: 0 },
  hold_after_commit: { answer: 'silence', effects: 1 },
  lost_answer: { answer: 'none', effects: 1 },
  hang_after_commit: { answer: 'silence', effects: 1 },
  commit_500: { answer: 500, effects: 1 },
  commit_504: { answer: 504, effects: 1 },
  html_200: { answer: 200, effects: 1 },
  empty_200: { answer: 200, effects: 1 },
  wrong_shape_200: { answer: 200, effects: 1 },
  drop: { answer: 'none', effects: 0 },
  hang: { answer: 'silence', effects: 0 },
  error_500: { answer: 500, effects: 0 },
  conflict_409: { answer: 409, effects: 0 },
  html_403: { answer: 403, effects: 0 },
  html_404: { answer: 404, effects: 0 },
  redirect_302: { answer: 302, effects: 0 },
  decline: { answer: 402, effects: 0 },
  failed: { answer: 200, effects: 0 },
  login_lost_401: { answer: 401, effects: 0 },
  login_lost_403: { answer: 403, effects: 0 },
  rate_limited: { answer: 429, effects: 0 },
};

describe('a refund under each mode', () => {
  test.each(EFFECT_MODES)('%s', async (mode) => {
    const { answer, effects } = EXPECTED[mode];
    sandbox.fault('refund', mode, { ms: 1 });
    const seen =
      answer === 'silence'
        ? await givenUpOn()
        : await askRefund(sandbox).then(
            (response) => response.status,
            () => 'none',
          );
    expect(seen).toBe(answer);
    expect(sandbox.ledger()).toHaveLength(effects);
    expect(sandbox.requests()).toMatchObject([{ route: 'refund', mode, committed: effects === 1 }]);
  });

  async function givenUpOn(): Promise<string> {
    const caller = new AbortController();
    const arrived = sandbox.until('arrives', 'refund');
    const asked = askRefund(sandbox, { signal: caller.signal });
    await arrived;
    caller.abort();
    return asked.then(
      (response) => String(response.status),
      () => 'silence',
    );
  }
});

test('a declined refund says so as a card error, and a declined mail as a validation error', async () => {
  sandbox.fault('refund', 'decline');
  sandbox.fault('mail', 'decline');
  expect(await (await askRefund(sandbox)).json()).toMatchObject({ error: { type: 'card_error', code: 'card_declined' } });
  const mail = await askMail(sandbox);
  expect(mail.status).toBe(422);
  expect(await mail.json()).toMatchObject({ statusCode: 422, name: 'validation_error' });
});

test('a rate limit says how long to wait', async () => {
  sandbox.fault('mail', 'rate_limited', { retryAfter: 7 });
  const answer = await askMail(sandbox);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7']);
});

test('a held request has its effect when it is released, even when nobody waits for the answer', async () => {
  sandbox.fault('refund', 'hold');
  const caller = new AbortController();
  const arrived = sandbox.until('arrives', 'refund');
  const asked = askRefund(sandbox, { signal: caller.signal }).catch(() => 'gone');
  await arrived;
  caller.abort();
  expect(await asked).toBe('gone');
  expect(sandbox.ledger()).toEqual([]);
  const committed = sandbox.until('commits', 'refund');
  sandbox.fault('refund', 'release');
  await committed;
  expect(sandbox.ledger()).toHaveLength(1);
});

test('a fault meets as many requests as told, then all is well', async () => {
  sandbox.fault('refund', 'error_500', { times: 2 });
  const seen = [await askRefund(sandbox), await askRefund(sandbox), await askRefund(sandbox)].map((answer) => answer.status);
  expect(seen).toEqual([500, 500, 200]);
});

test('a lasting fault ends when it is cleared', async () => {
  sandbox.fault('mail', 'error_500', { times: 'always' });
  expect([(await askMail(sandbox)).status, (await askMail(sandbox)).status]).toEqual([500, 500]);
  sandbox.clear();
  expect((await askMail(sandbox)).status).toBe(200);
});

test('a mode that the route does not have is refused', () => {
  expect(() => sandbox.fault('refund', 'endless')).toThrow('no mode `endless` on `refund`');
  expect(() => sandbox.fault('readback', 'decline')).toThrow('no mode `decline` on `readback`');
});
