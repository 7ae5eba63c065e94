// The mail integration: Resend's API (docs/operating.md "Mail: Resend"). There is no list to read back from: webhooks or a person settle doubt.
// Sources: Resend API reference (Send Email, Errors, Webhooks), read 2026-12.
// Only data: what is not here is neither sent nor believed.
import type { FieldMapping, HttpContract } from '../../kernel/index.ts';
import { record, text } from './shapes.ts';

interface Template {
  readonly subject: string;
  readonly text: string;
}

const TEMPLATES: { readonly [template: string]: Template } = {
  refund_issued: { subject: 'Your refund', text: 'We have issued your refund. It can take some days until your bank shows it.' },
  refund_denied: { subject: 'Your refund request', text: 'We have looked at your request and cannot refund it.' },
  need_information: { subject: 'A question about your request', text: 'We need some more information to settle your request. Please reply to this mail.' },
};
const FALLBACK: Template = { subject: 'Your request', text: 'There is news about your request.' };

/** One mapping for each template, and the last one for all others; the first whose condition holds is sent. */
function byTemplate(name: string, from: (template: Template) => FieldMapping['from']): readonly FieldMapping[] {
  const chosen = Object.entries(TEMPLATES).map(([template, each]): FieldMapping => ({ name, from: from(each), when: { eq: ['$args.template', template] } }));
  return [...chosen, { name, from: from(FALLBACK) }];
}

export const mail: HttpContract = {
  kind: 'http',
  description: 'Mail to customers, as Resend offers it.',
  origins: ['https://api.resend.com'],
  auth: 'bearer',
  livePrefixes: [],
  settings: {
    from: {
      description: 'The sender, `Name <address>` or an address, of a domain that is verified with the provider.',
      default: 'Refund desk <desk@example.com>',
      pattern: '^(?:[^<>\\r\\n]{0,40}<[^<>@\\s]{1,64}@[^<>@\\s]{1,60}>|[^<>@\\s]{1,64}@[^<>@\\s]{1,100})$',
    },
  },
  headers: { 'user-agent': 'compiled-world-runtime/1' },
  operations: {
    send: {
      method: 'POST',
      path: '/emails',
      encoding: 'json',
      headers: { 'idempotency-key': '$attempt.correlationId' },
      body: [
        { name: 'from', from: '$settings.from' },
        { name: 'to', from: ['$target.email'] },
        ...byTemplate('subject', (template) => template.subject),
        ...byTemplate('text', (template) => ({ first: ['$args.body', template.text] })),
        { name: 'tags', from: [{ name: 'correlation_id', value: '$attempt.correlationId' }] },
      ],
      response: { schema: record({ id: text(255) }, ['id']), echoes: {}, evidence: { providerId: 'id' } },
    },
  },
  errors: {
    // All three fields: a gateway's own error has hardly all of them.
    schema: record(
      {
        statusCode: { type: 'integer', minimum: 400, maximum: 599 },
        name: { type: 'string', maxLength: 64, pattern: '^[a-z][a-z0-9_]*$' },
        message: { type: 'string', maxLength: 4_096 },
      },
      ['statusCode', 'name', 'message'],
    ),
    codePath: 'name',
    rows: [
      // Any 401: a wrong key is answered there with `validation_error`.
      { statuses: [401], means: 'login_lost' },
      { statuses: [403], codes: ['missing_api_key', 'invalid_api_key', 'restricted_api_key', 'suspended_api_key'], means: 'login_lost' },
      { statuses: [400, 403, 422], means: 'declined' },
    ],
  },
  webhook: {
    scheme: 'standard',
    toleranceSeconds: 300,
    schema: record({ type: text(64), data: record({ email_id: text(255) }, ['email_id']) }, ['type', 'data']),
    typePath: 'type',
    // `failed` follows `sent` at most; a later proof of delivery outweighs it.
    events: {
      'email.sent': { means: 'landed', rank: 1 },
      'email.failed': { means: 'failed', rank: 2 },
      'email.delivered': { means: 'landed', rank: 3 },
      'email.bounced': { means: 'landed', rank: 4 },
    },
    correlationPath: 'data.tags',
    correlationTag: 'correlation_id',
    evidence: { providerId: 'data.email_id' },
    operation: 'send',
  },
  timeoutMs: 10_000,
  settleMs: 60_000,
  responseBytesMax: 65_536,
};
