// Responsibility: what the world object answers: wire bodies as text, made once.
// Boundary: shapes only; state comes from the store, projections from the kernel's observation module.
// Invariants: a refusal has no cursor; the text of an answer that is kept is byte-identical when it is given again.
import { Draft, isJsonObject, worldObject } from '../../src/kernel/index.ts';
import type { Actor, Json, JsonObject, Outcome, SealedWorld, StoredObject, WorldView } from '../../src/kernel/index.ts';
import { messageOf } from '../../src/protocol/message.ts';
import { problem, type ProblemError, type ProblemStatus } from '../../src/protocol/problem.ts';
import type { Reply } from '../../src/protocol/rpc.ts';
import type { Cursors } from './cursor.ts';

export function json(status: number, body: unknown): Reply {
  return { status, body: JSON.stringify(body), contentType: 'application/json' };
}

export function problemReply(status: ProblemStatus, detail: string, errors?: readonly ProblemError[]): Reply {
  return { status, body: JSON.stringify(problem(status, detail, errors)), contentType: 'application/problem+json' };
}

export interface ResultParts {
  readonly sealed: SealedWorld;
  readonly cursors: Cursors;
  readonly actor: string;
  readonly attempt: StoredObject;
  /** The outcome of this very proposal; null while its effect is on its way. */
  readonly outcome: Outcome | null;
  readonly transition: { readonly sequence: number; readonly hash: string };
}

/** ProposalResult: 200 settled, 202 still in flight. */
export function proposalReply(parts: ResultParts): Reply {
  const { attempt, outcome, transition } = parts;
  const refused = outcome?.failing !== undefined;
  const target = attempt.state['target'];
  const cursor = refused || outcome === null || typeof target !== 'string' ? {} : { cursor: parts.cursors.make(parts.actor, transition.sequence, target) };
  return json(outcome === null ? 202 : 200, {
    outcome: outcome === null ? null : withMessage(outcome),
    attempt: attempt.state,
    transition: { ...transition, manifest: parts.sealed.hash },
    ...cursor,
  });
}

export function withMessage(outcome: Outcome): JsonObject {
  return { ...(outcome as unknown as JsonObject), message: messageOf(outcome) };
}

/** The outcome that an attempt has now, as its state holds it. */
export function outcomeIn(attempt: StoredObject): Outcome | null {
  const outcome: Json | undefined = attempt.state['outcome'];
  return attempt.state['status'] === 'dispatched' || !isJsonObject(outcome) ? null : (outcome as unknown as Outcome);
}

export function objectReply(
  about: { readonly sealed: SealedWorld; readonly view: WorldView; readonly actor: Actor; readonly at: number; readonly cursors: Cursors },
  object: StoredObject,
): Reply {
  const draft = new Draft(about.sealed, about.view, about.at);
  const cursor = about.cursors.make(about.actor.id, about.view.head().sequence, object.id);
  return json(200, { ...worldObject(draft, about.actor, object, true), cursor });
}
