// A load of requests at a fixed concurrency, each connection kept; latencies in ms.
import { Agent, request } from 'node:http';

export interface Ask {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
}

export interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

function send(agent: Agent, ask: Ask): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const call = request(
      ask.url,
      { method: ask.method, agent, headers: { ...ask.headers, ...(ask.body === undefined ? {} : { 'content-length': Buffer.byteLength(ask.body) }) } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }));
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(ask.body);
  });
}

/** Runs `count` requests; each must be answered with one of `statuses`, and pass `good`. */
export async function load(
  asks: (n: number) => Ask,
  about: { readonly count: number; readonly concurrency: number; readonly good: (text: string) => boolean },
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: about.concurrency });
  const latencies: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < about.count) {
      const n = next;
      next += 1;
      const began = performance.now();
      const { status, text } = await send(agent, asks(n));
      latencies.push(performance.now() - began);
      if (status !== 200 || !about.good(text)) throw new Error(`answered ${status}: ${text.slice(0, 300)}`);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: about.concurrency }, worker));
  const seconds = (performance.now() - began) / 1000;
  agent.destroy();
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return { perSecond: about.count / seconds, p50: at(0.5), p99: at(0.99) };
}
