// From what a schema found wrong to the errors of a problem: `{path, code}`, without any text that a client sent but names of fields.
import type * as z from 'zod';
import { LIMITS } from '../kernel/index.ts';
import type { ProblemError } from '../protocol/problem.ts';
import { refuse } from './answers.ts';
import { pathText } from './json-text.ts';

type Issue = z.core.$ZodIssue;
type Part = 'json' | 'form' | 'query' | 'param' | 'header' | 'cookie';

const CODES: Partial<Record<NonNullable<Issue['code']>, string>> = {
  invalid_type: 'wrong_type',
  too_big: 'too_large',
  too_small: 'too_small',
  invalid_format: 'bad_format',
  invalid_value: 'unknown_value',
  unrecognized_keys: 'unknown_field',
};

const PLACES: Record<Part, readonly string[]> = { json: [], form: [], query: ['query'], param: ['path'], header: ['header'], cookie: ['cookie'] };

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<PropertyKey, unknown>)[key] : undefined),
    input,
  );
}

function errorsOf(issue: Issue, place: readonly string[], input: unknown): readonly ProblemError[] {
  const code = CODES[issue.code] ?? 'does_not_fit';
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ path: pathText([...place, ...issue.path, key]), code }));
  const missing = issue.code === 'invalid_type' && valueAt(input, issue.path) === undefined;
  return [{ path: pathText([...place, ...issue.path]), code: missing ? 'missing' : code }];
}

/** The 422 of a request of which one part does not fit its schema. */
export function doesNotFit(part: Part, issues: readonly Issue[], input: unknown): Response {
  const errors = issues.flatMap((issue) => errorsOf(issue, PLACES[part], input)).slice(0, LIMITS.parameterErrorsMax);
  return refuse(422, part === 'json' ? 'the body does not fit' : 'the request does not fit', errors);
}
