// Responsibility: what an answer proves: the total table of design §8, from what arrived to what it says of the effect.
// Boundary: pure. Outcomes and certainty are the kernel's; here stand only the words of the evidence vocabulary.
// Invariants: every arrival is exactly one situation, every situation says exactly one thing; what is not listed proves nothing.
import type { ErrorRow, EvidenceKind, HttpContract, Json, JsonObject, OperationContract } from '../../kernel/index.ts';
import { evidenceFields, fits, parseJson, statusMeaning, textAt, valueAt } from '../../protocol/outside.ts';
import type { Expectations } from './request.ts';
import { retryAfterMs } from './retry-after.ts';
import type { Arrival } from './send.ts';

/** Everything that can come of one request. */
export const SITUATIONS = [
  'landed',
  'failed',
  'unfit',
  'redirect',
  'declined',
  'login_lost',
  'rate_limited',
  'unlisted',
  'server_error',
  'odd_status',
  'timed_out',
  'lost',
  'credential_unusable',
  'request_not_built',
] as const;
export type Situation = (typeof SITUATIONS)[number];

/** The table. Rows with `unclear` and `violated` leave the effect in doubt; only those that say so prove that it did not happen. */
export const SAYS: Readonly<Record<Situation, EvidenceKind>> = {
  landed: 'landed',
  failed: 'failed',
  unfit: 'violated',
  redirect: 'violated',
  declined: 'declined',
  login_lost: 'login_lost',
  rate_limited: 'rate_limited',
  unlisted: 'unclear',
  server_error: 'unclear',
  odd_status: 'unclear',
  timed_out: 'unclear',
  lost: 'unclear',
  // Nothing was sent, and only a new login can change that.
  credential_unusable: 'login_lost',
  // Nothing was sent either, but by a fault of ours: it is not for the adapter to call that proven.
  request_not_built: 'unclear',
};

/** One answer in the words of the table. */
export interface Verdict {
  readonly situation: Situation;
  readonly status: string | null;
  readonly rank: number;
  readonly code: string | null;
  readonly fields: JsonObject;
  readonly retryAfterMs: number | null;
}

export interface Question {
  readonly contract: HttpContract;
  readonly operation: OperationContract;
  readonly operationName: string;
  readonly expectations: Expectations;
  /** Real time, ms: for a Retry-After that is a date. */
  readonly nowMs: number;
}

/** Codes of errors that may be shown to people: never free text. */
const SAFE_CODE = /^[a-z0-9_.-]{1,64}$/;

export function classify(question: Question, arrival: Arrival): Verdict {
  switch (arrival.kind) {
    case 'unsent':
      return plain(arrival.code, arrival.code);
    case 'timed_out':
      return plain('timed_out', 'timeout');
    case 'lost':
      return plain('lost', 'connection_lost');
    case 'redirect':
      return plain('redirect', 'redirect');
    case 'whole':
    case 'oversized':
      return byStatus(question, arrival.response, arrival.kind === 'whole');
  }
}

interface Answered {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

function byStatus(question: Question, answer: Answered, whole: boolean): Verdict {
  const httpCode = `http_${answer.status}`;
  if (answer.status >= 200 && answer.status < 300) return whole ? success(question, answer.body) : plain('unfit', 'body_too_large');
  if (answer.status === 429) return { ...plain('rate_limited', httpCode), retryAfterMs: retryAfterMs(answer.headers['retry-after'], question.nowMs) };
  if (answer.status >= 400 && answer.status < 500) {
    const error = whole ? readError(question.contract, answer.status, answer.body) : null;
    return error === null ? plain('unlisted', httpCode) : plain(error.row.means, error.code ?? httpCode);
  }
  return plain(answer.status >= 500 && answer.status < 600 ? 'server_error' : 'odd_status', httpCode);
}

function success(question: Question, text: string): Verdict {
  const { response } = question.operation;
  const body = parseJson(text);
  if (body === undefined) return plain('unfit', 'body_not_json');
  if (!fits(response.schema, body)) return plain('unfit', 'body_unfit');
  if (!echoes(question.expectations, body)) return plain('unfit', 'echo_differs');
  const fields = evidenceFields(response.evidence, body);
  if (response.status === undefined) return { ...plain('landed', null), fields };
  const status = textAt(body, response.status.path);
  const meaning = statusMeaning(question.contract, question.operationName, status);
  if (status === undefined || meaning === undefined) return plain('unfit', 'status_unknown');
  return { ...plain(meaning.means, null), status, rank: meaning.rank, fields };
}

function echoes(expectations: Expectations, body: Json): boolean {
  return Object.entries(expectations).every(([path, expected]) => valueAt(body, path) === expected);
}

export interface ReadError {
  readonly row: ErrorRow;
  /** The provider's own code where it may be shown. */
  readonly code: string | null;
}

/** The first row that lists a 4xx whose body fits the error schema; null where none does, and then the answer proves nothing. */
export function readError(contract: HttpContract, status: number, text: string): ReadError | null {
  const body = parseJson(text);
  if (!fits(contract.errors.schema, body)) return null;
  const code = textAt(body, contract.errors.codePath);
  const row = contract.errors.rows.find(
    (each) => each.statuses.includes(status) && (each.codes === undefined || (code !== undefined && each.codes.includes(code))),
  );
  if (row === undefined) return null;
  const listed = code !== undefined && row.codes?.includes(code) === true;
  return { row, code: code !== undefined && (listed || SAFE_CODE.test(code)) ? code : null };
}

function plain(situation: Situation, code: string | null): Verdict {
  return { situation, status: null, rank: 0, code, fields: {}, retryAfterMs: null };
}
