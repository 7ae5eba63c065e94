// Responsibility: what a genuine delivery says of an effect, by the contract alone (docs/http.md "Webhooks").
// Boundary: pure. Deduplication by delivery id, matching by correlation id and the judgement of contradictions are the caller's and the kernel's.
// Invariants: a delivery is never refused here; what is not understood has `says: null` and is kept, not applied.
import { sha256Hex } from '../kernel/index.ts';
import type { HttpContract, Json, JsonObject, StatusMeaning, WebhookContract } from '../kernel/index.ts';
import { correlationAt, evidenceFields, fits, parseJson, statusMeaning, textAt, valueAt } from '../protocol/outside.ts';

export interface DeliveryEvidence {
  /** Null where the delivery names none of the kernel's form: kept, not applied. */
  readonly correlationId: string | null;
  /** Null for an event that is no evidence, or a body that does not fit. */
  readonly says: 'landed' | 'failed' | null;
  /** The provider's own word: its status, or where the type of the event says all, that type. */
  readonly status: string | null;
  readonly rank: number;
  readonly fields: JsonObject;
  /** What the delivery says of itself; null where the provider says nothing. It is the caller's to compare it with the connection. */
  readonly livemode: boolean | null;
  readonly type: string | null;
  /** What it is deduplicated by: the signed header's id, else the body's, else a digest of the body. */
  readonly deliveryId: string;
}

const DELIVERY_ID_LENGTH_MAX = 256;
const TYPE = /^[a-z0-9_.]{1,64}$/;

/**
 * The evidence in a verified delivery: `body` as it was signed, `headerId` the delivery id that `verify` returned.
 * Null only for a contract that takes no webhooks.
 */
export function deliveryToEvidence(contract: HttpContract, body: string, headerId: string | null): DeliveryEvidence | null {
  const { webhook } = contract;
  if (webhook === undefined) return null;
  const payload = parseJson(body);
  const type = textAt(payload, webhook.typePath) ?? null;
  const found = {
    correlationId: correlationAt(payload, webhook.correlationPath, webhook.correlationTag),
    livemode: livemodeOf(webhook, payload),
    type: type !== null && TYPE.test(type) ? type : null,
    deliveryId: headerId ?? bodyId(webhook, payload) ?? `sha256:${sha256Hex(body)}`,
  };
  const meaning = type === null ? null : meaningOf(contract, webhook, type, payload);
  if (meaning === null) return { ...found, says: null, status: null, rank: 0, fields: {} };
  return { ...found, ...meaning, fields: evidenceFields(webhook.evidence, payload) };
}

type Meaning = { readonly says: 'landed' | 'failed'; readonly status: string; readonly rank: number };

function meaningOf(contract: HttpContract, webhook: WebhookContract, type: string, payload: Json | undefined): Meaning | null {
  const event = Object.hasOwn(webhook.events, type) ? webhook.events[type] : undefined;
  if (event === undefined || !fits(webhook.schema, payload)) return null;
  if (event !== 'status') return said(event, type);
  const status = webhook.statusPath === undefined ? undefined : textAt(payload, webhook.statusPath);
  const listed = statusMeaning(contract, webhook.operation, status);
  return status === undefined || listed === undefined ? null : said(listed, status);
}

function said(meaning: StatusMeaning, status: string): Meaning {
  return { says: meaning.means, status, rank: meaning.rank };
}

function livemodeOf(webhook: WebhookContract, payload: Json | undefined): boolean | null {
  const value = webhook.livemodePath === undefined ? undefined : valueAt(payload, webhook.livemodePath);
  return typeof value === 'boolean' ? value : null;
}

function bodyId(webhook: WebhookContract, payload: Json | undefined): string | null {
  const id = webhook.deliveryPath === undefined ? undefined : textAt(payload, webhook.deliveryPath);
  return id !== undefined && id !== '' && id.length <= DELIVERY_ID_LENGTH_MAX ? id : null;
}
