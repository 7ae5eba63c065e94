// A scripted policy that plays the model in the experiment: a few fixed rules over a frame. It is not an LLM and claims nothing of one.
import type { Credential, Fields, Result, Seen } from './desk.ts';

/** What the policy would have in its context: it is thrown away with it. */
export interface Context {
  readonly goal: string;
  readonly transcript: readonly string[];
}

export class ScriptedPolicy {
  readonly #actor: Credential;
  context: Context;

  constructor(actor: Credential, goal: string) {
    this.#actor = actor;
    this.context = { goal, transcript: [] };
  }

  /** Proposes the refund that its goal asks for, from what it has just observed. */
  async refund(order: string, amountCents: number): Promise<Result> {
    const seen: Seen = await this.#actor.look(order);
    const result = await this.#actor.refund(order, amountCents, { seen });
    this.#say(`proposed ${amountCents} on ${order}: ${result.outcome?.kind ?? 'in flight'} ${result.outcome?.code ?? ''}`);
    return result;
  }

  /** What the frame alone says about why the effect cannot be repeated. */
  async why(order: string): Promise<{
    readonly unresolved: readonly Fields[];
    readonly completed: readonly Fields[];
    readonly blockers: readonly Fields[];
    readonly action: Fields | undefined;
  }> {
    const frame = await this.#actor.observe(`?focus=${order}`);
    const about = (list: unknown): readonly Fields[] => (list as readonly Fields[]).filter((entry) => entry['target'] === order);
    const action = (frame['actions'] as readonly Fields[]).find((entry) => entry['action'] === 'order.refund' && entry['target'] === order);
    return { unresolved: about(frame['unresolved']), completed: about(frame['completed']), blockers: about(frame['blockers']), action };
  }

  /** Compaction: language goes, the goal stays. Nothing operational is lost, because nothing operational was here. */
  compact(): void {
    this.context = { goal: this.context.goal, transcript: [] };
  }

  #say(line: string): void {
    this.context = { ...this.context, transcript: [...this.context.transcript, line] };
  }
}
