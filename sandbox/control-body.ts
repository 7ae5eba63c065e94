// Reads the bodies of the control routes. A text as the result says what is wrong with the body.
import { EFFECT_MODES, READ_BACK_MODES } from './modes.ts';
import { textOf } from './json.ts';
import type { FaultOptions } from './plans.ts';
import type { JsonRecord, Route } from './records.ts';
import type { WebhookFlaw, WebhookOrder } from './webhooks.ts';

/** `release` is no mode that a request meets: it lets those go on that are held. */
export const RELEASE = 'release';

const ROUTES: readonly Route[] = ['refund', 'mail', 'readback'];
const FLAWS: readonly WebhookFlaw[] = ['wrong_secret', 'tampered', 'unsigned'];
const LOOPBACK_URL = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(:\d+)?\//;

export interface FaultOrder {
  readonly route: Route;
  readonly mode: string;
  readonly options: FaultOptions;
}

export function faultOrder(body: JsonRecord): FaultOrder | string {
  const route = ROUTES.find((one) => one === body['route']);
  if (route === undefined) return `\`route\` is one of ${ROUTES.join(', ')}`;
  const modes: readonly string[] = [...(route === 'readback' ? READ_BACK_MODES : EFFECT_MODES), RELEASE];
  const mode = modes.find((one) => one === body['mode']);
  if (mode === undefined) return `\`mode\` of ${route} is one of ${modes.join(', ')}`;
  const times: number | 'always' | null = body['times'] === 'always' ? 'always' : numberOf(body['times']);
  const ms = numberOf(body['ms']);
  const retryAfter = textOf(body['retryAfter']) ?? numberOf(body['retryAfter']);
  const options = { ...given('times', times), ...given('ms', ms), ...given('retryAfter', retryAfter) };
  return { route, mode, options };
}

export function webhookOrder(body: JsonRecord): WebhookOrder | string {
  const [url, secret, event] = [textOf(body['url']), textOf(body['secret']), textOf(body['event'])];
  const scheme = body['scheme'] === 'stripe' || body['scheme'] === 'standard' ? body['scheme'] : null;
  if (url === null || !LOOPBACK_URL.test(url)) return '`url` is an http address on this machine';
  if (secret === null || event === null) return '`secret` and `event` are required';
  if (scheme === null) return '`scheme` is stripe or standard';
  return { url, secret, event, scheme, ...textsAbout(body), ...numbersAbout(body), ...choicesAbout(body) };
}

function textsAbout(body: JsonRecord): Pick<WebhookOrder, 'correlation' | 'status' | 'charge' | 'failureReason' | 'deliveryId'> {
  return {
    ...given('correlation', textOf(body['correlation'])),
    ...given('status', textOf(body['status'])),
    ...given('charge', textOf(body['charge'])),
    ...given('failureReason', textOf(body['failureReason'])),
    ...given('deliveryId', textOf(body['deliveryId'])),
  };
}

function numbersAbout(body: JsonRecord): Pick<WebhookOrder, 'amountCents' | 'ageSeconds' | 'times'> {
  return {
    ...given('amountCents', numberOf(body['amountCents'])),
    ...given('ageSeconds', numberOf(body['ageSeconds'])),
    ...given('times', numberOf(body['times'])),
  };
}

function choicesAbout(body: JsonRecord): Pick<WebhookOrder, 'livemode' | 'flaw' | 'family' | 'tags'> {
  return {
    ...given(
      'flaw',
      FLAWS.find((one) => one === body['flaw']),
    ),
    ...(body['livemode'] === true ? { livemode: true } : {}),
    ...(body['family'] === 'svix' ? { family: 'svix' } : {}),
    ...(body['tags'] === 'list' ? { tags: 'list' } : {}),
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;
}

/** The field, or nothing where there is no value. */
function given<Name extends string, Value>(name: Name, value: Value | null | undefined): { readonly [name in Name]?: Value } {
  return value === null || value === undefined ? {} : ({ [name]: value } as { readonly [name in Name]?: Value });
}
