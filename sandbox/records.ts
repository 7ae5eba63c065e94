// What the sandbox provider remembers: the effects that happened, and the requests that asked for them.

export const EFFECT_ROUTES = ['refund', 'mail'] as const;
export type EffectRoute = (typeof EFFECT_ROUTES)[number];
export type Route = EffectRoute | 'readback';

export type JsonRecord = { readonly [name: string]: unknown };

/** What one request asks for, as far as it can be read. */
export interface Asked {
  readonly correlation: string | null;
  readonly idempotencyKey: string | null;
  /** The charge or payment intent of a refund or of a read-back. */
  readonly charge: string | null;
  readonly amountCents: number | null;
  readonly to: readonly string[];
  readonly metadata: { readonly [name: string]: string };
  readonly fields: JsonRecord;
  /** Why the provider would refuse this request whatever its mood, or null. */
  readonly defect: string | null;
}

/** One line of the ledger. `effect` is false for a refund that failed at once: it is listed, and no money moved. */
export interface Effect {
  readonly n: number;
  readonly effect: boolean;
  readonly route: EffectRoute;
  readonly at: number;
  readonly correlation: string | null;
  readonly idempotencyKey: string | null;
  readonly charge: string | null;
  readonly amountCents: number | null;
  readonly to: readonly string[];
  /** What the provider answers for it. */
  readonly object: JsonRecord;
}

/** One request that arrived. Its credential is not kept. */
export interface RequestRecord {
  readonly n: number;
  readonly route: Route | 'unknown';
  readonly at: number;
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly raw: string;
  readonly asked: Asked;
  mode: string;
  committed: boolean;
}
