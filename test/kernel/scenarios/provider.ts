// A payment and mail provider in memory, with its own ledger: effects are counted here, never in the world's own log.
// It answers each dispatch once, in the way a scenario says, and is asked by read-backs and preflights as the shell would ask.
import { attemptCell, Draft, earlier, type EvidenceInput } from '../../../src/kernel/index.ts';
import { Desk } from '../transition/desk.ts';

export interface Entry {
  readonly correlationId: string;
  readonly action: string;
  readonly target: string;
  readonly amount: number;
}

/** What happens to a request: is it committed, and what is told of it. */
const WAYS = {
  'commits and answers': { commits: true, says: 'landed', code: null },
  'commits and drops the answer': { commits: true, says: 'unclear', code: 'connection_lost' },
  'commits and answers 504': { commits: true, says: 'unclear', code: 'http_504' },
  'drops the request': { commits: false, says: 'unclear', code: 'connection_lost' },
  'times out': { commits: false, says: 'unclear', code: 'timeout' },
  'answers 500': { commits: false, says: 'unclear', code: 'http_500' },
  declines: { commits: false, says: 'declined', code: 'card_error' },
  'answers 401': { commits: false, says: 'login_lost', code: 'http_401' },
  'answers 429': { commits: false, says: 'rate_limited', code: 'http_429' },
  'answers nonsense': { commits: true, says: 'violated', code: 'http_200' },
} as const satisfies { readonly [way: string]: { readonly commits: boolean; readonly says: EvidenceInput['says']; readonly code: string | null } };
export type Way = keyof typeof WAYS;

export class Provider {
  readonly desk: Desk;
  readonly ledger: Entry[] = [];
  readonly #served = new Set<string>();

  constructor(desk: Desk = Desk.open()) {
    this.desk = desk;
  }

  /** Requests that have reached it: one for each `dispatch` command. */
  get calls(): number {
    return this.desk.sent.length;
  }

  /** Effects that it has made. */
  effects(target?: string): readonly Entry[] {
    return this.ledger.filter((entry) => target === undefined || entry.target === target);
  }

  total(target: string): number {
    return this.effects(target).reduce((sum, { amount }) => sum + amount, 0);
  }

  commit(attempt: string): void {
    const { state } = this.desk.object(attempt);
    const { amountCents } = state['parameters'] as { readonly amountCents?: number };
    this.ledger.push({
      correlationId: String(state['correlationId']),
      action: String(state['action']),
      target: String(state['target']),
      amount: amountCents ?? 0,
    });
  }

  /** Serves the one request of an attempt. */
  serve(attempt: string, way: Way): void {
    const id = this.#id(attempt);
    if (!this.desk.sent.includes(id) || this.#served.has(id)) throw new Error(`there is no request of ${attempt} to serve`);
    this.#served.add(id);
    const { commits, says, code } = WAYS[way];
    if (commits) this.commit(attempt);
    this.desk.evidence(attempt, says, { integration: this.#integration(attempt), code });
  }

  /** Reads back, as the shell does: found by correlation id, else a complete walk that found nothing. */
  readBack(attempt: string, asker: string | null = null): void {
    this.desk.readBack(attempt, this.#has(attempt) ? 'landed' : 'absent', { asker, integration: this.#integration(attempt) });
  }

  /** Looks for every earlier epoch, as the shell does before it sends a later one. */
  preflight(attempt: string): void {
    const { desk } = this;
    const draft = new Draft(desk.sealed, desk.state, desk.at);
    const cell = attemptCell(draft, attempt);
    const before = cell === undefined ? [] : earlier(draft, cell).filter((id) => id !== attempt);
    for (const id of before) if (this.#has(id)) desk.evidence(id, 'landed', { source: 'preflight' });
    if (desk.field(attempt, 'status') === 'dispatched') desk.cleared(attempt);
  }

  /** Proposes a refund, and looks first where that is asked for. The attempt, and the code where it was refused. */
  refund(
    order: string,
    amount: number,
    asked: Parameters<Desk['refund']>[2] = {},
  ): { readonly attempt: string; readonly code: string | undefined; readonly names: unknown } {
    const { attempt, decision, outcome } = this.desk.refund(order, amount, asked);
    if (decision.commands.some((command) => command.do === 'preflight')) this.preflight(attempt);
    return { attempt, code: outcome?.code, names: outcome?.detail?.['attempt'] };
  }

  #has(attempt: string): boolean {
    return this.ledger.some(({ correlationId }) => correlationId === this.#id(attempt));
  }

  #id(attempt: string): string {
    return String(this.desk.field(attempt, 'correlationId'));
  }

  #integration(attempt: string): string {
    return this.desk.field(attempt, 'action') === 'customer.email' ? 'mail' : 'payments';
  }
}
