// Responsibility: read-back: the compiled walk over a provider's list that finds what became of effects in doubt (design §8 "Read-back").
// Boundary: it reports what was seen. Whether `absent` may count (settle time, the same account) is the kernel's to judge.
// Invariants: at most `pagesMax` harmless GETs; `absent` only after every page was read and fitted; what was found stays found when the walk breaks.
import { isJsonList } from '../../kernel/index.ts';
import type { HttpContract, Json, ReadBackContract } from '../../kernel/index.ts';
import { correlationAt, evidenceFields, fits, parseJson, statusMeaning, textAt, valueAt } from '../../protocol/outside.ts';
import type { Answer, CompiledRequest, Connection, Fetch, RawExchange, ReadBackAnswer, RequestScope } from '../port.ts';
import { readError } from './classify.ts';
import { excerpt } from './evidence-body.ts';
import type { RawResponse } from './evidence-body.ts';
import { compileProbe } from './request.ts';
import { send } from './send.ts';
import type { Arrival } from './send.ts';

export interface ReadBackQuery {
  /** The operation whose status table says what a found item means. */
  readonly operation: string;
  /** Correlation ids of every epoch that is looked for. */
  readonly correlationIds: readonly string[];
  /** The attempt's scope: the probe's query is made from it. */
  readonly scope: RequestScope;
}

export interface ReadBackOptions {
  readonly fetch: Fetch;
  /** ms for each page; the contract's unless a test says otherwise. */
  readonly timeoutMs?: number;
}

/** `complete`: every page was read and fitted, so that what was not found was not there. */
export type ReadBackResult = ReadBackAnswer & { readonly complete: boolean };

/**
 * Looks for the correlation ids, one finding for each, in the order asked: `landed` or `failed` by the operation's status table; `absent`
 * after a complete walk; else `inconclusive` with a code (`no_read_back`, `pages_exceeded`, `page_unfit`, `status_unknown`, `login_lost`,
 * `redirect`, `timeout`, `connection_lost`, `http_<status>`, …). Never throws for what the outside did.
 * @throws Error where the contract's probe cannot be compiled: a fault of ours, before anything is sent.
 */
export async function readBack(contract: HttpContract, query: ReadBackQuery, connection: Connection, options: ReadBackOptions): Promise<ReadBackResult> {
  const found = new Map<string, Answer>();
  const end =
    contract.readBack === undefined ? stopped('no_read_back', null) : await walk({ contract, readBack: contract.readBack, query, connection, options }, found);
  const missing = end.complete ? answer('absent', null, end.raw) : answer('inconclusive', end.code, end.raw);
  const findings = query.correlationIds.map((correlationId) => ({ correlationId, answer: found.get(correlationId) ?? missing }));
  return { findings, complete: end.complete };
}

interface Walk {
  readonly contract: HttpContract;
  readonly readBack: ReadBackContract;
  readonly query: ReadBackQuery;
  readonly connection: Connection;
  readonly options: ReadBackOptions;
}

type End = { readonly complete: boolean; readonly code: string | null; readonly raw: RawExchange | null };

function stopped(code: string, raw: RawExchange | null): End {
  return { complete: false, code, raw };
}

async function walk(run: Walk, found: Map<string, Answer>): Promise<End> {
  const { contract, readBack: probe, query, connection, options } = run;
  const first = compileProbe(contract, query.scope);
  const timeoutMs = options.timeoutMs ?? contract.timeoutMs;
  const cursors = new Set<string>();
  let cursor: string | null = null;
  let raw: RawExchange | null = null;
  for (let pages = 0; pages < probe.paging.pagesMax; pages += 1) {
    const request = cursor === null ? first : after(first, probe, cursor);
    const arrival = await send(request, connection, { fetch: options.fetch, timeoutMs, responseBytesMax: contract.responseBytesMax });
    raw = arrival.kind === 'unsent' ? null : arrival.raw;
    const page = pageOf(run, arrival);
    if (page.code !== null) return stopped(page.code, raw);
    for (const item of page.items) keep(found, findingOf(run, item, raw));
    if (query.correlationIds.every((id) => found.get(id)?.says === 'landed')) return { complete: !page.more, code: 'found', raw };
    if (!page.more) return { complete: true, code: null, raw };
    cursor = textAt(page.items.at(-1), probe.paging.cursorPath) ?? null;
    if (cursor === null || cursors.has(cursor)) return stopped('page_unfit', raw);
    cursors.add(cursor);
  }
  return stopped('pages_exceeded', raw);
}

function after(first: CompiledRequest, probe: ReadBackContract, cursor: string): CompiledRequest {
  const page = new URLSearchParams([[probe.paging.cursorParameter, cursor]]).toString();
  return { ...first, path: `${first.path}${first.path.includes('?') ? '&' : '?'}${page}` };
}

type Page = { readonly code: null; readonly items: readonly Json[]; readonly more: boolean } | { readonly code: string };

/** A page that may count: whole, 2xx, of the compiled shape, and saying whether there is another one. */
function pageOf(run: Walk, arrival: Arrival): Page {
  switch (arrival.kind) {
    case 'unsent':
      return { code: arrival.code };
    case 'timed_out':
      return { code: 'timeout' };
    case 'lost':
      return { code: 'connection_lost' };
    case 'redirect':
      return { code: 'redirect' };
    case 'whole':
    case 'oversized':
      return pageIn(run, arrival.response, arrival.kind === 'whole');
  }
}

function pageIn({ contract, readBack: probe }: Walk, { status, body: text }: RawResponse, whole: boolean): Page {
  if (status < 200 || status >= 300) return { code: refusalCode(contract, status, text) };
  if (!whole) return { code: 'body_too_large' };
  const body = parseJson(text);
  const items = valueAt(body, probe.itemsPath);
  const more = valueAt(body, probe.paging.morePath);
  if (!fits(probe.pageSchema, body) || !isJsonList(items) || typeof more !== 'boolean') return { code: 'page_unfit' };
  return { code: null, items, more };
}

function refusalCode(contract: HttpContract, status: number, text: string): string {
  const lost = status >= 400 && status < 500 && status !== 429 && readError(contract, status, text)?.row.means === 'login_lost';
  return lost ? 'login_lost' : `http_${status}`;
}

interface Finding {
  readonly correlationId: string;
  readonly answer: Answer;
}

function findingOf({ contract, readBack: probe, query, connection }: Walk, item: Json, raw: RawExchange | null): Finding | null {
  const correlationId = correlationAt(item, probe.correlationPath);
  if (correlationId === null || !query.correlationIds.includes(correlationId)) return null;
  const status = textAt(item, probe.statusPath);
  const meaning = statusMeaning(contract, query.operation, status);
  const fields = evidenceFields(probe.evidence, item);
  const kept = raw === null ? null : excerpt(raw, JSON.stringify(item), [connection.credential]);
  if (status === undefined || meaning === undefined) return { correlationId, answer: { ...answer('inconclusive', 'status_unknown', kept), fields } };
  return { correlationId, answer: { ...answer(meaning.means, null, kept), status, rank: meaning.rank, fields } };
}

const WEIGHT = { landed: 2, failed: 1 } as const;

/** A landing outweighs a listed failure of the same id, and that an item of unknown status; between equals the higher rank counts. */
function keep(found: Map<string, Answer>, finding: Finding | null): void {
  if (finding === null) return;
  const before = found.get(finding.correlationId);
  if (before === undefined || outweighs(finding.answer, before)) found.set(finding.correlationId, finding.answer);
}

function outweighs(one: Answer, other: Answer): boolean {
  const difference = weight(one) - weight(other);
  return difference === 0 ? one.rank > other.rank : difference > 0;
}

function weight({ says }: Answer): number {
  return says === 'landed' || says === 'failed' ? WEIGHT[says] : 0;
}

function answer(says: Answer['says'], code: string | null, raw: RawExchange | null): Answer {
  return { says, status: null, rank: 0, code, fields: {}, retryAfterMs: null, raw };
}
