// Where a contract may be connected to, and as whom: what `integration.connect` is checked against before anything is stored.
// Pure. A refusal names a code, never the value: the endpoint may have a secret in it by mistake.
import type { HttpContract } from '../../kernel/index.ts';

export type EndpointCheck = { readonly ok: true; readonly origin: string } | { readonly ok: false; readonly code: EndpointRefusal };
export type EndpointRefusal = 'endpoint_malformed' | 'endpoint_not_an_origin' | 'endpoint_not_https' | 'endpoint_not_in_contract';

const VISIBLE_ASCII = /^[\x21-\x7e]{1,2048}$/;
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]']);

/**
 * An endpoint is an origin (scheme, host, port; at most a `/` after it) that the contract compiled in; in development also any
 * `http` loopback origin. The origin that comes back is normalised, and is what may be stored and called.
 */
export function checkEndpoint(contract: HttpContract, endpoint: string, { development }: { readonly development: boolean }): EndpointCheck {
  if (!VISIBLE_ASCII.test(endpoint) || !URL.canParse(endpoint)) return { ok: false, code: 'endpoint_malformed' };
  const url = new URL(endpoint);
  if (!isOrigin(url, endpoint)) return { ok: false, code: 'endpoint_not_an_origin' };
  if (development && url.protocol === 'http:' && LOOPBACK_HOSTS.has(url.hostname)) return { ok: true, origin: url.origin };
  if (url.protocol !== 'https:') return { ok: false, code: 'endpoint_not_https' };
  return contract.origins.includes(url.origin) ? { ok: true, origin: url.origin } : { ok: false, code: 'endpoint_not_in_contract' };
}

/** The text is looked at too: URL parsing forgets an empty query, an empty user and dot segments. */
function isOrigin(url: URL, text: string): boolean {
  return /^https?:$/.test(url.protocol) && /^[a-z]+:\/\/[^/?#\\@]+\/?$/i.test(text) && url.pathname === '/' && url.search === '' && url.hash === '';
}

/** True for a credential that acts on a live account; null where the provider's credentials do not tell. */
export function isLiveCredential(contract: HttpContract, credential: string): boolean | null {
  return contract.livePrefixes.length === 0 ? null : contract.livePrefixes.some((prefix) => credential.startsWith(prefix));
}

/** Names of settings that the contract does not have, or whose value does not fit its pattern, sorted. */
export function unfitSettings(contract: HttpContract, settings: { readonly [name: string]: string }): readonly string[] {
  const unfit = Object.entries(settings).filter(([name, value]) => {
    const definition = Object.hasOwn(contract.settings, name) ? contract.settings[name] : undefined;
    return definition === undefined || !new RegExp(definition.pattern, 'u').test(value);
  });
  return unfit.map(([name]) => name).sort((a, b) => (a < b ? -1 : 1));
}
