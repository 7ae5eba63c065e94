// Answers: problems, and the finished replies of the objects.
import type { Context } from 'hono';
import { PROBLEM_MEDIA_TYPE, problem } from '../protocol/problem.ts';
import type { ProblemError, ProblemStatus } from '../protocol/problem.ts';
import type { Reply } from '../protocol/rpc.ts';

/** A problem as a response. */
export function refuse(status: ProblemStatus, detail: string, errors?: readonly ProblemError[]): Response {
  const headers = new Headers({ 'content-type': PROBLEM_MEDIA_TYPE });
  if (status === 401) headers.set('www-authenticate', 'Bearer');
  return new Response(JSON.stringify(problem(status, detail, errors)), { status, headers });
}

export const refusals = {
  credential: () => refuse(401, 'a valid credential is needed'),
  right: () => refuse(403, 'the credential does not carry this right'),
  route: () => refuse(404, 'there is nothing here'),
  world: () => refuse(404, 'there is no such world'),
  tenant: () => refuse(404, 'there is no such tenant'),
  hook: () => refuse(401, 'the delivery could not be verified'),
} as const;

/** A reply of an object, as it stands. */
export function send(reply: Reply): Response {
  return new Response(reply.body, { status: reply.status, headers: { ...reply.headers, 'content-type': reply.contentType } });
}

export function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

/** What a request is logged by: its id and the class of the error, never a message. */
export function logFault(c: Context, error: unknown): void {
  const requestId: unknown = c.get('requestId');
  console.error(JSON.stringify({ requestId, error: error instanceof Error ? error.constructor.name : typeof error }));
}
