// Reads what a request to the provider asks for. Nothing is refused here: a defect is only named.
import { isRecord, parseRecord, textOf, textsOf } from './json.ts';
import type { Asked, JsonRecord } from './records.ts';

const NOTHING: Asked = { correlation: null, idempotencyKey: null, charge: null, amountCents: null, to: [], metadata: {}, fields: {}, defect: null };

export function nothingAsked(): Asked {
  return NOTHING;
}

/** A refund: a form, with nested names such as `metadata[correlation_id]`. */
export function askedRefund(raw: string, idempotencyKey: string | null): Asked {
  const form = new URLSearchParams(raw);
  const metadata: { [name: string]: string } = {};
  for (const [name, value] of form) {
    const key = /^metadata\[(.+)\]$/.exec(name)?.[1];
    if (key !== undefined) metadata[key] = value;
  }
  const amount = form.get('amount') ?? '';
  const asked = {
    correlation: metadata['correlation_id'] ?? null,
    idempotencyKey,
    charge: form.get('charge') ?? form.get('payment_intent'),
    amountCents: /^[1-9]\d{0,9}$/.test(amount) ? Number(amount) : null,
    to: [],
    metadata,
    fields: Object.fromEntries(form),
  };
  return { ...asked, defect: refundDefect(asked) };
}

function refundDefect({ charge, amountCents }: Pick<Asked, 'charge' | 'amountCents'>): string | null {
  if (charge === null || charge === '') return 'One of `charge` or `payment_intent` is required.';
  return amountCents === null ? 'Invalid positive integer: `amount`.' : null;
}

/** A mail: JSON; the correlation id is a tag, given as a list or as a map. */
export function askedMail(raw: string, idempotencyKey: string | null): Asked {
  const fields = parseRecord(raw);
  if (fields === null) return { ...NOTHING, idempotencyKey, defect: 'The body is not a JSON object.' };
  const missing = ['from', 'to', 'subject'].find((name) => textsOf(fields[name]).length === 0);
  const defect = missing === undefined ? null : `Missing \`${missing}\` field.`;
  return { ...NOTHING, correlation: correlationTag(fields['tags']), idempotencyKey, to: textsOf(fields['to']), fields, defect };
}

function correlationTag(tags: unknown): string | null {
  if (isRecord(tags)) return textOf(tags['correlation_id']);
  const list: readonly unknown[] = Array.isArray(tags) ? tags : [];
  const tag = list.filter(isRecord).find((one: JsonRecord) => one['name'] === 'correlation_id');
  return textOf(tag?.['value']);
}

/** A read-back: which charge or payment intent it is about. */
export function askedReadBack(query: URLSearchParams): Asked {
  return { ...NOTHING, charge: query.get('charge') ?? query.get('payment_intent'), fields: Object.fromEntries(query) };
}
