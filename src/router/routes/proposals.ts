// Proposals: the only way in which an actor changes a world; and what the world would answer to one.
import { createRoute } from '@hono/zod-openapi';
import * as z from 'zod';
import { worldName } from '../../protocol/names.ts';
import { previewResult, proposalResult } from '../../protocol/outcome.ts';
import { proposalBody, toProposal } from '../../protocol/proposal-body.ts';
import { proposalHeaders, waitSeconds } from '../../protocol/query.ts';
import type { Access } from '../access.ts';
import { send } from '../answers.ts';
import type { App } from '../app.ts';
import { jsonBody } from '../body.ts';
import { answer, bodyOf, problems, withKey } from '../describe.ts';

export function proposalRoutes(app: App, access: Access): void {
  const common = { tags: ['proposals'], security: withKey, middleware: [access.inWorld, jsonBody] };
  const params = z.object({ world: worldName });

  const propose = createRoute({
    ...common,
    method: 'post',
    path: '/v1/worlds/{world}/proposals',
    operationId: 'propose',
    summary: 'Propose an action',
    description: 'The status speaks of the request; the outcome speaks of the world. A refused proposal is 200.',
    request: { params, headers: proposalHeaders, body: bodyOf(proposalBody) },
    responses: {
      200: answer('Settled.', proposalResult),
      202: answer('Still in flight.', proposalResult),
      ...problems(400, 401, 403, 404, 409, 413, 415, 422, 429),
    },
  });
  app.openapi(propose, async (c) => {
    const headers = c.req.valid('header');
    const options = { idempotencyKey: headers['Idempotency-Key'] ?? null, bodyDigest: c.get('bodyDigest'), waitSeconds: waitSeconds(headers.Prefer) };
    return send(await c.get('world').propose(c.get('principal'), toProposal(c.req.valid('json')), options));
  });

  const preview = createRoute({
    ...common,
    method: 'post',
    path: '/v1/worlds/{world}/proposals/preview',
    operationId: 'preview',
    summary: 'What the world would answer now; writes nothing',
    request: { params, body: bodyOf(proposalBody) },
    responses: { 200: answer('Whether it would be admitted, else the refusal.', previewResult), ...problems(400, 401, 403, 404, 413, 415, 422) },
  });
  app.openapi(preview, async (c) => send(await c.get('world').preview(c.get('principal'), toProposal(c.req.valid('json')))));
}
