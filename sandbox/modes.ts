// Every way in which the provider can behave. A mode is named after what happens; each `commit` is one real effect.
import { endlessPage, FAILURES, refundPage } from './objects.ts';
import type { Exchange } from './exchange.ts';
import type { Effect } from './records.ts';

type Behave = (exchange: Exchange) => void | Promise<void>;

const effectModes = {
  // All is well.
  ok: (x) => x.answer(200, x.commit()),
  pending: (x) => x.answer(200, x.commit('pending')),
  commit_then_slow_answer: async (x) => {
    const made = x.commit();
    await x.pause();
    x.answer(200, made);
  },
  slow_commit: async (x) => {
    await x.pause();
    x.answer(200, x.commit());
  },
  hold: async (x) => {
    await x.held();
    x.answer(200, x.commit());
  },
  hold_after_commit: async (x) => {
    const made = x.commit();
    await x.held();
    x.answer(200, made);
  },

  // The effect happened, and the answer does not say so.
  lost_answer: (x) => {
    x.commit();
    x.drop();
  },
  hang_after_commit: (x) => void x.commit(),
  commit_500: (x) => {
    x.commit();
    x.fail(FAILURES.internal);
  },
  commit_504: (x) => {
    x.commit();
    x.fail(FAILURES.gatewayTimeout);
  },
  html_200: (x) => {
    x.commit();
    x.html(200);
  },
  empty_200: (x) => {
    x.commit();
    x.empty(200);
  },
  wrong_shape_200: (x) => {
    x.commit();
    x.answer(200, { object: 'refund', accepted: 'yes' });
  },

  // Nothing happened, and the answer does not say so.
  drop: (x) => x.drop(),
  hang: () => undefined,
  error_500: (x) => x.fail(FAILURES.internal),
  conflict_409: (x) => x.fail(FAILURES.keyInUse),
  html_403: (x) => x.html(403),
  html_404: (x) => x.html(404),
  redirect_302: (x) => x.html(302, { location: '/elsewhere' }),

  // Nothing happened, and the answer says so.
  decline: (x) => x.fail(x.route === 'mail' ? FAILURES.undeliverable : FAILURES.declined),
  failed: (x) => (x.route === 'mail' ? x.fail(FAILURES.undeliverable) : x.answer(200, x.commitNothing())),
  login_lost_401: (x) => x.fail(FAILURES.tokenUnknown),
  login_lost_403: (x) => x.fail(FAILURES.tokenRefused),
  rate_limited: (x) => x.fail(FAILURES.rateLimited, { 'retry-after': String(x.options.retryAfter ?? 1) }),
} as const satisfies { readonly [mode: string]: Behave };

export type EffectMode = keyof typeof effectModes;

export const EFFECT_MODES = Object.keys(effectModes) as readonly EffectMode[];

export function isEffectMode(mode: string): mode is EffectMode {
  return Object.hasOwn(effectModes, mode);
}

export function behave(mode: EffectMode, exchange: Exchange): void | Promise<void> {
  const how: Behave = effectModes[mode];
  return how(exchange);
}

type Show = (exchange: Exchange, entries: readonly Effect[], query: URLSearchParams) => void;

const readBackModes = {
  ok: (x, entries, query) => x.answer(200, refundPage(entries, query)),
  /** An index that lags behind: what is there is not listed. */
  empty: (x, _entries, query) => x.answer(200, refundPage([], query)),
  error: (x) => x.fail(FAILURES.internal),
  drop: (x) => x.drop(),
  hang: () => undefined,
  endless: (x, _entries, query) => x.answer(200, endlessPage(query)),
} as const satisfies { readonly [mode: string]: Show };

export type ReadBackMode = keyof typeof readBackModes;

export const READ_BACK_MODES = Object.keys(readBackModes) as readonly ReadBackMode[];

export function isReadBackMode(mode: string): mode is ReadBackMode {
  return Object.hasOwn(readBackModes, mode);
}

export function showReadBack(mode: ReadBackMode, exchange: Exchange, entries: readonly Effect[], query: URLSearchParams): void {
  const how: Show = readBackModes[mode];
  how(exchange, entries, query);
}
