// What is kept of an exchange as protected evidence: everything that was said, minus secrets, within a bound.
import type { CompiledRequest, RawExchange } from '../port.ts';

/** Characters of a body that are kept. A longer one is cut, and says so. */
export const RAW_BODY_MAX = 65_536;

const SECRET_HEADERS: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'set-cookie2']);
const REDACTED = '[redacted]';

/** A response as it arrived, or as far as it arrived. Header names are lower case; a redirect that the runtime hides has status 0. */
export interface RawResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
}

/** What left, where to, and with which secrets that must not be kept. */
export interface Sent {
  readonly request: CompiledRequest;
  readonly url: string;
  readonly secrets: readonly string[];
}

/** The exchange as it is kept. A provider that repeats the credential in its answer does not bring it into the evidence. */
export function rawExchange(sent: Sent, response: RawResponse | null): RawExchange {
  const keep = (text: string): string => cut(redact(text, sent.secrets));
  return {
    request: {
      method: sent.request.method,
      url: redact(sent.url, sent.secrets),
      headers: keptHeaders(sent.request.headers, keep),
      body: sent.request.body === null ? null : keep(sent.request.body),
    },
    response: response === null ? null : { status: response.status, headers: keptHeaders(response.headers, keep), body: keep(response.body) },
  };
}

/** The exchange as kept; where its body was cut, with `part` of the body instead, so that the evidence holds what it proves. */
export function excerpt(raw: RawExchange, part: string, secrets: readonly string[]): RawExchange {
  if (raw.response === null || raw.response.body.length <= RAW_BODY_MAX) return raw;
  return { ...raw, response: { ...raw.response, body: cut(redact(part, secrets)) } };
}

function keptHeaders(headers: { readonly [name: string]: string }, keep: (text: string) => string): { readonly [name: string]: string } {
  const kept = Object.entries(headers).filter(([name]) => !SECRET_HEADERS.has(name.toLowerCase()));
  return Object.fromEntries(kept.map(([name, value]): [string, string] => [name.toLowerCase(), keep(value)]));
}

function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((left, secret) => (secret === '' ? left : left.replaceAll(secret, REDACTED)), text);
}

function cut(text: string): string {
  return text.length <= RAW_BODY_MAX ? text : `${text.slice(0, RAW_BODY_MAX)}… [cut: ${RAW_BODY_MAX} of ${text.length} characters]`;
}
