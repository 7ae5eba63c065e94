// What real worlds answer fits the schemas that are published in the OpenAPI document.
import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import type { ZodType } from 'zod';
import { manifests } from '../../manifests/registry.ts';
import { observationFrame } from '../../src/protocol/frame.ts';
import { keyList } from '../../src/protocol/keys.ts';
import { previewResult, proposalResult } from '../../src/protocol/outcome.ts';
import { problemDetails } from '../../src/protocol/problem.ts';
import { transitionPage } from '../../src/protocol/transition.ts';
import { objectPage, worldObject, worldSummary } from '../../src/protocol/world-object.ts';
import { clockAnswer, worldEntry, worldList } from '../../src/protocol/worlds.ts';
import { Deployment } from '../router/fakes.ts';
import type { Answer } from '../router/fakes.ts';

const at = new Deployment({ TENANT: env.TENANT, WORLD: env.WORLD }, manifests);
const world = '/v1/worlds/desk';
let operator: string;
let person: string;
let agent: string;

function fits(schema: ZodType, answer: Answer, status = 200): Answer {
  expect(answer.status, answer.text).toBe(status);
  expect(schema.safeParse(answer.json).error?.issues ?? []).toEqual([]);
  return answer;
}

function propose(key: string, body: Readonly<Record<string, unknown>>, door = 'proposals'): Promise<Answer> {
  return at.call('POST', `${world}/${door}`, { key, body: { expectedRevision: 0, ...body } });
}

beforeAll(async () => {
  await at.root('POST', '/v1/tenants', { tenant: 'shapes' });
  operator = await at.key('shapes', 'Operator:ops');
  person = await at.key('shapes', 'Person:ann');
  agent = await at.key('shapes', 'Agent:one');
  fits(worldEntry, await at.call('PUT', world, { key: operator, body: { manifest: 'refund-desk' } }), 201);
  fits(
    proposalResult,
    await propose(operator, { action: 'customer.register', target: 'Customer:kim', parameters: { name: 'Kim', email: 'kim@customers.test' } }),
  );
  const order = { customer: 'Customer:kim', chargeId: 'ch_1', currency: 'eur', totalCents: 1000 };
  fits(proposalResult, await propose(operator, { action: 'order.record', target: 'Order:1', parameters: order }));
  fits(proposalResult, await propose(person, { action: 'task.open', target: 'Task:t', parameters: { goal: 'settle it', subject: 'Order:1' } }));
});

test('worlds, keys and the clock', async () => {
  fits(worldSummary, await at.call('GET', world, { key: agent }));
  fits(worldList, await at.call('GET', '/v1/worlds', { key: agent }));
  fits(keyList, await at.root('GET', '/v1/tenants/shapes/keys'));
  fits(clockAnswer, await at.call('POST', `${world}/clock`, { key: operator, body: { advanceMs: 1000 } }));
});

test('objects, alone and in lists', async () => {
  fits(worldObject, await at.call('GET', `${world}/objects/Order:1`, { key: agent }));
  for (const type of ['Order', 'Customer', 'Task', 'ActionAttempt', 'Integration', 'Budget', 'Nothing']) {
    fits(objectPage, await at.call('GET', `${world}/objects?type=${type}`, { key: person }));
  }
  fits(problemDetails, await at.call('GET', `${world}/objects/Order:none`, { key: agent }), 404);
});

test('frames of an agent and of a person', async () => {
  fits(observationFrame, await at.call('GET', `${world}/observation?focus=Order:1`, { key: agent }));
  fits(observationFrame, await at.call('GET', `${world}/observation?task=Task:t`, { key: person }));
});

test('refusals, previews and the log', async () => {
  const seen = (await at.call('GET', `${world}/objects/Order:1`, { key: agent })).json;
  const refund = { action: 'order.refund', target: 'Order:1', expectedRevision: seen['revision'], observed: seen['cursor'] };
  fits(proposalResult, await propose(agent, { ...refund, parameters: { amountCents: 5, reason: 'duplicate' } }));
  fits(proposalResult, await propose(agent, { ...refund, parameters: { amountCents: 'many' } }));
  fits(previewResult, await propose(agent, { ...refund, parameters: { amountCents: 5, reason: 'duplicate' } }, 'proposals/preview'));
  fits(transitionPage, await at.call('GET', `${world}/transitions`, { key: person }));
  fits(problemDetails, await at.call('GET', `${world}/transitions`, { key: agent }), 403);
});
