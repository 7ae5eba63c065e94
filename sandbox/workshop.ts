// What all requests share: the ledger, the requests so far, the faults ahead, what is held back, and who waits for what.
import { Ledger } from './ledger.ts';
import { Moments } from './moments.ts';
import { Plans } from './plans.ts';
import type { RequestRecord, Route } from './records.ts';

export class Workshop {
  readonly ledger: Ledger;
  readonly requests: RequestRecord[] = [];
  readonly plans = new Plans();
  readonly moments = new Moments();
  token: string;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #held: { readonly route: Route; readonly go: () => void }[] = [];

  constructor(token: string, ledgerFile?: string) {
    this.token = token;
    this.ledger = new Ledger(ledgerFile);
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, ms);
      this.#timers.add(timer);
    });
  }

  hold(route: Route): Promise<void> {
    return new Promise((resolve) => this.#held.push({ route, go: resolve }));
  }

  /** Lets every held request of a route go on. Returns how many. */
  release(route: Route): number {
    const ready = this.#held.filter((one) => one.route === route);
    for (const one of ready) {
      this.#held.splice(this.#held.indexOf(one), 1);
      one.go();
    }
    return ready.length;
  }

  /** What was still to happen never will. */
  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#held.length = 0;
    this.moments.close();
  }
}
