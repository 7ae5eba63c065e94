// Lets a test wait for what happens at the provider instead of sleeping.
import type { Effect, RequestRecord, Route } from './records.ts';

/** `arrives`: a request was read. `commits`: an effect happened. `answers`: an answer was sent in full. */
export type MomentKind = 'arrives' | 'commits' | 'answers';
export const MOMENT_KINDS: readonly MomentKind[] = ['arrives', 'commits', 'answers'];
export type Moment = Effect | RequestRecord;

const WAIT_MS = 20_000;

interface Waiter {
  readonly kind: MomentKind;
  readonly route: Route;
  readonly settle: (moment: Moment | Error) => void;
}

export class Moments {
  readonly #waiters = new Set<Waiter>();

  /** The next moment of this kind: ask first, act then. Rejects when none came. */
  until(kind: MomentKind, route: Route, waitMs = WAIT_MS): Promise<Moment> {
    const next = new Promise<Moment>((resolve, reject) => {
      const timer = setTimeout(() => settle(new Error(`no request \`${kind}\` on \`${route}\` within ${waitMs} ms`)), waitMs);
      const settle = (moment: Moment | Error): void => {
        clearTimeout(timer);
        this.#waiters.delete(waiter);
        if (moment instanceof Error) reject(moment);
        else resolve(moment);
      };
      const waiter: Waiter = { kind, route, settle };
      this.#waiters.add(waiter);
    });
    // Whoever gave up before looking must not end the process.
    next.catch(() => undefined);
    return next;
  }

  tell(kind: MomentKind, route: Route, moment: Moment): void {
    for (const waiter of this.#waiters) {
      if (waiter.kind === kind && waiter.route === route) waiter.settle(moment);
    }
  }

  close(): void {
    for (const waiter of this.#waiters) waiter.settle(new Error('the sandbox was closed'));
  }
}
