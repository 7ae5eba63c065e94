// What needs no credential: health, the contract, and its documentation.
import { Scalar } from '@scalar/hono-api-reference';
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { json, refusals } from '../answers.ts';
import type { App } from '../app.ts';
import type { AppEnv } from '../context.ts';
import { answer } from '../describe.ts';
import { openApiDocument } from '../openapi.ts';

const SCRIPT = '/docs/scalar.js';

const DOCS = {
  url: '/openapi.json',
  cdn: SCRIPT,
  pageTitle: 'Compiled World Runtime',
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
  persistAuth: false,
  authentication: { preferredSecurityScheme: 'key' },
} as const;

export function publicRoutes(app: App): void {
  const health = createRoute({
    method: 'get',
    path: '/healthz',
    operationId: 'health',
    summary: 'Whether this deployment answers',
    tags: ['about'],
    security: [],
    responses: { 200: answer('It does.', z.object({ ok: z.literal(true) })) },
  });
  app.openapi(health, () => json({ ok: true }));

  let contract: string | undefined;
  app.get('/openapi.json', () => {
    contract ??= JSON.stringify(openApiDocument(app));
    return new Response(contract, { headers: { 'content-type': 'application/json' } });
  });

  // Self-contained: the script comes from this host, and nothing in the page asks another one.
  app.get(
    '/docs',
    Scalar<AppEnv>((c) => ({ ...DOCS, nonce: c.get('secureHeadersNonce') ?? '' })),
  );
  app.get(SCRIPT, async (c) => {
    const file = await c.env.ASSETS?.fetch(new URL(SCRIPT, c.req.url).href);
    if (file?.status !== 200) return refusals.route();
    return new Response(file.body, { headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'public, max-age=3600' } });
  });
}
