// The outside of the worker under test, as vitest.config.ts gives it: providers on loopback ports, and a count of what was asked.
// 4001 commits and answers; 4002 commits and never answers; 4000 tells what was asked (`GET /asked?charge=…`).

const asked = new Map<string, number>();

export async function outside(request: Request): Promise<Response> {
  const url = new URL(request.url);
  if (url.port === '4000') return Response.json({ posts: asked.get(url.searchParams.get('charge') ?? '') ?? 0 });
  if (request.method === 'GET') return Response.json({ object: 'list', data: [], has_more: false });
  const form = new URLSearchParams(await request.text());
  const charge = form.get('charge') ?? '';
  asked.set(charge, (asked.get(charge) ?? 0) + 1);
  if (url.port === '4002') return new Promise<Response>(() => {});
  return Response.json({
    id: `re_${charge}`,
    object: 'refund',
    amount: Number(form.get('amount')),
    charge,
    status: 'succeeded',
    metadata: { correlation_id: form.get('metadata[correlation_id]') },
  });
}
