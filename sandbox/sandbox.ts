// A payment and mail provider on 127.0.0.1, for tests and demonstrations: it misbehaves on demand, never honours an idempotency
// key, and keeps its own account of what really happened.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { RELEASE } from './control-body.ts';
import { serveControl } from './control.ts';
import { serveProvider } from './provider.ts';
import { deliverWebhook } from './webhooks.ts';
import { Workshop } from './workshop.ts';
import type { Moment, MomentKind } from './moments.ts';
import type { FaultOptions } from './plans.ts';
import type { Incoming } from './provider.ts';
import type { Effect, RequestRecord, Route } from './records.ts';
import type { WebhookOrder, WebhookReport } from './webhooks.ts';

export interface SandboxOptions {
  /** A free one unless told. */
  readonly port?: number;
  /** The ledger is kept there, and what is in it already happened. */
  readonly ledgerFile?: string;
  readonly token?: string;
  readonly onRotated?: (sandbox: Sandbox) => void;
}

export interface Sandbox {
  readonly url: string;
  /** The token that is good now. */
  readonly token: string;
  /** What really happened, oldest first. */
  ledger(): readonly Effect[];
  /** What was asked, since this process started. */
  requests(): readonly RequestRecord[];
  /** The next requests on a route meet this mode (`release`: those that are held go on). */
  fault(route: Route, mode: string, options?: FaultOptions): void;
  /** Forgets the faults that no request has met. */
  clear(): void;
  /** The old token is refused from now on. */
  rotate(token?: string): string;
  webhook(order: WebhookOrder): Promise<WebhookReport>;
  /** The next arrival, commit or answer on a route. Ask before you act. */
  until(kind: MomentKind, route: Route, waitMs?: number): Promise<Moment>;
  close(): Promise<void>;
}

const BODY_BYTES_MAX = 1_048_576;

/** Rejects where the port is taken. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const shop = new Workshop(options.token ?? newToken(), options.ledgerFile);
  const server = createServer();
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const sandbox = sandboxOn(server, shop, options.onRotated);
  server.on('request', (request, response) => {
    serve(sandbox, shop, request, response).catch((error: unknown) => {
      process.stderr.write(`sandbox: ${error instanceof Error ? error.message : String(error)}\n`);
      response.destroy();
    });
  });
  return sandbox;
}

export function newToken(): string {
  return `sk_test_${randomBytes(18).toString('hex')}`;
}

function sandboxOn(server: Server, shop: Workshop, onRotated?: SandboxOptions['onRotated']): Sandbox {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const sandbox: Sandbox = {
    url: `http://127.0.0.1:${port}`,
    get token() {
      return shop.token;
    },
    ledger: () => shop.ledger.effects(),
    requests: () => shop.requests,
    fault: (route, mode, options) => {
      if (mode === RELEASE) shop.release(route);
      else shop.plans.add(route, mode, options);
    },
    clear: () => shop.plans.clear(),
    rotate: (token = newToken()) => {
      shop.token = token;
      onRotated?.(sandbox);
      return token;
    },
    webhook: (order) => deliverWebhook(shop.ledger, order),
    until: (kind, route, waitMs) => shop.moments.until(kind, route, waitMs),
    close: async () => {
      shop.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return sandbox;
}

async function serve(sandbox: Sandbox, shop: Workshop, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const raw = await bodyOf(request);
  if (raw === null) {
    response.destroy();
    return;
  }
  const incoming = incomingOf(request, raw);
  if (incoming.path.startsWith('/sandbox/')) await serveControl(sandbox, incoming, response);
  else await serveProvider(shop, incoming, response);
}

/** Null where the caller went away before all was said, or said too much: nothing was asked. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > BODY_BYTES_MAX) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function incomingOf(request: IncomingMessage, raw: string): Incoming {
  const target = request.url ?? '/';
  const [path = '/', query = ''] = target.split('?', 2);
  const headers: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(request.headers)) headers[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  return { method: request.method ?? 'GET', target, path, query: new URLSearchParams(query), headers, raw };
}
