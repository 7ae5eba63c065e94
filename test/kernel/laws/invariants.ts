// What must hold after every step of every history, worked out anew from the attempts and the log, beside the kernel's own bookkeeping (SPEC).
import { expect } from 'vitest';
import {
  cellKeys,
  EMPTY_FENCE,
  EMPTY_SUM,
  isJsonObject,
  type Change,
  type Decision,
  type FenceCell,
  type Input,
  type JsonObject,
  type ProposalInput,
  type RetryCell,
  type StoredObject,
  type SumCell,
} from '../../../src/kernel/index.ts';
import type { Desk } from '../transition/desk.ts';

const EFFECTS: readonly string[] = ['order.refund', 'customer.email'];
const WORLD_TYPES: readonly string[] = ['Order', 'Customer', 'Ticket', 'Refund'];

/** What the design allows: "only *reverted* follows a landing"; doubt ends by evidence; nothing else moves. */
const CERTAINTY_MOVES: readonly string[] = ['none in_doubt', 'none landed', 'in_doubt none', 'in_doubt landed', 'landed reverted'];
const APPROVAL_MOVES: readonly string[] = [
  'pending granted',
  'pending used',
  'pending void',
  'pending denied',
  'pending expired',
  'granted used',
  'granted void',
  'granted expired',
  'used expired',
];
const TASK_MOVES: { readonly [move: string]: readonly string[] } = {
  'open completed': ['task.complete'],
  'open abandoned': ['task.abandon'],
  'incomplete abandoned': ['task.abandon'],
  'incomplete open': ['task.reopen'],
  'abandoned open': ['task.reopen'],
  'completed open': ['task.reopen', 'reversal'],
  'open incomplete': ['any'],
};

interface Try {
  readonly key: string;
  readonly fence: string;
  readonly signature: string;
  readonly used: { key: number; ceiling: number };
}

interface LastTry {
  readonly key: string;
  readonly revision: number;
  readonly connection: number;
  readonly evidence: number;
}

/** As `expect(actual, what).toEqual(expected)`, which is asked only where the two differ: a history has very many steps. */
function agree(actual: unknown, expected: unknown, what: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected)) expect(actual, what).toEqual(expected);
}

const text = (object: StoredObject | undefined, field: string): string => String(object?.state[field] ?? '');

function amountOf(attempt: StoredObject): number {
  const { parameters } = attempt.state;
  return isJsonObject(parameters) && text(attempt, 'action') === 'order.refund' ? Number(parameters['amountCents']) : 0;
}

export class Invariants {
  readonly #before = new Map<string, StoredObject>();
  readonly #tries = new Map<string, Try>();
  readonly #lastTry = new Map<string, LastTry>();
  readonly #sumsBefore = new Map<string, SumCell>();
  readonly #landedDay = new Map<string, string>();
  readonly #spent = new Map<string, number>();
  readonly #sent = new Set<string>();
  #evidence = 0;

  /** Call after each step. */
  readonly check = (input: Input, decision: Decision, desk: Desk): void => {
    const changed = decision.changes.flatMap((change) => ('put' in change ? [change.put] : []));
    if (input.kind === 'proposal' && (decision.outcome?.kind === 'Succeeded' || decision.outcome === null)) this.#noteEvidence(input);
    for (const object of changed) this.#object(object, input, desk);
    for (const command of decision.commands) if (command.do === 'dispatch') this.#dispatch(desk, command.attempt);
    if (input.kind === 'proposal' && decision.outcome?.failing !== undefined) this.#refusal(input, decision);
    this.#sums(desk);
    this.#fences(desk);
    this.#triesAgree(desk);
    for (const object of changed) this.#before.set(object.id, object);
  };

  #noteEvidence(input: ProposalInput): void {
    if (input.action === 'evidence.record' || input.action === 'attempt.allow_retries') this.#evidence += 1;
  }

  #object(after: StoredObject, input: Input, desk: Desk): void {
    const before = this.#before.get(after.id);
    if (before !== undefined) this.#revision(before, after);
    if (after.type === 'ActionAttempt') this.#certainty(before, after, input, desk);
    if (before !== undefined && after.type === 'Approval') this.#move(APPROVAL_MOVES, before, after, 'status');
    if (before !== undefined && after.type === 'Task') this.#task(before, after, input);
  }

  /** K8: at most once per transition, and by the object's own state. */
  #revision(before: StoredObject, after: StoredObject): void {
    const moved = after.revision - before.revision;
    agree(moved === 0 || moved === 1, true, `${after.id} moved by ${moved}`);
    if (!WORLD_TYPES.includes(after.type)) return;
    agree(moved === 1, JSON.stringify(before.state) !== JSON.stringify(after.state), `${after.id} and its state`);
    agree(after.changedIn > before.changedIn, moved === 1, `${after.id} and when it changed`);
  }

  #move(allowed: readonly string[], before: StoredObject, after: StoredObject, field: string): void {
    const [was, is] = [text(before, field), text(after, field)];
    if (was !== is) expect(allowed, `${after.id}: ${field}`).toContain(`${was} ${is}`);
  }

  /** K5, I4: certainty moves only as allowed, and doubt ends only by evidence. */
  #certainty(before: StoredObject | undefined, after: StoredObject, input: Input, desk: Desk): void {
    const [was, is] = [before === undefined ? 'none' : text(before, 'certainty'), text(after, 'certainty')];
    if (was === is) return;
    expect(CERTAINTY_MOVES, after.id).toContain(`${was} ${is}`);
    if (was === 'in_doubt') {
      const byPerson = input.kind === 'proposal' && input.action === 'attempt.reconcile';
      expect(input.kind === 'evidence' || input.kind === 'cleared' || byPerson, `${after.id} left doubt by ${input.kind}`).toBe(true);
    }
    const today = new Date(desk.at).toISOString().slice(0, 10);
    if (text(after, 'action') !== 'order.refund') return;
    if (is === 'landed') {
      this.#landedDay.set(after.id, today);
      this.#spent.set(today, (this.#spent.get(today) ?? 0) + amountOf(after));
    } else if (is === 'reverted' && this.#landedDay.get(after.id) === today) {
      this.#spent.set(today, (this.#spent.get(today) ?? 0) - amountOf(after));
    }
  }

  /** I5: a task is done only by its completion, and opened again only by a person or a reversal. */
  #task(before: StoredObject, after: StoredObject, input: Input): void {
    const [was, is] = [text(before, 'status'), text(after, 'status')];
    if (was === is) return;
    const by = TASK_MOVES[`${was} ${is}`];
    expect(by, `${after.id}: ${was} to ${is}`).toBeDefined();
    const cause = input.kind === 'proposal' ? input.action : 'reversal';
    if (!by?.includes('any')) expect(by).toContain(cause);
    if (cause === 'task.reopen' && input.kind === 'proposal') expect(input.actor.id).toMatch(/^Person:/);
  }

  /** I3: one dispatch per correlation id. K4: what needs a person has one. I2: a key is renewed only with a cause. */
  #dispatch(desk: Desk, id: string): void {
    const attempt = desk.object(id);
    const correlationId = text(attempt, 'correlationId');
    expect(correlationId).toMatch(/^[0-9a-f]{64}$/);
    expect(this.#sent.has(correlationId), 'sent twice').toBe(false);
    this.#sent.add(correlationId);
    expect(attempt.state).toMatchObject({ status: 'dispatched', certainty: 'in_doubt', outcome: null, attemptCount: 1 });
    if (text(attempt, 'action') === 'order.refund') this.#permitted(desk, attempt);
    this.#tried(desk, attempt);
  }

  #permitted(desk: Desk, attempt: StoredObject): void {
    const order = text(attempt, 'target');
    const before = this.#sumsBefore.get(order) ?? EMPTY_SUM;
    const own = this.#before.get(attempt.id)?.state['status'] === 'dispatched' ? amountOf(attempt) : 0;
    const inAll = before.landedTotal + before.heldTotal - own + amountOf(attempt);
    // What was looked for first was measured when it was admitted; a landing found meanwhile moves the order, and then nothing is sent.
    expect(inAll, 'more than the order').toBeLessThanOrEqual(Number(desk.field(order, 'totalCents')));
    const { parameters } = attempt.state;
    const fraud = isJsonObject(parameters) && parameters['reason'] === 'fraudulent';
    const second = text(attempt, 'actor').startsWith('Agent:') && before.landedCount > 0;
    if (inAll <= 5000 && !fraud && !second) return;
    const approval = desk.state.ofType('Approval', null, 1000).find(({ state }) => state['attempt'] === attempt.id);
    expect(approval?.state['status'], `${attempt.id} needs a person`).toBe('used');
    expect(text(approval, 'decidedBy')).toMatch(/^Person:/);
    expect(text(approval, 'decidedBy')).not.toBe(text(attempt, 'actor'));
    expect(approval?.state).toMatchObject({ target: order, parameters, proposer: text(attempt, 'actor'), targetRevision: desk.object(order).revision });
  }

  #tried(desk: Desk, attempt: StoredObject): void {
    const cell = desk.attemptCell(attempt.id);
    const key = cell.retryKey ?? '';
    const tries = [...this.#tries.values()];
    const { budget } = desk.sealed.manifest.actions[text(attempt, 'action')]?.retry ?? { budget: 0 };
    expect(tries.filter((each) => each.key === key && each.used.key > 0).length, 'more tries than the key has').toBeLessThan(budget);
    this.#tries.set(attempt.id, { key, fence: cell.fence, signature: cell.signature, used: { key: 1, ceiling: 1 } });
    const integration = text(attempt, 'action') === 'customer.email' ? 'Integration:mail' : 'Integration:payments';
    const now: LastTry = {
      key,
      revision: desk.object(text(attempt, 'target')).revision,
      connection: Number(desk.field(integration, 'connection')),
      evidence: this.#evidence,
    };
    const last = this.#lastTry.get(cell.signature);
    if (last !== undefined && last.key !== key) expect({ ...now, key: '' }, 'a key renewed without a cause').not.toEqual({ ...last, key: '' });
    this.#lastTry.set(cell.signature, now);
  }

  /** K2: nothing but the record, and the count of a task that was named. */
  #refusal(input: ProposalInput, decision: Decision): void {
    const parked = decision.changes.some((change) => 'put' in change && change.put.type === 'Approval' && !this.#before.has(change.put.id));
    if (parked) return;
    for (const change of decision.changes) agree(isRecord(change, input), true, 'more than the record');
    expect(decision.commands).toEqual([]);
  }

  /** K3: sums equal the attempts that they count; the order and the budget agree. */
  #sums(desk: Desk): void {
    const attempts = desk.state.ofType('ActionAttempt', null, 10_000).filter(({ state }) => EFFECTS.includes(String(state['action'])));
    let held = 0;
    for (const [action, targets] of [
      ['order.refund', ['Order:1', 'Order:2']],
      ['customer.email', ['Customer:kim', 'Customer:lee']],
    ] as const) {
      for (const target of targets) {
        const sum = sumOf(attempts.filter(({ state }) => state['action'] === action && state['target'] === target));
        agree(desk.state.cell(cellKeys.sum(action, target)) ?? EMPTY_SUM, sum, `sums of ${target}`);
        if (action === 'order.refund') {
          held += sum.heldTotal;
          this.#sumsBefore.set(target, sum);
          if (desk.state.object(target) !== undefined) agree(desk.field(target, 'refundedCents'), sum.landedTotal, `what ${target} says`);
        }
      }
    }
    const today = new Date(desk.at).toISOString().slice(0, 10);
    const budget = desk.budget();
    agree([budget.held, budget.spent], [held, this.#spent.get(today) ?? 0], 'the budget');
    agree(desk.state.cell(cellKeys.unresolved) ?? 0, attempts.filter(({ state }) => state['certainty'] === 'in_doubt').length, 'what is unresolved');
  }

  /** I4, K4: one effect in flight or in doubt on a fence, and one approval. */
  #fences(desk: Desk): void {
    const open = new Map<string, string>();
    const standing = new Map<string, string>();
    for (const { id, state } of desk.state.ofType('ActionAttempt', null, 10_000)) {
      if (!EFFECTS.includes(String(state['action']))) continue;
      if (state['certainty'] === 'in_doubt') {
        const { fence } = desk.attemptCell(id);
        agree(open.has(fence), false, `${id} beside ${open.get(fence) ?? ''}`);
        open.set(fence, id);
      }
    }
    for (const { id, state } of desk.state.ofType('Approval', null, 10_000)) {
      if (state['status'] !== 'pending' && state['status'] !== 'granted') continue;
      const { fence } = desk.attemptCell(String(state['attempt']));
      agree(standing.has(fence), false, 'two approvals on a fence');
      standing.set(fence, id);
    }
    agree(desk.state.cell(cellKeys.approvals) ?? 0, standing.size, 'approvals that stand');
    for (const fence of new Set([...open.keys(), ...standing.keys(), ...[...this.#tries.values()].map((each) => each.fence)])) {
      const cell = (desk.state.cell(cellKeys.fence(fence)) as FenceCell | undefined) ?? EMPTY_FENCE;
      agree([cell.open, cell.approval], [open.get(fence) ?? null, standing.get(fence) ?? null], 'what holds a fence');
    }
  }

  /** I2: what a key and a ceiling have used equals the tries that were neither given back nor landed. */
  #triesAgree(desk: Desk): void {
    const keys = new Map<string, number>();
    const ceilings = new Map<string, number>();
    for (const [id, tried] of this.#tries) {
      const attempt = desk.object(id);
      const outcome = attempt.state['outcome'];
      const certainty = text(attempt, 'certainty');
      const settledBy = certainty === 'none' && isJsonObject(outcome) ? text({ ...attempt, state: outcome }, 'code') : '';
      if (certainty === 'landed' || settledBy === 'authentication_required') Object.assign(tried.used, { key: 0, ceiling: 0 });
      else if (settledBy === 'rate_limited') Object.assign(tried.used, { key: 0 });
      keys.set(tried.key, (keys.get(tried.key) ?? 0) + tried.used.key);
      ceilings.set(tried.fence, (ceilings.get(tried.fence) ?? 0) + tried.used.ceiling);
    }
    for (const [key, used] of keys) agree((desk.state.cell(cellKeys.retry(key)) as RetryCell | undefined)?.used ?? 0, used, 'tries of a key');
    for (const [fence, used] of ceilings) agree((desk.state.cell(cellKeys.fence(fence)) as FenceCell | undefined)?.used ?? 0, used, 'tries of a fence');
  }
}

function sumOf(attempts: readonly StoredObject[]): SumCell {
  const of = (certainty: string): readonly StoredObject[] => attempts.filter(({ state }) => state['certainty'] === certainty);
  const total = (found: readonly StoredObject[]): number => found.reduce((sum, attempt) => sum + amountOf(attempt), 0);
  return { landedCount: of('landed').length, landedTotal: total(of('landed')), heldCount: of('in_doubt').length, heldTotal: total(of('in_doubt')) };
}

function isRecord(change: Change, input: ProposalInput): boolean {
  if ('cell' in change) return change.cell.startsWith('refused:') || change.cell.startsWith('refusals:');
  if (!('put' in change)) return false;
  if (change.put.type === 'Task') return change.put.id === input.task;
  return (
    change.put.type === 'ActionAttempt' &&
    (change.put.state['status'] === 'settled' || change.put.state['status'] === 'awaiting_approval') &&
    Number((change.put.state as JsonObject)['refusedCount']) > 0
  );
}
