// The router over the real tenant object, in workerd: a credential's whole life.
import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { expectProblem } from '../router/expect-problem.ts';
import { Deployment, openDesk } from '../router/fakes.ts';

/** Real tenants; worlds that only say what they were asked. */
function deployment(): Deployment {
  return new Deployment({ TENANT: env.TENANT });
}

test('keys open worlds until they are deleted or expire', async () => {
  const { at, agent, operator } = await openDesk(deployment());
  expect((await at.call('GET', '/v1/worlds/alpha', { key: agent })).status).toBe(200);
  expect((await at.call('GET', '/v1/worlds', { key: agent })).json).toMatchObject({ worlds: [{ world: 'alpha' }] });
  expect((await at.call('DELETE', `/v1/tenants/acme/keys/${agent.split('_')[1]}`, { key: operator })).status).toBe(204);
  expectProblem(await at.call('GET', '/v1/worlds/alpha', { key: agent }), 401);
  const brief = await at.key('acme', 'Agent:brief', { expiresAt: new Date(Date.now() + 50).toISOString() });
  await expect.poll(async () => (await at.call('GET', '/v1/worlds/alpha', { key: brief })).status).toBe(401);
  const narrow = await at.key('acme', 'Agent:narrow', { worlds: ['elsewhere'] });
  expectProblem(await at.call('GET', '/v1/worlds/alpha', { key: narrow }), 404);
});

test("one tenant's keys and worlds are nothing to another", async () => {
  const at = deployment();
  for (const tenant of ['one', 'two']) {
    expect((await at.root('POST', '/v1/tenants', { tenant })).status).toBe(201);
    const operator = await at.key(tenant, 'Operator:ops');
    expect((await at.call('PUT', `/v1/worlds/of-${tenant}`, { key: operator, body: { manifest: 'desk' } })).status).toBe(201);
  }
  const agent = await at.key('one', 'Agent:one');
  expect((await at.call('GET', '/v1/worlds/of-one', { key: agent })).status).toBe(200);
  expectProblem(await at.call('GET', '/v1/worlds/of-two', { key: agent }), 404);
  expectProblem(await at.call('GET', '/v1/worlds/of-two', { key: agent.replace('.one', '.two') }), 401);
});

test('no stored byte of a tenant contains a secret', async () => {
  const at = deployment();
  await at.root('POST', '/v1/tenants', { tenant: 'stores' });
  const key = await at.key('stores', 'Agent:one');
  const rows = await runInDurableObject(env.TENANT.getByName('stores'), (_, { storage }) => JSON.stringify(storage.sql.exec('SELECT * FROM keys').toArray()));
  expect(rows).toContain('Agent:one');
  expect(rows).not.toContain(key.slice(13, 40));
});

test('guesses about a tenant that does not exist store nothing', async () => {
  const at = deployment();
  expectProblem(await at.call('GET', '/v1/worlds/alpha', { key: `cwr_AAAAAAAA_${'a'.repeat(43)}.ghost` }), 401);
  expectProblem(await at.call('POST', '/v1/hooks/ghost/alpha/payments', { body: '{}' }), 401);
  expectProblem(await at.root('GET', '/v1/tenants/ghost/keys'), 404);
  const stored = await runInDurableObject(env.TENANT.getByName('ghost'), (_, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
  );
  expect(stored).toEqual([]);
});
