// Requests to the sandbox provider as the product would make them.
import type { Sandbox } from '../../sandbox/sandbox.ts';

export interface RefundAsk {
  readonly charge?: string;
  readonly amountCents?: number | string;
  readonly correlation?: string;
  readonly token?: string;
  readonly signal?: AbortSignal;
}

export function askRefund(sandbox: Sandbox, ask: RefundAsk = {}): Promise<Response> {
  const correlation = ask.correlation ?? 'c1';
  const charge = ask.charge ?? 'ch_1';
  const body = new URLSearchParams({
    [charge.startsWith('pi_') ? 'payment_intent' : 'charge']: charge,
    amount: String(ask.amountCents ?? 2_500),
    reason: 'requested_by_customer',
    'metadata[correlation_id]': correlation,
    'metadata[world]': 'desk',
  });
  const headers = { authorization: `Bearer ${ask.token ?? sandbox.token}`, 'idempotency-key': correlation };
  return fetch(`${sandbox.url}/v1/refunds`, { method: 'POST', headers, body, redirect: 'manual', ...(ask.signal ? { signal: ask.signal } : {}) });
}

export function askMail(sandbox: Sandbox, fields: { readonly [name: string]: unknown } = {}): Promise<Response> {
  const body = {
    from: 'desk@example.com',
    to: ['kim@example.com'],
    subject: 'Hello',
    text: 'Hello.',
    tags: [{ name: 'correlation_id', value: 'm1' }],
    ...fields,
  };
  const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json', 'idempotency-key': 'm1' };
  return fetch(`${sandbox.url}/emails`, { method: 'POST', headers, body: JSON.stringify(body), redirect: 'manual' });
}

export interface RefundPage {
  readonly data: readonly { readonly id: string; readonly status: string; readonly metadata: { readonly [name: string]: string } }[];
  readonly has_more: boolean;
}

export async function listRefunds(sandbox: Sandbox, query: string): Promise<RefundPage> {
  const answer = await fetch(`${sandbox.url}/v1/refunds?${query}`, { headers: { authorization: `Bearer ${sandbox.token}` } });
  return (await answer.json()) as RefundPage;
}

export async function control(sandbox: Sandbox, methodAndPath: string, body?: unknown): Promise<{ status: number; json: unknown }> {
  const [method = 'GET', path = ''] = methodAndPath.split(' ');
  const answer = await fetch(`${sandbox.url}/sandbox/${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  return { status: answer.status, json: await answer.json() };
}
