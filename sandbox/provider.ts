// The provider's own routes: refunds, their list, and mail. The token is checked first, then the request, then the mode decides.
import type { ServerResponse } from 'node:http';
import { askedMail, askedReadBack, askedRefund, nothingAsked } from './asked.ts';
import { Exchange } from './exchange.ts';
import { behave, isEffectMode, isReadBackMode, showReadBack } from './modes.ts';
import { FAILURES } from './objects.ts';
import type { Failure } from './objects.ts';
import type { Planned } from './plans.ts';
import type { Asked, RequestRecord, Route } from './records.ts';
import type { Workshop } from './workshop.ts';

/** A request whose body has been read. */
export interface Incoming {
  readonly method: string;
  readonly target: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: { readonly [name: string]: string };
  readonly raw: string;
}

const ROUTES: { readonly [methodAndPath: string]: Route } = {
  'POST /v1/refunds': 'refund',
  'GET /v1/refunds': 'readback',
  'POST /emails': 'mail',
};

export async function serveProvider(shop: Workshop, incoming: Incoming, response: ServerResponse): Promise<void> {
  const route = ROUTES[`${incoming.method} ${incoming.path}`];
  const record = remember(shop, incoming, route);
  if (route === undefined) {
    new Exchange(shop, record, response, {}).answer(404, { error: { type: 'invalid_request_error', message: 'Unrecognized request URL.' } });
    return;
  }
  response.on('finish', () => shop.moments.tell('answers', route, record));
  const allowed = incoming.headers['authorization'] === `Bearer ${shop.token}`;
  const refusal = allowed ? defectOf(record.asked, route) : FAILURES.tokenUnknown;
  const planned: Planned = refusal === null ? shop.plans.take(route) : { mode: 'ok', options: {} };
  record.mode = refusal === null ? planned.mode : 'refused';
  const exchange = new Exchange(shop, record, response, planned.options);
  shop.moments.tell('arrives', route, record);
  if (refusal !== null) exchange.fail(refusal);
  else await carryOut(shop, planned, exchange, incoming.query);
}

async function carryOut(shop: Workshop, { mode }: Planned, exchange: Exchange, query: URLSearchParams): Promise<void> {
  if (exchange.route === 'readback' && isReadBackMode(mode)) showReadBack(mode, exchange, shop.ledger.entries, query);
  else if (isEffectMode(mode)) await behave(mode, exchange);
}

function remember(shop: Workshop, incoming: Incoming, route: Route | undefined): RequestRecord {
  const { authorization: _secret, ...headers } = incoming.headers;
  const record: RequestRecord = {
    n: shop.requests.length + 1,
    route: route ?? 'unknown',
    at: Date.now(),
    method: incoming.method,
    url: incoming.target,
    headers,
    raw: incoming.raw,
    asked: askedOf(incoming, route),
    mode: 'unknown',
    committed: false,
  };
  shop.requests.push(record);
  return record;
}

function askedOf(incoming: Incoming, route: Route | undefined): Asked {
  const key = incoming.headers['idempotency-key'] ?? null;
  switch (route) {
    case 'refund':
      return askedRefund(incoming.raw, key);
    case 'mail':
      return askedMail(incoming.raw, key);
    case 'readback':
      return askedReadBack(incoming.query);
    case undefined:
      return nothingAsked();
  }
}

function defectOf({ defect }: Asked, route: Route): Failure | null {
  if (defect === null) return null;
  return { status: route === 'mail' ? 422 : 400, type: 'invalid_request_error', name: 'missing_required_field', message: defect };
}
