// Random histories of the refund desk: people and agents propose, the outside answers late, twice or never, the object restarts, the clock jumps.
// A history is a list of small moves, so that a failing one shrinks; which object a move is about is a number modulo what there is.
import fc from 'fast-check';
import {
  EVIDENCE_KINDS,
  type Decision,
  type EvidenceInput,
  type Input,
  type JsonObject,
  type SealedWorld,
  type StoredObject,
} from '../../../src/kernel/index.ts';
import { agent, ann, bob, Desk, ops, other, type Asked } from '../transition/desk.ts';
import { edited, part } from '../transition/edited.ts';

const ACTORS = [agent, other, ann, bob, ops] as const;
const PEOPLE = [ann, bob] as const;
const AMOUNTS = [1000, 1000, 1000, 100, 2500, 6000, 6000, 25_000] as const;
const REASONS = ['requested_by_customer', 'requested_by_customer', 'requested_by_customer', 'duplicate', 'fraudulent'] as const;
const TEMPLATES = ['refund_issued', 'refund_denied'] as const;
const PAUSES_MS = [1, 1500, 20_000, 61_000, 3_600_000, 43_200_000, 86_400_000] as const;

const WEIGHTS = {
  refund: 14,
  mail: 4,
  answer: 10,
  webhook: 5,
  readBack: 6,
  again: 2,
  preflight: 7,
  unknown: 1,
  restart: 2,
  pass: 5,
  decideApproval: 8,
  sameAgain: 3,
  cancel: 1,
  reconcile: 3,
  askReadBack: 2,
  acceptConflict: 1,
  allowRetries: 1,
  recordEvidence: 2,
  openTask: 2,
  endTask: 2,
  reopenTask: 1,
  amend: 2,
  connect: 2,
  disconnect: 1,
  budget: 1,
  optOut: 1,
  ticket: 2,
  resolve: 2,
  message: 1,
  nonsense: 1,
} as const;
type MoveName = keyof typeof WEIGHTS;

export interface Move {
  readonly do: MoveName;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

const number = fc.nat(999);

export const moves = (maxLength: number): fc.Arbitrary<readonly Move[]> =>
  fc.array(
    fc.record({
      do: fc.oneof(...(Object.keys(WEIGHTS) as MoveName[]).map((name) => ({ weight: WEIGHTS[name], arbitrary: fc.constant(name) }))),
      a: number,
      b: number,
      c: number,
    }),
    { minLength: Math.floor(maxLength / 3), maxLength, size: 'max' },
  );

/** The desk with little room: two tries, four in all, five refusals in a row, one approval and three effects unresolved. */
export const sealedTight: SealedWorld = edited((world) => {
  for (const action of ['order.refund', 'customer.email']) Object.assign(part(world, 'actions', action, 'retry'), { budget: 2, ceiling: 4 });
  Object.assign(part(world, 'limits'), { refusalsInARowPerTask: 5, approvalsMax: 1, unresolvedMax: 3 });
});

export function pick<T>(from: readonly T[], index: number): T | undefined {
  return from[index % Math.max(1, from.length)];
}

/** What is told after each step. */
export type Watch = (input: Input, decision: Decision, desk: Desk) => void;

/** A desk that tells of every step. */
export class WatchedDesk extends Desk {
  readonly #watches: Watch[] = [];

  static watched(watch: Watch, sealed?: SealedWorld): WatchedDesk {
    const desk = new WatchedDesk(sealed);
    desk.#watches.push(watch);
    return desk;
  }

  override step(input: Input): Decision {
    const decision = super.step(input);
    // The birth of the world is a step of the constructor, before there are watches.
    if (decision.recorded && input.kind !== 'genesis') for (const watch of this.#watches) watch(input, decision, this);
    return decision;
  }
}

export class Simulation {
  readonly desk: Desk;
  #last: EvidenceInput | undefined;
  #tickets = 0;

  constructor(desk: Desk) {
    this.desk = desk;
    for (const name of ['payments', 'mail']) desk.connect(name);
    for (const name of ['kim', 'lee']) desk.must('customer.register', `Customer:${name}`, { name, email: `${name}@customers.test` }, { by: ops });
    for (const [id, customer] of [
      ['Order:1', 'Customer:kim'],
      ['Order:2', 'Customer:lee'],
    ] as const) {
      desk.must('order.record', id, { customer, chargeId: `ch_${id}`, currency: 'eur', totalCents: 20_000 }, { by: ops });
    }
  }

  run(all: readonly Move[]): this {
    for (const move of all) this.#move(move);
    return this;
  }

  #of(type: string): readonly StoredObject[] {
    return this.desk.state.ofType(type, null, 1000);
  }

  /** Effects that were sent or are about to be, whatever became of them. */
  #effects(phases: readonly string[]): readonly string[] {
    const tried = this.#of('ActionAttempt').filter(({ state }) => typeof state['correlationId'] === 'string');
    return tried.map(({ id }) => id).filter((id) => phases.includes(this.desk.attemptCell(id).phase));
  }

  #task(index: number): string | null {
    const tasks = this.#of('Task').map(({ id }) => id);
    return index % 3 === 0 ? (pick([...tasks, 'Task:none'], index) ?? null) : null;
  }

  /** Mostly what is right: sometimes another revision, an old or a foreign cursor. */
  #asked(by: (typeof ACTORS)[number], target: string, index: number): Asked {
    const task = this.#task(index);
    const revision = this.desk.state.object(target)?.revision ?? 0;
    if (index % 17 === 0) return { by, task, expectedRevision: revision + 1 };
    if (index % 19 === 0)
      return { by, task, observed: { kind: 'seen', sequence: Math.max(0, this.desk.state.head().sequence - (index % 7)), subject: target } };
    if (index % 23 === 0) return { by, task, observed: { kind: 'none' } };
    return { by, task };
  }

  #evidence(attempt: string, more: Partial<EvidenceInput> & { readonly says: EvidenceInput['says'] }): void {
    const integration = this.desk.field(attempt, 'action') === 'customer.email' ? 'mail' : 'payments';
    this.desk.evidence(attempt, more.says, { integration, ...more });
    const { input } = this.desk.log.at(-1) ?? {};
    this.#last = input as unknown as EvidenceInput;
  }

  #says(says: EvidenceInput['says'], index: number): Pick<EvidenceInput, 'says' | 'status' | 'rank' | 'code' | 'retryAfterMs' | 'begunAt'> {
    const status = says === 'landed' ? pick(['pending', 'requires_action', 'succeeded'], index) : says === 'failed' ? 'failed' : null;
    const rank = status === 'pending' ? 1 : status === 'requires_action' ? 2 : status === 'succeeded' ? 3 : status === 'failed' ? 4 : 0;
    return {
      says,
      status: status ?? null,
      rank,
      code: says,
      retryAfterMs: says === 'rate_limited' ? (index % 5) * 1000 : null,
      begunAt: says === 'absent' ? this.desk.at : null,
    };
  }

  #move({ do: name, a, b, c }: Move): void {
    const { desk } = this;
    switch (name) {
      case 'refund': {
        const order = pick(['Order:1', 'Order:2'], a) ?? '';
        const note = c % 4 === 0 ? { note: `words ${c % 3}` } : {};
        desk.propose(
          'order.refund',
          order,
          { amountCents: pick(AMOUNTS, b) ?? 1, reason: pick(REASONS, c) ?? '', ...note },
          this.#asked(pick(ACTORS.slice(0, 4), a + b) ?? agent, order, c),
        );
        return;
      }
      case 'mail': {
        const customer = pick(['Customer:kim', 'Customer:lee'], a) ?? '';
        desk.propose('customer.email', customer, { template: pick(TEMPLATES, b) ?? '' }, this.#asked(pick(ACTORS.slice(0, 4), c) ?? agent, customer, c));
        return;
      }
      case 'answer': {
        const attempt = pick(this.#effects(['sent']), a);
        // Half of the answers are lost or land; the other half are of every kind.
        const says = b % 2 === 0 ? pick(['landed', 'unclear', 'unclear'] as const, c) : pick(EVIDENCE_KINDS, c);
        if (attempt !== undefined) this.#evidence(attempt, { ...this.#says(says ?? 'unclear', b), source: 'answer' });
        return;
      }
      case 'webhook': {
        const attempt = pick(this.#effects(['sent', 'done']), a);
        const correlationId = attempt === undefined ? null : String(desk.field(attempt, 'correlationId'));
        const says = this.#says(b % 3 === 0 ? 'failed' : 'landed', b);
        if (attempt !== undefined && desk.attemptCell(attempt).sentAt !== null)
          this.#evidence(attempt, { ...says, source: 'webhook', attempt: null, correlationId, foreign: c % 29 === 0 });
        return;
      }
      default:
        return this.#more({ do: name, a, b, c });
    }
  }

  #more({ do: name, a, b, c }: Move): void {
    const { desk } = this;
    switch (name) {
      case 'readBack': {
        const attempt = pick(
          this.#effects(['sent', 'done']).filter((id) => desk.attemptCell(id).sentAt !== null),
          a,
        );
        const says = pick(['landed', 'absent', 'inconclusive'] as const, b) ?? 'inconclusive';
        const asker = pick(
          this.#of('ActionAttempt').filter(
            ({ state }) => state['action'] === 'attempt.read_back' && state['status'] === 'dispatched' && state['target'] === attempt,
          ),
          c,
        );
        if (attempt !== undefined)
          this.#evidence(attempt, { says, source: 'read_back', begunAt: desk.at - (c % 3) * 1000, rank: says === 'landed' ? 3 : 0, asker: asker?.id ?? null });
        return;
      }
      case 'again':
        if (this.#last !== undefined) desk.step({ ...this.#last, at: desk.at, asker: null });
        return;
      case 'preflight':
        return this.#preflight(a, b);
      case 'unknown':
        desk.evidence('', 'landed', { attempt: null, correlationId: `${a}`.padStart(64, '0'), source: 'webhook' });
        return;
      case 'restart':
        desk.restart();
        return;
      case 'pass':
        desk.pass(pick(PAUSES_MS, a) ?? 1);
        return;
      default:
        return this.#people({ do: name, a, b, c });
    }
  }

  #preflight(a: number, b: number): void {
    const { desk } = this;
    const attempt = pick(this.#effects(['preflight']), a);
    if (attempt === undefined) return;
    const { signature } = desk.attemptCell(attempt);
    const earlier = this.#effects(['done']).filter((id) => desk.attemptCell(id).signature === signature && desk.attemptCell(id).sentAt !== null);
    if (b % 5 === 0 && earlier.length > 0) this.#evidence(pick(earlier, b) ?? '', { says: 'landed', status: 'succeeded', rank: 3, source: 'preflight' });
    else if (b % 5 === 1) desk.evidence(attempt, 'preflight_failed', { source: 'preflight', code: 'preflight_inconclusive' });
    if (desk.field(attempt, 'status') === 'dispatched') desk.cleared(attempt);
  }

  #people({ do: name, a, b, c }: Move): void {
    const person = pick(PEOPLE, b) ?? ann;
    const anyone = pick(ACTORS, b) ?? agent;
    const about = (id: string | undefined, action: string, parameters: JsonObject, by = person): void => {
      if (id !== undefined) this.desk.propose(action, id, parameters, this.#asked(by, id, c));
    };
    const attempts = this.#effects(['sent', 'done', 'awaiting', 'preflight']);
    const all = this.#of('Approval');
    const standing = all.filter(({ state }) => state['status'] === 'pending');
    const approvals = (c % 5 === 0 || standing.length === 0 ? all : standing).map(({ id }) => id);
    switch (name) {
      case 'decideApproval':
        return about(pick(approvals, a), c % 4 === 0 ? 'approval.deny' : 'approval.grant', {}, b % 4 === 0 ? anyone : person);
      case 'sameAgain': {
        const parked = pick(
          this.#of('ActionAttempt').filter(({ state }) => state['status'] === 'awaiting_approval'),
          a,
        );
        const by = ACTORS.find(({ id }) => id === parked?.state['actor']);
        if (parked !== undefined && by !== undefined)
          this.desk.propose('order.refund', String(parked.state['target']), parked.state['parameters'] as JsonObject, {
            by,
            task: parked.state['task'] as string | null,
          });
        return;
      }
      case 'cancel':
        return about(
          pick(
            this.#of('ActionAttempt').map(({ id }) => id),
            a,
          ),
          'attempt.cancel',
          {},
          anyone,
        );
      case 'reconcile':
        return about(pick(attempts, a), 'attempt.reconcile', { finding: c % 2 === 0 ? 'landed' : 'not_happened', note: 'x' }, anyone);
      case 'askReadBack':
        return about(pick(attempts, a), 'attempt.read_back', {}, anyone);
      case 'acceptConflict':
        return about(pick(attempts, a), 'attempt.accept_conflict', { note: 'x' });
      case 'allowRetries':
        return about(pick(attempts, a), 'attempt.allow_retries', { additional: 1 + (c % 3), note: 'x' });
      case 'recordEvidence':
        return about(pick(['Order:1', 'Order:2', ...this.#of('Task').map(({ id }) => id)], a), 'evidence.record', { finding: 'x' });
      default:
        return this.#desk({ do: name, a, b, c });
    }
  }

  #desk({ do: name, a, b, c }: Move): void {
    const { desk } = this;
    const anyone = pick(ACTORS, b) ?? agent;
    const order = pick(['Order:1', 'Order:2'], a) ?? '';
    const customer = pick(['Customer:kim', 'Customer:lee'], a) ?? '';
    const task = pick(
      this.#of('Task').map(({ id }) => id),
      a,
    );
    switch (name) {
      case 'openTask': {
        const effects = [{ action: 'order.refund', target: order }, ...(c % 5 === 0 ? [{ action: 'customer.email', target: customer }] : [])];
        desk.propose('task.open', 'Task', { goal: 'x', subject: order, ...(c % 2 === 0 ? { requires: { effects } } : {}) }, { by: anyone });
        return;
      }
      case 'endTask':
        if (task !== undefined) desk.propose(c % 5 === 0 ? 'task.abandon' : c % 7 === 0 ? 'task.ask_human' : 'task.complete', task, {}, { by: anyone });
        return;
      case 'reopenTask':
        if (task !== undefined) desk.propose('task.reopen', task, {}, { by: anyone });
        return;
      case 'amend':
        desk.propose('order.amend', order, c % 2 === 0 ? { totalCents: 5000 + (c % 5) * 5000 } : { chargeId: `ch_${c % 3}` }, this.#asked(ops, order, c));
        return;
      case 'connect':
        desk.propose(
          'integration.connect',
          `Integration:${pick(['payments', 'mail'], a) ?? ''}`,
          { endpoint: 'http://127.0.0.1:1', credential: 'c', webhookSecret: 'w' },
          { by: ops, facts: { endpointAllowed: true, settingsFit: true, live: false } },
        );
        return;
      case 'disconnect':
        if (c % 4 === 0) desk.propose('integration.disconnect', `Integration:${pick(['payments', 'mail'], a) ?? ''}`, {}, { by: ops });
        return;
      case 'budget':
        desk.propose('budget.set', 'Budget:refunds', { limit: pick([100_000, 30_000, 5000], a) ?? 0 }, { by: ops });
        return;
      case 'optOut':
        desk.propose('customer.update', customer, { optedOut: c % 2 === 0 }, { by: ops });
        return;
      case 'ticket':
        this.#tickets += 1;
        desk.propose(
          'ticket.open',
          'Ticket',
          { customer, ...(c % 2 === 0 ? { order } : {}), subject: `t${this.#tickets}` },
          { by: anyone, task: this.#task(c) },
        );
        return;
      case 'resolve': {
        const ticket = pick(
          this.#of('Ticket').map(({ id }) => id),
          a,
        );
        if (ticket !== undefined) desk.propose('ticket.resolve', ticket, { resolution: c % 2 === 0 ? 'refunded' : 'answered' }, this.#asked(anyone, ticket, c));
        return;
      }
      case 'message':
        desk.propose('message.post', 'Message', { text: 'x', conversation: order }, { by: anyone });
        return;
      default:
        desk.propose(
          pick(['order.explode', 'order.refund', 'customer.email'], a) ?? '',
          pick(['Order:none', 'Customer:kim', 'Order:1'], b) ?? '',
          {},
          { by: anyone, task: this.#task(c) },
        );
    }
  }
}
