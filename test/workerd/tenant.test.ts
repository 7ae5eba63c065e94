// The tenant object in workerd: keys, worlds, and that a tenant which was never created leaves no trace.
import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';

const key = { id: 'AAAAAAAA', secretDigest: 'd'.repeat(64), actor: 'Agent:one', roles: ['agent'], worlds: null, expiresAt: null };
const manifest = { name: 'desk', version: '1.0.0', hash: `sha256:${'1'.repeat(64)}` };
const other = { ...manifest, version: '2.0.0', hash: `sha256:${'2'.repeat(64)}` };

type Stub = ReturnType<typeof env.TENANT.getByName>;

async function created(name: string): Promise<Stub> {
  const tenant = env.TENANT.getByName(name);
  expect(await tenant.create(name)).toBe('created');
  return tenant;
}

/** Names of everything that the object's database holds. */
function tables(tenant: Stub): Promise<readonly string[]> {
  return runInDurableObject(tenant, (_, { storage }) =>
    storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'")
      .toArray()
      .map(({ name }) => name),
  );
}

describe('a tenant that was never created', () => {
  test('answers every question as if it knew nobody, and stores nothing', async () => {
    const tenant = env.TENANT.getByName('never');
    expect(await tenant.exists()).toBe(false);
    expect(await tenant.authenticate(key, 'alpha')).toBeNull();
    expect(await tenant.findWorld('alpha')).toBeNull();
    expect(await tenant.listKeys()).toEqual([]);
    expect(await tenant.listWorlds()).toEqual([]);
    expect(await tenant.revokeKey(key.id)).toBe(false);
    expect(await tenant.issueKey(key)).toBe('no_tenant');
    expect(await tenant.putWorld({ world: 'alpha', manifest })).toBe('no_tenant');
    expect(await tables(tenant)).toEqual([]);
    await evictDurableObject(tenant);
    expect(await tenant.exists()).toBe(false);
    expect(await tables(tenant)).toEqual([]);
  });
});

describe('a tenant', () => {
  test('is created once, also by ten at a time', async () => {
    const tenant = env.TENANT.getByName('ten');
    const answers = await Promise.all(Array.from({ length: 10 }, () => tenant.create('ten')));
    expect(answers.filter((answer) => answer === 'created')).toHaveLength(1);
    expect(await tenant.exists()).toBe(true);
  });

  test('keeps its keys and worlds when it loses its memory', async () => {
    const tenant = await created('keeps');
    await tenant.issueKey(key);
    await tenant.putWorld({ world: 'alpha', manifest });
    await evictDurableObject(tenant);
    expect(await tenant.create('keeps')).toBe('exists');
    expect(await tenant.authenticate(key, 'alpha')).toEqual({
      principal: { tenant: 'keeps', actor: 'Agent:one', roles: ['agent'] },
      worlds: null,
      world: { world: 'alpha', manifest },
    });
  });

  test('knows a key by id and digest together', async () => {
    const tenant = await created('knows');
    await tenant.issueKey(key);
    const { id, secretDigest } = key;
    expect(await tenant.authenticate({ id, secretDigest }, null)).toMatchObject({ principal: { actor: 'Agent:one' }, world: null });
    for (const wrong of [
      { id: 'BBBBBBBB', secretDigest },
      { id, secretDigest: 'e'.repeat(64) },
      { id, secretDigest: '' },
      { id, secretDigest: `${secretDigest}d` },
      { id: "' OR 1=1 --", secretDigest },
    ]) {
      expect(await tenant.authenticate(wrong, null)).toBeNull();
    }
  });

  test('gives no id twice', async () => {
    const tenant = await created('twice');
    await tenant.issueKey(key);
    await expect(() => tenant.issueKey({ ...key, actor: 'Operator:thief', roles: ['operator'] })).rejects.toThrow();
    expect(await tenant.authenticate(key, null)).toMatchObject({ principal: { actor: 'Agent:one', roles: ['agent'] } });
  });

  test('knows an expired key no more, and lists it still', async () => {
    const tenant = await created('expires');
    const expiresAt = new Date(Date.now() + 30).toISOString();
    await tenant.issueKey({ ...key, expiresAt });
    await expect.poll(() => tenant.authenticate(key, null)).toBeNull();
    expect(await tenant.listKeys()).toMatchObject([{ id: key.id, expiresAt }]);
  });

  test('forgets a deleted key at once', async () => {
    const tenant = await created('forgets');
    await tenant.issueKey(key);
    expect(await tenant.revokeKey(key.id)).toBe(true);
    expect(await tenant.authenticate(key, null)).toBeNull();
    expect(await tenant.revokeKey(key.id)).toBe(false);
    expect(await tenant.listKeys()).toEqual([]);
  });

  test('lists keys without anything that is secret', async () => {
    const tenant = await created('lists');
    await tenant.issueKey({ ...key, worlds: ['alpha'] });
    expect(await tenant.listKeys()).toEqual([
      { id: key.id, actor: key.actor, roles: ['agent'], worlds: ['alpha'], expiresAt: null, createdAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
  });

  test('shows a key only the worlds that it lists', async () => {
    const tenant = await created('narrow');
    await tenant.putWorld({ world: 'alpha', manifest });
    await tenant.issueKey({ ...key, worlds: ['beta'] });
    expect(await tenant.authenticate(key, 'alpha')).toMatchObject({ worlds: ['beta'], world: null });
    await tenant.putWorld({ world: 'beta', manifest });
    expect(await tenant.authenticate(key, 'beta')).toMatchObject({ world: { world: 'beta' } });
  });

  test('pins a world to the manifest it was made under', async () => {
    const tenant = await created('pins');
    expect(await tenant.putWorld({ world: 'alpha', manifest })).toBe('created');
    expect(await tenant.putWorld({ world: 'alpha', manifest })).toBe('same');
    expect(await tenant.putWorld({ world: 'alpha', manifest: other })).toBe('other_manifest');
    expect(await tenant.findWorld('alpha')).toEqual({ world: 'alpha', manifest });
    expect(await tenant.findWorld('Alpha')).toBeNull();
    await tenant.putWorld({ world: 'aardvark', manifest: other });
    expect((await tenant.listWorlds()).map(({ world }) => world)).toEqual(['aardvark', 'alpha']);
  });

  test('makes one world of ten concurrent requests under two manifests', async () => {
    const tenant = await created('race');
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => tenant.putWorld({ world: 'alpha', manifest: index % 2 === 0 ? manifest : other })),
    );
    expect(answers.toSorted()).toEqual(['created', ...Array<string>(5).fill('other_manifest'), ...Array<string>(4).fill('same')].toSorted());
  });
});
