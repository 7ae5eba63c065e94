// Responsibility: a transition as a chained record: input, decision, changes, events, manifest, hash (design §12).
// Boundary: makes and verifies records; storing them is the store's, deciding is decide.ts.
// Invariants: the hash covers digests of the parts, so that a part can be withheld and the chain still verified.

import { canonical } from '../base/canonical.ts';
import { digest, sha256Hex } from '../base/digest.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { KERNEL_VERSION } from '../base/limits.ts';
import { isoInstant } from '../base/time.ts';
import { inputJson, type Input } from '../transition/inputs.ts';
import { outcomeJson } from '../transition/outcomes.ts';
import type { Change, Decision, Head, WorldEvent } from '../transition/state.ts';

/** One step of the log, in its wire form. */
export interface TransitionRecord {
  readonly sequence: number;
  /** World time, RFC 3339. */
  readonly at: string;
  readonly kind: Input['kind'];
  readonly actor: string;
  readonly input: JsonObject;
  readonly decision: JsonObject;
  readonly changes: readonly Change[];
  readonly events: readonly WorldEvent[];
  readonly manifest: string;
  readonly kernel: number;
  readonly prev: string;
  readonly hash: string;
}

export function actorOf(input: Input): string {
  switch (input.kind) {
    case 'proposal':
    case 'advance':
    case 'genesis':
      return input.actor.id;
    case 'evidence':
      return `Integration:${input.integration}`;
    case 'cleared':
    case 'clock':
      return 'Clock:world';
  }
}

function decisionJson(decision: Decision): JsonObject {
  return { outcome: outcomeJson(decision.outcome), attempt: decision.attempt, commands: decision.commands as unknown as Json };
}

/** Makes the record that follows `head`, and its text. */
export function makeRecord(head: Head, manifest: string, input: Input, decision: Decision): { readonly record: TransitionRecord; readonly text: string } {
  const parts = { input: inputJson(input) as JsonObject, decision: decisionJson(decision), changes: decision.changes, events: decision.events };
  const texts = {
    changes: canonical(parts.changes as unknown as Json),
    decision: canonical(parts.decision),
    events: canonical(parts.events as unknown as Json),
    input: canonical(parts.input),
  };
  const envelope = {
    actor: actorOf(input),
    at: isoInstant(input.at),
    kernel: KERNEL_VERSION,
    kind: input.kind,
    manifest,
    prev: head.hash,
    sequence: head.sequence + 1,
  };
  const hash = digest({
    ...envelope,
    changes: `sha256:${sha256Hex(texts.changes)}`,
    decision: `sha256:${sha256Hex(texts.decision)}`,
    events: `sha256:${sha256Hex(texts.events)}`,
    input: `sha256:${sha256Hex(texts.input)}`,
  });
  const start = canonical({ ...envelope, hash });
  const text = `${start.slice(0, -1)},"input":${texts.input},"decision":${texts.decision},"changes":${texts.changes},"events":${texts.events}}`;
  return { record: { ...envelope, ...parts, hash }, text };
}

/** The hash that a record must have, from what it holds. */
export function hashOf(record: TransitionRecord): string {
  const { sequence, at, kind, actor, manifest, kernel, prev } = record;
  return digest({
    actor,
    at,
    kernel,
    kind,
    manifest,
    prev,
    sequence,
    changes: digest(record.changes as unknown as Json),
    decision: digest(record.decision),
    events: digest(record.events as unknown as Json),
    input: digest(record.input),
  });
}
