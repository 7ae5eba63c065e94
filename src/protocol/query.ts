// Query parameters and headers of the routes: text that becomes a bounded value, or does not fit.
import * as z from 'zod';
import { INTEGER_MAX, LIMITS } from '../kernel/index.ts';
import { objectId, typeName } from './names.ts';

const cursorLengthMax = 2048;
const afterLengthMax = 256;
const digitsMax = 16;

/** Decimal digits only: no sign, no blank, no exponent. */
const digits = new RegExp(`^[0-9]{1,${digitsMax}}$`);

/** An optional query parameter that is an integer not below `min`. Above the largest safe integer it does not fit. */
function integerParameter(min: number, meta: Readonly<Record<string, unknown>>) {
  return z
    .string()
    .refine((text) => digits.test(text) && Number(text) >= min && Number(text) <= INTEGER_MAX, { abort: true })
    .transform(Number)
    .optional()
    .meta({ type: 'integer', minimum: min, ...meta });
}

/** `limit`: larger ones are capped, not refused. */
const limit = integerParameter(1, { maximum: LIMITS.pageMax, default: LIMITS.pageMax });

/** The page size that a `limit` asks for. */
export function pageLimit(asked: number | undefined): number {
  return Math.min(asked ?? LIMITS.pageMax, LIMITS.pageMax);
}

export const observationQuery = z.object({
  task: objectId.optional(),
  focus: objectId.optional(),
  since: z.string().max(cursorLengthMax).optional().meta({ description: 'A cursor; `changes` then holds what changed after it.' }),
  maxBytes: integerParameter(1, { description: 'Bytes of the frame. It may only lower what the manifest allows.' }),
});

export const objectsQuery = z.object({
  type: typeName.optional(),
  after: z.string().max(afterLengthMax).optional(),
  limit,
});

export const transitionsQuery = z.object({ after: integerParameter(0, { default: 0 }), limit });

const waitSecondsDefault = 10;
const waitSecondsMax = 25;

/** Seconds that `Prefer: wait=N` asks for (RFC 7240; the first one counts). What is no such preference is ignored. */
export function waitSeconds(prefer: string | undefined): number {
  const asked = /(?:^|[,;])\s*wait\s*=\s*"?([0-9]{1,9})"?\s*(?=[,;]|$)/i.exec(prefer ?? '')?.[1];
  return asked === undefined ? waitSecondsDefault : Math.min(Number(asked), waitSecondsMax);
}

export const proposalHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/)
    .optional()
    .meta({ description: 'The same key and body get the first answer again, for 24 hours.' }),
  Prefer: z.string().optional().meta({ description: '`wait=N`: seconds to wait for an effect to settle; default 10, at most 25, 0 answers at once.' }),
});
