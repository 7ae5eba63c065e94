// The routes under /sandbox/: for whoever tests against the provider, never for the product.
// They take no request that a web page made: such a one has an `Origin`, or a `Host` that is not this machine.
import type { ServerResponse } from 'node:http';
import { faultOrder, webhookOrder } from './control-body.ts';
import { parseRecord, textOf } from './json.ts';
import type { JsonRecord } from './records.ts';
import type { Incoming } from './provider.ts';
import type { Sandbox } from './sandbox.ts';

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

type Handle = (sandbox: Sandbox, body: JsonRecord) => Reply | Promise<Reply>;

const HANDLERS: { readonly [methodAndPath: string]: Handle } = {
  'GET /sandbox/ledger': (sandbox) => ({ status: 200, body: { ledger: sandbox.ledger() } }),
  'GET /sandbox/requests': (sandbox) => ({ status: 200, body: { requests: sandbox.requests() } }),
  'POST /sandbox/faults': (sandbox, body) => {
    const order = faultOrder(body);
    if (typeof order === 'string') return refused(order);
    sandbox.fault(order.route, order.mode, order.options);
    return { status: 200, body: { route: order.route, mode: order.mode } };
  },
  'DELETE /sandbox/faults': (sandbox) => {
    sandbox.clear();
    return { status: 200, body: { cleared: true } };
  },
  'POST /sandbox/token': (sandbox, body) => ({ status: 200, body: { token: sandbox.rotate(textOf(body['token']) ?? undefined) } }),
  'POST /sandbox/webhooks': async (sandbox, body) => {
    const order = webhookOrder(body);
    return typeof order === 'string' ? refused(order) : { status: 200, body: await sandbox.webhook(order) };
  },
};

export async function serveControl(sandbox: Sandbox, incoming: Incoming, response: ServerResponse): Promise<void> {
  const { status, body } = await replyTo(sandbox, incoming);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body, null, 2)}\n`);
}

async function replyTo(sandbox: Sandbox, incoming: Incoming): Promise<Reply> {
  if (!fromThisMachine(incoming.headers)) return { status: 403, body: { error: 'only from this machine, and not from a web page' } };
  const handle = HANDLERS[`${incoming.method} ${incoming.path}`];
  if (handle === undefined) return { status: 404, body: { error: 'no such control route', routes: Object.keys(HANDLERS) } };
  const body = incoming.raw.trim() === '' ? {} : parseRecord(incoming.raw);
  if (body === null) return refused('the body is not a JSON object');
  try {
    return await handle(sandbox, body);
  } catch (error) {
    return refused(error instanceof Error ? error.message : String(error));
  }
}

function refused(error: string): Reply {
  return { status: 422, body: { error } };
}

function fromThisMachine(headers: Incoming['headers']): boolean {
  return headers['origin'] === undefined && /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers['host'] ?? '');
}
