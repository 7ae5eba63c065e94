// What every problem must be, whatever it is about.
import { expect } from 'vitest';
import type { Answer } from './fakes.ts';

/** The answer is a problem of this status, in full. */
export function expectProblem(answer: Answer, status: number, what = ''): void {
  expect(answer.status, `${what} ${answer.text.slice(0, 200)}`).toBe(status);
  expect(answer.headers.get('content-type'), what).toBe('application/problem+json');
  expect(answer.json, what).toMatchObject({ type: expect.any(String), title: expect.any(String), status, detail: expect.any(String) });
  expect(answer.headers.get('x-request-id'), what).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get('cache-control'), what).toBe('no-store');
  expect(answer.headers.get('x-content-type-options'), what).toBe('nosniff');
}

/** The paths and codes of a 422. */
export function errorsOf(answer: Answer): unknown {
  return answer.json['errors'];
}
