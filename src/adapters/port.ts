// The outbound port: what the world object asks of the outside, and what comes back. Every adapter implements it; one suite tests them all.
// An adapter never throws for what the outside did: it answers with evidence. A throw is a fault of ours, and the effect is then in doubt.
import type { Json, JsonObject } from '../kernel/index.ts';
import type { EvidenceKind } from '../kernel/index.ts';

/** Where and as whom to call: from `integration.connect`, decrypted for this call only. */
export interface Connection {
  readonly endpoint: string;
  readonly credential: string;
  readonly settings: { readonly [name: string]: string };
}

/** A request compiled from the contract and the attempt: made before the intent is durable, sent after. Never holds a secret. */
export interface CompiledRequest {
  readonly method: string;
  /** Path and query, below the endpoint's origin. */
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string | null;
}

/** What came back, in the words of the total table. `raw` is kept as protected evidence, never shown in a frame. */
export interface Answer {
  readonly says: EvidenceKind;
  readonly status: string | null;
  readonly rank: number;
  readonly code: string | null;
  readonly fields: JsonObject;
  readonly retryAfterMs: number | null;
  readonly raw: RawExchange | null;
}

export interface RawExchange {
  readonly request: { readonly method: string; readonly url: string; readonly headers: { readonly [name: string]: string }; readonly body: string | null };
  readonly response: { readonly status: number; readonly headers: { readonly [name: string]: string }; readonly body: string } | null;
}

/** One found item of a read-back, or none: `says` is landed, failed, absent or inconclusive, per correlation id asked for. */
export interface ReadBackAnswer {
  readonly findings: readonly { readonly correlationId: string; readonly answer: Answer }[];
}

/** Values that a contract's operands may refer to when a request is compiled. */
export interface RequestScope {
  readonly target: JsonObject;
  readonly args: JsonObject;
  readonly related: { readonly [name: string]: JsonObject };
  readonly attempt: { readonly id: string; readonly correlationId: string; readonly world: string };
  readonly settings: { readonly [name: string]: string };
}

export type Fetch = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: string; redirect: 'manual'; signal: AbortSignal },
) => Promise<Response>;

export type { Json };
