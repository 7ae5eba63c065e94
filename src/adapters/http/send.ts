// Responsibility: one request leaves, and whatever comes back within the deadline and the byte cap is reported as it is.
// Boundary: no meaning is read here (classify.ts does); the credential is added here and nowhere else.
// Invariants: never throws; never follows a redirect; never sends twice; always ends by the deadline, even where the runtime ignores the signal.
import type { CompiledRequest, Connection, Fetch, RawExchange } from '../port.ts';
import { rawExchange } from './evidence-body.ts';
import type { RawResponse } from './evidence-body.ts';

export interface SendOptions {
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly responseBytesMax: number;
}

/**
 * What came. `whole` is a complete answer; `oversized` one whose body went over the cap; `redirect` any 3xx; `timed_out` and `lost` hold
 * what had arrived until then. `unsent`: nothing left, because the endpoint or the credential cannot be used.
 */
export type Arrival =
  | { readonly kind: 'whole' | 'oversized' | 'redirect'; readonly response: RawResponse; readonly raw: RawExchange }
  | { readonly kind: 'timed_out' | 'lost'; readonly response: RawResponse | null; readonly raw: RawExchange }
  | { readonly kind: 'unsent'; readonly code: 'credential_unusable' | 'request_not_built' };

/** Visible ASCII: anything else would be refused or changed by the runtime on its way into a header. */
const CREDENTIAL = /^[\x21-\x7e]+$/;

export async function send(request: CompiledRequest, connection: Connection, options: SendOptions): Promise<Arrival> {
  if (!CREDENTIAL.test(connection.credential)) return { kind: 'unsent', code: 'credential_unusable' };
  const url = urlOf(request, connection.endpoint);
  if (url === null) return { kind: 'unsent', code: 'request_not_built' };
  const received = await receive(url, request, connection.credential, options);
  return { ...received, raw: rawExchange({ request, url, secrets: [connection.credential] }, received.response) };
}

type Received =
  | { readonly kind: 'whole' | 'oversized' | 'redirect'; readonly response: RawResponse }
  | { readonly kind: 'timed_out' | 'lost'; readonly response: RawResponse | null };

async function receive(url: string, request: CompiledRequest, credential: string, options: SendOptions): Promise<Received> {
  // Called without a receiver: workerd refuses its own fetch as a method of another object.
  const { fetch } = options;
  const deadline = startDeadline(options.timeoutMs);
  const chunks: Uint8Array[] = [];
  let head: Omit<RawResponse, 'body'> | null = null;
  const soFar = (): RawResponse | null => (head === null ? null : { ...head, body: textOf(chunks) });
  try {
    const response = await deadline.race(
      fetch(url, {
        method: request.method,
        headers: { ...request.headers, authorization: `Bearer ${credential}` },
        ...(request.body === null ? {} : { body: request.body }),
        redirect: 'manual',
        signal: deadline.signal,
      }),
    );
    head = { status: response.status, headers: headersOf(response) };
    if (isRedirect(response)) {
      discard(response.body);
      return { kind: 'redirect', response: { ...head, body: '' } };
    }
    const fitted = await readInto(chunks, response.body, options.responseBytesMax, deadline);
    return { kind: fitted ? 'whole' : 'oversized', response: { ...head, body: textOf(chunks) } };
  } catch {
    return { kind: deadline.signal.aborted ? 'timed_out' : 'lost', response: soFar() };
  } finally {
    deadline.clear();
  }
}

/** Below the endpoint's origin, or null: a path can never lead to another host. */
function urlOf(request: CompiledRequest, endpoint: string): string | null {
  if (!request.path.startsWith('/') || !URL.canParse(endpoint)) return null;
  const { origin } = new URL(endpoint);
  if (!URL.canParse(`${origin}${request.path}`)) return null;
  const url = new URL(`${origin}${request.path}`);
  return url.origin === origin && url.username === '' && url.password === '' ? url.href : null;
}

/** 3xx, or the opaque form (status 0) in which some runtimes hand over a redirect that they did not follow. */
function isRedirect({ status }: Response): boolean {
  return status === 0 || (status >= 300 && status < 400);
}

function headersOf(response: Response): { readonly [name: string]: string } {
  const headers: [string, string][] = [];
  response.headers.forEach((value, name) => headers.push([name.toLowerCase(), value]));
  return Object.fromEntries(headers);
}

interface Deadline {
  readonly signal: AbortSignal;
  race<T>(work: Promise<T>): Promise<T>;
  clear(): void;
}

function startDeadline(timeoutMs: number): Deadline {
  const controller = new AbortController();
  const expired = new Promise<never>((_resolve, reject) => {
    controller.signal.addEventListener('abort', () => reject(new Error('deadline')), { once: true });
  });
  expired.catch(() => undefined);
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  return {
    signal: controller.signal,
    race: (work) => {
      work.catch(() => undefined);
      return Promise.race([work, expired]);
    },
    clear: () => clearTimeout(timer),
  };
}

type Body = Response['body'];

/** Reads to the end, or until the cap; what fits is in `chunks` also where the stream breaks. False: the body is larger than the cap. */
async function readInto(chunks: Uint8Array[], body: Body, bytesMax: number, deadline: Deadline): Promise<boolean> {
  if (body === null) return true;
  const reader = body.getReader();
  let room = bytesMax;
  try {
    for (;;) {
      const step: { done: boolean; value?: Uint8Array | undefined } = await deadline.race(reader.read());
      if (step.done || step.value === undefined) return true;
      chunks.push(step.value.subarray(0, room));
      if (step.value.byteLength > room) return false;
      room -= step.value.byteLength;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function discard(body: Body): void {
  body?.cancel().catch(() => undefined);
}

function textOf(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  return `${chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('')}${decoder.decode()}`;
}
