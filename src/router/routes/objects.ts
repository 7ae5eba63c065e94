// What an actor may look at in a world: its frame, its objects, and the log.
import { createRoute } from '@hono/zod-openapi';
import { accepts } from 'hono/accepts';
import * as z from 'zod';
import { observationFrame } from '../../protocol/frame.ts';
import { objectId, worldName } from '../../protocol/names.ts';
import { objectsQuery, observationQuery, pageLimit, transitionsQuery } from '../../protocol/query.ts';
import { transitionPage } from '../../protocol/transition.ts';
import { objectPage, worldObject } from '../../protocol/world-object.ts';
import type { Access } from '../access.ts';
import { send } from '../answers.ts';
import type { App } from '../app.ts';
import { answer, problems, withKey } from '../describe.ts';

const tags = ['observation'];
const NDJSON = 'application/x-ndjson';

export function objectRoutes(app: App, access: Access): void {
  const inWorld = { tags, security: withKey, middleware: [access.inWorld] };
  const params = z.object({ world: worldName });

  const observe = createRoute({
    ...inWorld,
    method: 'get',
    path: '/v1/worlds/{world}/observation',
    operationId: 'observe',
    summary: "The actor's frame",
    request: { params, query: observationQuery },
    responses: { 200: answer('The frame.', observationFrame), ...problems(401, 403, 404, 422, 429) },
  });
  app.openapi(observe, async (c) => {
    const { task, focus, since, maxBytes } = c.req.valid('query');
    return send(
      await c.get('world').observe(c.get('principal'), { task: task ?? null, focus: focus ?? null, since: since ?? null, maxBytes: maxBytes ?? null }),
    );
  });

  const list = createRoute({
    ...inWorld,
    method: 'get',
    path: '/v1/worlds/{world}/objects',
    operationId: 'listObjects',
    summary: "The objects in the actor's scope",
    request: { params, query: objectsQuery },
    responses: { 200: answer('A page of objects.', objectPage), ...problems(401, 403, 404, 422) },
  });
  app.openapi(list, async (c) => {
    const { type, after, limit } = c.req.valid('query');
    return send(await c.get('world').objects(c.get('principal'), { type: type ?? null, after: after ?? null, limit: pageLimit(limit) }));
  });

  const one = createRoute({
    ...inWorld,
    method: 'get',
    path: '/v1/worlds/{world}/objects/{id}',
    operationId: 'readObject',
    summary: 'One object, with its actions and a cursor',
    request: { params: z.object({ world: worldName, id: objectId }) },
    responses: { 200: answer('The object.', worldObject), ...problems(401, 403, 404, 422) },
  });
  app.openapi(one, async (c) => send(await c.get('world').object(c.get('principal'), c.req.valid('param').id)));

  const log = createRoute({
    ...inWorld,
    method: 'get',
    path: '/v1/worlds/{world}/transitions',
    operationId: 'listTransitions',
    summary: 'The log (roles that the manifest names)',
    description: `With \`accept: ${NDJSON}\`, one transition per line.`,
    request: { params, query: transitionsQuery },
    responses: { 200: answer('A page of transitions.', transitionPage), ...problems(401, 403, 404, 422) },
  });
  app.openapi(log, async (c) => {
    const { after, limit } = c.req.valid('query');
    const ndjson = accepts(c, { header: 'Accept', supports: ['application/json', NDJSON], default: 'application/json' }) === NDJSON;
    return send(await c.get('world').transitions(c.get('principal'), { after: after ?? 0, limit: pageLimit(limit), ndjson }));
  });
}
