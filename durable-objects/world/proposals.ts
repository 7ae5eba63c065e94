// Responsibility: proposals as requests: the same key gives the first answer, waiting for an effect, 429 where nothing is recorded (docs/http.md).
// Boundary: idempotency and waiting only; deciding is the machine's.
// Invariants: the key's row is written in the transaction of the transition, so that a crash between commit and answer loses nothing.
import { HOUR_MS, LIMITS } from '../../src/kernel/index.ts';
import type { Outcome, StoredObject } from '../../src/kernel/index.ts';
import type { Principal, ProposeOptions, Reply } from '../../src/protocol/rpc.ts';
import { proposalInput, type Prepared } from './admission.ts';
import type { Cursors } from './cursor.ts';
import type { Machine } from './machine.ts';
import { outcomeIn, problemReply, proposalReply } from './replies.ts';

export class Proposals {
  readonly #machine: Machine;
  readonly #cursors: Cursors;

  constructor(machine: Machine, cursors: Cursors) {
    this.#machine = machine;
    this.#cursors = cursors;
  }

  async propose(principal: Principal, prepared: Prepared, options: ProposeOptions): Promise<Reply> {
    const { store } = this.#machine;
    const { idempotencyKey, bodyDigest, waitSeconds } = options;
    const known = idempotencyKey === null ? undefined : store.idempotency(principal.actor, idempotencyKey);
    if (known !== undefined && this.#fresh(known.createdAt)) {
      if (known.bodyDigest !== bodyDigest)
        return problemReply(409, 'this idempotency key was used for another request', [{ path: 'header.idempotency-key', code: 'other_request' }]);
      return known.response ?? this.#later(principal, { attempt: known.attempt, key: idempotencyKey, waitSeconds });
    }
    this.#machine.runDue();
    const input = proposalInput(prepared, { sealed: this.#machine.sealed, principal, cursors: this.#cursors, at: this.#machine.now() });
    let reply: Reply | undefined;
    const { decision } = this.#machine.step(input, (committed) => {
      const attempt = committed.decision.attempt === null ? undefined : store.object(committed.decision.attempt);
      if (attempt === undefined) throw new Error('a recorded proposal is an attempt');
      if (prepared.secret !== null && committed.decision.outcome?.kind === 'Succeeded')
        store.putSecret(prepared.secret.ref, prepared.secret.envelope, input.at);
      if (committed.decision.outcome !== null)
        reply = this.#reply(principal, { attempt, outcome: committed.decision.outcome, sequence: committed.sequence, hash: committed.hash });
      if (idempotencyKey !== null) {
        store.putIdempotency({ actor: principal.actor, key: idempotencyKey, bodyDigest, attempt: attempt.id, createdAt: input.at, response: reply ?? null });
      }
    });
    if (!decision.recorded) return tooMany(decision.retryAfterMs);
    return reply ?? this.#later(principal, { attempt: decision.attempt, key: idempotencyKey, waitSeconds });
  }

  /** Waits for an effect on its way; then its present state, which is kept for the key once it is settled. */
  async #later(principal: Principal, about: { readonly attempt: string | null; readonly key: string | null; readonly waitSeconds: number }): Promise<Reply> {
    const { store } = this.#machine;
    if (about.attempt === null) throw new Error('a recorded proposal is an attempt');
    await this.#machine.settled(about.attempt, about.waitSeconds * 1000);
    const kept = about.key === null ? undefined : store.idempotency(principal.actor, about.key)?.response;
    if (kept) return kept;
    const attempt = store.object(about.attempt);
    if (attempt === undefined) throw new Error('an attempt never disappears');
    const hash = store.hashOf(attempt.changedIn) ?? '';
    const reply = this.#reply(principal, { attempt, outcome: outcomeIn(attempt), sequence: attempt.changedIn, hash });
    if (about.key !== null && reply.status === 200) store.completeIdempotency(principal.actor, about.key, reply);
    return reply;
  }

  #reply(
    principal: Principal,
    parts: { readonly attempt: StoredObject; readonly outcome: Outcome | null; readonly sequence: number; readonly hash: string },
  ): Reply {
    const { attempt, outcome, sequence, hash } = parts;
    return proposalReply({ sealed: this.#machine.sealed, cursors: this.#cursors, actor: principal.actor, attempt, outcome, transition: { sequence, hash } });
  }

  #fresh(createdAt: number): boolean {
    return this.#machine.now() - createdAt < LIMITS.idempotencyHours * HOUR_MS;
  }
}

function tooMany(retryAfterMs: number): Reply {
  return { ...problemReply(429, 'too many refused proposals today: nothing was recorded'), headers: { 'retry-after': String(Math.ceil(retryAfterMs / 1000)) } };
}
