// Small pieces that routes describe themselves with, for the OpenAPI document. The schemas are those that validate.
import type { ZodType } from 'zod';
import { PROBLEM_MEDIA_TYPE, PROBLEM_TITLES, problemDetails } from '../protocol/problem.ts';
import type { ProblemStatus } from '../protocol/problem.ts';

/** Answers are finished texts of the objects; hiding their content from the type lets a handler return any `Response`. */
export interface Described {
  readonly description: string;
}

export function answer(description: string, schema?: ZodType, mediaType = 'application/json'): Described {
  return schema === undefined ? { description } : ({ description, content: { [mediaType]: { schema } } } as Described);
}

const requestIdHeader = { 'x-request-id': { schema: { type: 'string' as const }, description: 'Names this request.' } };

/** The problems that a route may answer with. */
export function problems(...statuses: readonly ProblemStatus[]): { readonly [status: string]: Described } {
  const described = statuses.map(
    (status) =>
      [
        String(status),
        { description: PROBLEM_TITLES[status], headers: requestIdHeader, content: { [PROBLEM_MEDIA_TYPE]: { schema: problemDetails } } },
      ] as const,
  );
  return Object.fromEntries(described);
}

export function bodyOf<Schema extends ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } } as const;
}

/** The credential, as the OpenAPI document names it. */
export const withKey: { readonly key: string[] }[] = [{ key: [] }];
