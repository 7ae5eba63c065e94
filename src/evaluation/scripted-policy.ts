// A scripted policy that plays the model in the experiment: a few fixed rules over a frame. It is not an LLM and claims nothing of one.
import type { Credential, Fields, Result } from './desk.ts';

export interface Line {
  readonly about: 'request' | 'observation' | 'action' | 'response' | 'summary';
  readonly text: string;
}

export interface Goal {
  readonly order: string;
  readonly amountCents: number;
}

/** What the frame says about one order, and what the policy makes of it. */
export interface Reading {
  readonly unresolved: readonly Fields[];
  readonly completed: readonly Fields[];
  readonly blockers: readonly Fields[];
  /** How the frame lists the refund that the goal asks for. */
  readonly refund: Fields | undefined;
  readonly next: { readonly action: string; readonly target: string } | null;
}

export class ScriptedPolicy {
  readonly #actor: Credential;
  readonly #goal: Goal;
  /** What it would have in its context; it goes with it. */
  lines: readonly Line[];

  constructor(actor: Credential, goal: Goal) {
    this.#actor = actor;
    this.#goal = goal;
    this.lines = [{ about: 'request', text: `refund ${goal.amountCents} cents of ${goal.order}` }];
  }

  /** Proposes the refund that its goal asks for, from what it has just observed. */
  async refund(): Promise<Result> {
    const { order, amountCents } = this.#goal;
    const seen = await this.#actor.look(order);
    this.#say('observation', `${order} is at revision ${seen.revision}`);
    this.#say('action', `order.refund ${order} ${amountCents}`);
    const result = await this.#actor.refund(order, amountCents, { seen });
    this.#say('response', `${result.outcome?.kind ?? 'in flight'} ${result.outcome?.code ?? ''}`);
    return result;
  }

  /** Reads the frame alone: is the refund to be proposed, is something to be settled first, or is there nothing to do? */
  async read(): Promise<Reading> {
    const { order } = this.#goal;
    const frame = await this.#actor.observe(`?focus=${order}`);
    const about = (list: unknown): readonly Fields[] => (list as readonly Fields[]).filter((entry) => entry['target'] === order);
    const actions = frame['actions'] as readonly Fields[];
    const refund = actions.find((entry) => entry['action'] === 'order.refund' && entry['target'] === order);
    const unresolved = about(frame['unresolved']);
    const settling = actions.find((entry) => entry['available'] === true && unresolved.some(({ attempt }) => attempt === entry['target']));
    const wanted = refund?.['available'] === true ? refund : settling;
    const next = wanted === undefined ? null : { action: String(wanted['action']), target: String(wanted['target']) };
    return { unresolved, completed: about(frame['completed']), blockers: about(frame['blockers']), refund, next };
  }

  /** Does what it read that it should do next. */
  async carryOut(next: { readonly action: string; readonly target: string }): Promise<Result> {
    return next.action === 'order.refund' ? this.refund() : this.#actor.propose(next.action, next.target);
  }

  /** The original action and its response are gone from the context. */
  forgetTheAction(): void {
    this.lines = this.lines.filter(({ about }) => about !== 'action' && about !== 'response');
  }

  /** Compaction: what is left becomes one line. Nothing operational is lost, because nothing operational was here. */
  compact(): void {
    this.lines = [{ about: 'summary', text: this.lines.map(({ text }) => text).join('; ') }];
  }

  #say(about: Line['about'], text: string): void {
    this.lines = [...this.lines, { about, text }];
  }
}
