// The words that the signature schemes share.

/** A delivery as it came: header names in lower case, the raw body as text. Signatures are over exactly these bytes. */
export interface SignedDelivery {
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

export const VERIFICATION_FAILURES = ['signature_missing', 'signature_malformed', 'signature_wrong', 'timestamp_too_old', 'timestamp_in_future'] as const;
export type VerificationFailure = (typeof VERIFICATION_FAILURES)[number];

/** `deliveryId` is the one that the signature covers; null where the scheme carries none in a header. */
export type Verification = { readonly ok: true; readonly deliveryId: string | null } | { readonly ok: false; readonly code: VerificationFailure };

/** Signatures that one header may list, for the rotation of secrets. */
export const SIGNATURES_MAX = 16;
/** Characters of a signature header. */
export const HEADER_LENGTH_MAX = 4_096;

const SECONDS = /^\d{1,12}$/;

/** Unix seconds of a timestamp; null where it is none. */
export function secondsOf(text: string): number | null {
  return SECONDS.test(text) ? Number(text) : null;
}

/** Ages are real time, in whole seconds, as the providers' own libraries count them. Exactly the tolerance still passes, in both directions. */
export function ageFailure(timestampSeconds: number, nowMs: number, toleranceSeconds: number): VerificationFailure | null {
  const ageSeconds = Math.floor(nowMs / 1000) - timestampSeconds;
  if (ageSeconds > toleranceSeconds) return 'timestamp_too_old';
  return -ageSeconds > toleranceSeconds ? 'timestamp_in_future' : null;
}
