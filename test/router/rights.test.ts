// What a valid credential may not do: other tenants, platform rights, roles that do not fit.
import { beforeEach, describe, expect, test } from 'vitest';
import { errorsOf, expectProblem } from './expect-problem.ts';
import { Deployment, deskNew, lab, openDesk } from './fakes.ts';
import type { Desk } from './fakes.ts';

let desk: Desk;
let stranger: string;
beforeEach(async () => {
  desk = await openDesk();
  await desk.at.root('POST', '/v1/tenants', { tenant: 'beta-inc' });
  stranger = await desk.at.key('beta-inc', 'Operator:ops');
  await desk.at.call('PUT', '/v1/worlds/beta', { key: stranger, body: { manifest: 'desk' } });
  desk.at.asked.length = 0;
});

const proposal = { action: 'order.refund', target: 'Order:1', expectedRevision: 1, observed: 'x', parameters: {} };

describe('strangers', () => {
  test("find another tenant's world at no door, and as little as a world that does not exist", async () => {
    for (const key of [desk.agent, desk.person, desk.operator]) {
      for (const path of ['', '/observation', '/objects?type=Order', '/objects/Order:1', '/transitions']) {
        const [theirs, none] = [await desk.at.call('GET', `/v1/worlds/beta${path}`, { key }), await desk.at.call('GET', `/v1/worlds/nowhere${path}`, { key })];
        expectProblem(theirs, 404, path);
        expect(theirs.text).toBe(none.text);
      }
      for (const path of ['/proposals', '/proposals/preview'])
        expectProblem(await desk.at.call('POST', `/v1/worlds/beta${path}`, { key, body: proposal }), 404, path);
      expectProblem(await desk.at.call('POST', '/v1/worlds/beta/clock', { key, body: { advanceMs: 1 } }), 404);
    }
    expect(desk.at.asked).toEqual([]);
  });

  test("neither list nor issue nor delete another tenant's keys, and cannot tell whether it exists", async () => {
    for (const tenant of ['beta-inc', 'nobody']) {
      expectProblem(await desk.at.call('GET', `/v1/tenants/${tenant}/keys`, { key: desk.operator }), 404);
      expectProblem(await desk.at.call('POST', `/v1/tenants/${tenant}/keys`, { key: desk.operator, body: { actor: 'Agent:x', roles: ['agent'] } }), 404);
      expectProblem(await desk.at.call('DELETE', `/v1/tenants/${tenant}/keys/00000000`, { key: desk.operator }), 404);
    }
  });

  test('may have a world of the same name, which is another world', async () => {
    expect((await desk.at.call('PUT', '/v1/worlds/beta', { key: desk.operator, body: { manifest: 'desk' } })).status).toBe(201);
    await desk.at.call('GET', '/v1/worlds/beta', { key: desk.agent });
    await desk.at.call('GET', '/v1/worlds/beta', { key: stranger });
    expect(desk.at.asked.filter(({ method }) => method === 'describe').map(({ world }) => world)).toEqual(['acme/beta', 'beta-inc/beta']);
  });

  test('see in the list only the worlds of their own tenant', async () => {
    const { json } = await desk.at.call('GET', '/v1/worlds', { key: desk.operator });
    expect(json).toEqual({ worlds: [{ world: 'alpha', manifest: { name: 'desk', version: deskNew.version, hash: deskNew.hash } }] });
  });
});

describe('agents and people', () => {
  test('make no tenants, no keys, no worlds, and delete no keys', async () => {
    const id = desk.operator.split('_')[1] ?? '';
    for (const key of [desk.agent, desk.person]) {
      expectProblem(await desk.at.call('POST', '/v1/tenants', { key, body: { tenant: 'mine' } }), 403);
      expectProblem(await desk.at.call('POST', '/v1/tenants/acme/keys', { key, body: { actor: 'Operator:me', roles: ['operator'] } }), 403);
      expectProblem(await desk.at.call('GET', '/v1/tenants/acme/keys', { key }), 403);
      expectProblem(await desk.at.call('DELETE', `/v1/tenants/acme/keys/${id}`, { key }), 403);
      for (const world of ['mine', 'alpha']) expectProblem(await desk.at.call('PUT', `/v1/worlds/${world}`, { key, body: { manifest: 'desk' } }), 403);
    }
    expectProblem(await desk.at.call('POST', '/v1/tenants', { key: desk.operator, body: { tenant: 'mine' } }), 403);
  });

  test('move no clock; outside development nobody does', async () => {
    for (const key of [desk.agent, desk.person]) expectProblem(await desk.at.call('POST', '/v1/worlds/alpha/clock', { key, body: { advanceMs: 1 } }), 403);
    expect((await desk.at.call('POST', '/v1/worlds/alpha/clock', { key: desk.operator, body: { advanceMs: 1500 } })).status).toBe(200);
    expect(desk.at.asked.map(({ method, with: [, ms] }) => [method, ms])).toEqual([['advance', 1500]]);

    const production = await openDesk(new Deployment({ ENVIRONMENT: 'production' }));
    production.at.asked.length = 0;
    for (const key of [production.operator, production.agent])
      expectProblem(await production.at.call('POST', '/v1/worlds/alpha/clock', { key, body: { advanceMs: 1 } }), 404);
    expect(production.at.asked).toEqual([]);
  });
});

describe('operators', () => {
  test('issue keys of their own tenant', async () => {
    const made = await desk.at.call('POST', '/v1/tenants/acme/keys', { key: desk.operator, body: { actor: 'Agent:two', roles: ['agent'] } });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      id: expect.stringMatching(/^[0-9A-Za-z]{8}$/),
      key: expect.stringMatching(/^cwr_/),
      actor: 'Agent:two',
      roles: ['agent'],
    });
    expect((await desk.at.call('GET', '/v1/worlds/alpha', { key: String(made.json['key']) })).status).toBe(200);
  });

  test('narrowed to some worlds make no others and issue no keys, which would see more than they do', async () => {
    const narrow = await desk.at.key('acme', 'Operator:narrow', { worlds: ['alpha', 'gamma'] });
    expectProblem(await desk.at.call('PUT', '/v1/worlds/delta', { key: narrow, body: { manifest: 'desk' } }), 404);
    expect((await desk.at.call('PUT', '/v1/worlds/gamma', { key: narrow, body: { manifest: 'desk' } })).status).toBe(201);
    expectProblem(await desk.at.call('POST', '/v1/tenants/acme/keys', { key: narrow, body: { actor: 'Operator:wide', roles: ['operator'] } }), 403);
    expectProblem(await desk.at.call('GET', '/v1/tenants/acme/keys', { key: narrow }), 403);
  });
});

describe('a key is not issued', () => {
  const bad: readonly [string, Readonly<Record<string, unknown>>, unknown][] = [
    ["for an agent with a person's role", { actor: 'Agent:climber', roles: ['human'] }, [{ path: 'roles.0', code: 'role_not_for_actor' }]],
    [
      "for an agent with an operator's role beside its own",
      { actor: 'Agent:climber', roles: ['agent', 'operator'] },
      [{ path: 'roles.1', code: 'role_not_for_actor' }],
    ],
    ["for a person with an agent's role", { actor: 'Person:ann', roles: ['agent'] }, [{ path: 'roles.0', code: 'role_not_for_actor' }]],
    ['for a role that no manifest knows', { actor: 'Agent:one', roles: ['wizard'] }, [{ path: 'roles.0', code: 'unknown_role' }]],
    ['for a role named like a member of every object', { actor: 'Agent:one', roles: ['constructor'] }, [{ path: 'roles.0', code: 'unknown_role' }]],
    ['for no role', { actor: 'Agent:one', roles: [] }, [{ path: 'roles', code: 'too_small' }]],
    ['for the clock', { actor: 'Clock:world', roles: ['agent'] }, [{ path: 'actor', code: 'bad_format' }]],
    ['for an actor that is no id', { actor: 'Agent:a b', roles: ['agent'] }, [{ path: 'actor', code: 'bad_format' }]],
    ['that expired yesterday', { actor: 'Agent:one', roles: ['agent'], expiresAt: '2001-01-01T00:00:00Z' }, [{ path: 'expiresAt', code: 'not_in_the_future' }]],
    ['that expires at no time', { actor: 'Agent:one', roles: ['agent'], expiresAt: 'tomorrow' }, [{ path: 'expiresAt', code: 'bad_format' }]],
    ['for a world that can have no such name', { actor: 'Agent:one', roles: ['agent'], worlds: ['UPPER'] }, [{ path: 'worlds.0', code: 'bad_format' }]],
    ['for a tenant in the body', { actor: 'Agent:one', roles: ['agent'], tenant: 'beta-inc' }, [{ path: 'tenant', code: 'unknown_field' }]],
  ];

  test.each(bad)('%s', async (_, body, errors) => {
    for (const answer of [
      await desk.at.root('POST', '/v1/tenants/acme/keys', body),
      await desk.at.call('POST', '/v1/tenants/acme/keys', { key: desk.operator, body }),
    ]) {
      expectProblem(answer, 422);
      expect(errorsOf(answer)).toEqual(errors);
    }
  });

  test('where one of the manifests that know the role does not give it to such an actor', async () => {
    const other = { ...lab, name: 'other', text: JSON.stringify({ roles: { mixed: { kinds: ['Person'] } } }) };
    const both = new Deployment({}, [lab, other]);
    await both.root('POST', '/v1/tenants', { tenant: 'acme' });
    expectProblem(await both.root('POST', '/v1/tenants/acme/keys', { actor: 'Agent:one', roles: ['mixed'] }), 422);
    expect((await both.root('POST', '/v1/tenants/acme/keys', { actor: 'Person:one', roles: ['mixed'] })).status).toBe(201);
  });

  test('in a tenant that does not exist', async () => {
    expectProblem(await desk.at.root('POST', '/v1/tenants/nobody/keys', { actor: 'Agent:one', roles: ['agent'] }), 404);
    expectProblem(await desk.at.root('GET', '/v1/tenants/nobody/keys'), 404);
    expectProblem(await desk.at.root('DELETE', '/v1/tenants/nobody/keys/00000000'), 404);
  });
});
