// Reading a body: its media type, its size, its depth, its JSON, in this order. What passes is put back for the schema to check.
import { createMiddleware } from 'hono/factory';
import { LIMITS } from '../kernel/index.ts';
import { refuse } from './answers.ts';
import type { AppEnv } from './context.ts';
import { sha256 } from './digest.ts';
import { deeperThan, hazards } from './json-text.ts';

const TOO_LARGE = 'too large';

/** The bytes of a body; stops reading at the first byte too many, whatever `content-length` said. */
export async function readCapped(request: Request, max: number = LIMITS.bodyBytesMax): Promise<Uint8Array<ArrayBuffer> | typeof TOO_LARGE> {
  if (request.body === null) return new Uint8Array(0);
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > max) {
      reader.cancel().catch(() => undefined);
      return TOO_LARGE;
    }
    chunks.push(value);
  }
  return joined(chunks, size);
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** The text of bytes that are UTF-8, or null. A byte order mark is kept, and so is no JSON. */
export function utf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function parsed(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

function isJson(contentType: string | undefined): boolean {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() === 'application/json';
}

/** A problem with the body, or its bytes and text. */
async function readJson(request: Request): Promise<Response | { readonly bytes: Uint8Array<ArrayBuffer>; readonly text: string }> {
  if (!isJson(request.headers.get('content-type') ?? undefined) || request.headers.has('content-encoding')) {
    return refuse(415, 'the body must be `application/json`, not encoded any further');
  }
  const bytes = await readCapped(request);
  if (bytes === TOO_LARGE) return refuse(413, `a body may have ${LIMITS.bodyBytesMax} bytes`);
  const text = utf8(bytes);
  if (text === null) return refuse(400, 'the body is not UTF-8');
  if (deeperThan(text, LIMITS.bodyDepthMax)) return refuse(413, `a body may be ${LIMITS.bodyDepthMax} levels deep`);
  const json = parsed(text);
  if (json === null) return refuse(400, 'the body is not JSON');
  const errors = hazards(json.value);
  return errors.length > 0 ? refuse(422, 'the body holds values that cannot be represented', errors) : { bytes, text };
}

/** For routes with a JSON body; comes after the checks of the credential. */
export const jsonBody = createMiddleware<AppEnv>(async (c, next) => {
  const body = await readJson(c.req.raw);
  if (body instanceof Response) return body;
  c.set('bodyDigest', await sha256(body.bytes));
  const { url, method, headers } = c.req.raw;
  c.req.raw = new Request(url, { method, headers, body: body.text });
  return next();
});

export { TOO_LARGE };
