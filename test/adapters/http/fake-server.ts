// A provider on 127.0.0.1 that answers as it is told and remembers what it was asked.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string | string[] | undefined };
  readonly body: string;
}

/** What the provider does with one request. It may leave it without an answer. */
export type Reply = (response: ServerResponse, asked: Asked) => void;

export interface FakeServer {
  readonly origin: string;
  readonly asked: Asked[];
  /** Every request meets this reply from now on. */
  answer(reply: Reply): void;
  close(): Promise<void>;
}

export async function startFakeServer(): Promise<FakeServer> {
  const asked: Asked[] = [];
  let reply: Reply = status(500, 'no reply was set');
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    asked.push(one);
    reply(response, one);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    asked,
    answer: (next) => {
      reply = next;
      asked.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Answers with JSON (or, given text, with exactly that). */
export function status(code: number, body: unknown, headers: { readonly [name: string]: string } = {}): Reply {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

/** The connection is closed without a word. */
export const dropped: Reply = (response) => void response.socket?.destroy();

/** The answer begins, and the connection breaks in the middle of its body. */
export function broken(code: number): Reply {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"id":', () => response.socket?.destroy());
  };
}

/** No answer at all. */
export const silent: Reply = () => undefined;

/** The head of an answer, and then silence. */
export function stalled(code: number): Reply {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json' });
    response.write('{"id":');
  };
}
