// Problem details (RFC 9457): the one form of every answer that speaks of the request and not of the world.
// Texts are ours alone: nothing that a client sent and no message of an error stands in them.
import * as z from 'zod';

export const PROBLEM_TITLES = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Content too large',
  415: 'Unsupported media type',
  422: 'Unprocessable content',
  429: 'Too many requests',
  500: 'Internal server error',
} as const;

export type ProblemStatus = keyof typeof PROBLEM_TITLES;

export const problemError = z.object({
  path: z.string().meta({ description: 'Where in the request, in dots: `parameters.amountCents`, `query.limit`, `header.idempotency-key`.' }),
  code: z.string(),
});
export type ProblemError = z.infer<typeof problemError>;

export const problemDetails = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z.array(problemError).optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problemDetails>;

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** Builds the problem of a status. `errors` names the fields that do not fit. */
export function problem(status: ProblemStatus, detail: string, errors?: readonly ProblemError[]): Problem {
  const base: Problem = { type: 'about:blank', title: PROBLEM_TITLES[status], status, detail };
  return errors === undefined || errors.length === 0 ? base : { ...base, errors: [...errors] };
}
