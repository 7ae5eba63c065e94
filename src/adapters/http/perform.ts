// Sends the compiled request of an admitted effect, once, and answers with evidence. The caller has made the intent durable before.
import type { HttpContract } from '../../kernel/index.ts';
import type { Answer, CompiledRequest, Connection, Fetch } from '../port.ts';
import { SAYS, classify } from './classify.ts';
import { findOperation } from './request.ts';
import type { Expectations } from './request.ts';
import { send } from './send.ts';

/** One operation of a contract: how its answer is read. */
export interface Operation {
  readonly contract: HttpContract;
  readonly name: string;
}

export interface PerformOptions {
  readonly fetch: Fetch;
  /** From `compileExpectations`, made with the request. */
  readonly expectations: Expectations;
  /** ms until the answer, body included, must be there; the contract's unless a test says otherwise. */
  readonly timeoutMs?: number;
  /** Real time, ms; for a Retry-After that is a date. */
  readonly now?: () => number;
}

/**
 * Sends the request and reads the answer by the table of design §8. Never throws, never sends again, never follows a redirect.
 * `retryAfterMs` of the answer is a duration from its arrival on, not a time of the world. `raw` is null only where nothing was sent.
 */
export async function perform({ contract, name }: Operation, request: CompiledRequest, connection: Connection, options: PerformOptions): Promise<Answer> {
  const operation = findOperation(contract, name);
  if (operation === undefined) return { says: 'unclear', status: null, rank: 0, code: 'request_not_built', fields: {}, retryAfterMs: null, raw: null };
  const { timeoutMs = contract.timeoutMs, fetch, expectations, now = Date.now } = options;
  const arrival = await send(request, connection, { fetch, timeoutMs, responseBytesMax: contract.responseBytesMax });
  const { situation, ...found } = classify({ contract, operation, operationName: name, expectations, nowMs: now() }, arrival);
  return { says: SAYS[situation], ...found, raw: arrival.kind === 'unsent' ? null : arrival.raw };
}
