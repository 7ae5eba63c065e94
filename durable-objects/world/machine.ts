// Responsibility: the four steps: admit → load → decide → commit, as one synchronous turn, then act (design §7).
// Boundary: the kernel decides, the store keeps, the outside (outside.ts) is called after the commit. Nothing here awaits.
// Invariants: one SQLite transaction per transition; the clock of a world never goes back; due timers run before any other input.
import { decide, makeRecord, preview, Draft, attemptCell, earlier } from '../../src/kernel/index.ts';
import type { Change, ClockInput, Command, Decision, Input, ProposalInput, SealedWorld, StoredObject } from '../../src/kernel/index.ts';
import type { WorldStore } from '../world-store.ts';
import { intentFor } from './intent.ts';

export interface Committed {
  readonly decision: Decision;
  readonly sequence: number;
  readonly hash: string;
}

/** What else must be stored in the very transaction of a transition. */
export type Alongside = (committed: Committed) => void;

export interface MachineParts {
  readonly sealed: SealedWorld;
  readonly store: WorldStore;
  /** Runs a function in one SQLite transaction. */
  readonly transact: <T>(work: () => T) => T;
  /** Real time, ms. */
  readonly realNow: () => number;
  /** Called after each commit with what must be done next. */
  readonly act: (commands: readonly Command[]) => void;
}

/** Timers handled in one clock transition. */
const DUE_MAX = 64;

export class Machine {
  readonly sealed: SealedWorld;
  readonly store: WorldStore;
  readonly #parts: MachineParts;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(parts: MachineParts) {
    this.sealed = parts.sealed;
    this.store = parts.store;
    this.#parts = parts;
  }

  /** The world's time, ms: real time plus what an operator added, never before the last record. */
  now(): number {
    return Math.max(this.#parts.realNow() + this.offsetMs(), this.store.head().at);
  }

  offsetMs(): number {
    return Number(this.store.cell('clock') ?? 0);
  }

  /** Decides and commits one input. Returns undefined where nothing was recorded (the decision says why). */
  step(input: Input, alongside?: Alongside): Committed {
    const head = this.store.head();
    const committed = this.#parts.transact((): Committed => {
      const decision = decide(this.sealed, this.store, input);
      if (!decision.recorded || (decision.changes.length === 0 && decision.events.length === 0 && input.kind !== 'genesis')) {
        return { decision, sequence: head.sequence, hash: head.hash };
      }
      const { record, text } = makeRecord(head, this.sealed.hash, input, decision);
      this.store.apply(decision.changes);
      this.store.appendTransition({ sequence: record.sequence, at: input.at, kind: record.kind, actor: record.actor, hash: record.hash, text });
      for (const command of decision.commands) this.#keepIntent(command, input.at);
      const done = { decision, sequence: record.sequence, hash: record.hash };
      alongside?.(done);
      return done;
    });
    if (committed.sequence === head.sequence) return committed;
    this.#wake(committed.decision.changes);
    this.#parts.act(committed.decision.commands);
    return committed;
  }

  /** The request of an effect is compiled and durable in the transition that dispatches it. */
  #keepIntent(command: Command, at: number): void {
    if (command.do !== 'dispatch') return;
    const intent = intentFor(this.sealed, this.store, command.attempt, at);
    this.store.putIntent(intent);
  }

  preview(input: ProposalInput): ReturnType<typeof preview> {
    return preview(this.sealed, this.store, input);
  }

  /** Runs everything that is due. Bounded: what remains is due at the next wake. */
  runDue(): void {
    for (let rounds = 0; rounds < 16; rounds += 1) {
      const at = this.now();
      const due = this.store.due(at, DUE_MAX);
      if (due.length === 0) return;
      const input: ClockInput = { kind: 'clock', at, due: due.map(({ kind, ref, at: when }) => ({ kind, ref, at: when })) };
      this.step(input);
    }
  }

  /** Resolves when the attempt is no longer on its way, or after `ms`. */
  async settled(attempt: string, ms: number): Promise<void> {
    if (ms <= 0 || this.store.object(attempt)?.state['status'] !== 'dispatched') return;
    await new Promise<void>((resolve) => {
      const waiters = this.#waiting.get(attempt) ?? new Set();
      const done = (): void => {
        clearTimeout(timer);
        waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      waiters.add(done);
      this.#waiting.set(attempt, waiters);
    });
  }

  #wake(changes: readonly Change[]): void {
    if (this.#waiting.size === 0) return;
    for (const change of changes) {
      if (!('put' in change) || change.put.state['status'] === 'dispatched') continue;
      const waiters = this.#waiting.get(change.put.id);
      if (waiters === undefined) continue;
      this.#waiting.delete(change.put.id);
      for (const done of waiters) done();
    }
  }

  /** Attempts that were sent before under the signature of this one and have not landed: what a preflight looks for. */
  earlierThan(attempt: string): readonly StoredObject[] {
    const draft = new Draft(this.sealed, this.store, this.now());
    const cell = attemptCell(draft, attempt);
    if (cell === undefined) return [];
    return earlier(draft, cell)
      .filter((id) => id !== attempt)
      .flatMap((id) => this.store.object(id) ?? []);
  }
}
