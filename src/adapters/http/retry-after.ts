// The Retry-After header (RFC 9110 §10.2.3): seconds, or a date in the one form that senders may still generate (IMF-fixdate).
import { LIMITS } from '../../kernel/index.ts';

const SECONDS = /^\d{1,12}$/;
const IMF_FIXDATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** How long to wait from `nowMs` on, in ms, at most `retryAfterSecondsMax`; null where the header is absent or unreadable. A past date is 0. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (SECONDS.test(text)) return bounded(Number(text) * 1000);
  if (!IMF_FIXDATE.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : bounded(at - nowMs);
}

function bounded(ms: number): number {
  return Math.min(Math.max(0, ms), LIMITS.retryAfterSecondsMax * 1000);
}
