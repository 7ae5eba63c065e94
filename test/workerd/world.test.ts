// The world object in workerd: birth, one writer, restarts between commit and answer, alarms, secrets at rest.
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { manifests } from '../../manifests/registry.ts';
import type { Proposal } from '../../src/protocol/proposal.ts';
import type { Principal, Reply } from '../../src/protocol/rpc.ts';

type Stub = ReturnType<typeof env.WORLD.getByName>;
interface Answer {
  readonly outcome: { readonly kind: string; readonly code?: string; readonly detail?: { readonly [name: string]: unknown } } | null;
  readonly attempt: {
    readonly id: string;
    readonly target: string;
    readonly certainty: string;
    readonly status: string;
    readonly outcome: { readonly kind: string } | null;
  };
}

const ops: Principal = { tenant: 't', actor: 'Operator:ops', roles: ['operator'] };
const ann: Principal = { tenant: 't', actor: 'Person:ann', roles: ['human'] };
const SECRET = 'sk_test_never_in_clear_text';
let made = 0;

async function propose(world: Stub, by: Principal, proposal: Proposal, waitSeconds = 5): Promise<Answer> {
  const reply = await world.propose(by, proposal, { idempotencyKey: null, bodyDigest: '', waitSeconds });
  return JSON.parse(reply.body) as Answer;
}

const create = (action: string, target: string, parameters: Proposal['parameters']): Proposal => ({ action, target, expectedRevision: 0, parameters });

/** A born world whose payments go to the provider on a port (outside.ts), with `Order:1` paid by a charge of the world's own. */
async function desk(port: number): Promise<{ readonly world: Stub; readonly charge: string }> {
  made += 1;
  const world = env.WORLD.getByName(`t/w${made}`);
  expect((await world.open(ops, `w${made}`, manifests[0]?.hash ?? '')).status).toBe(201);
  const connect: Proposal = {
    action: 'integration.connect',
    target: 'Integration:payments',
    expectedRevision: 1,
    parameters: { endpoint: `http://127.0.0.1:${port}`, credential: SECRET, webhookSecret: `whsec_${SECRET}` },
  };
  expect((await propose(world, ops, connect)).outcome?.kind).toBe('Succeeded');
  await propose(world, ops, create('customer.register', 'Customer:kim', { name: 'Kim', email: 'kim@customers.test' }));
  const charge = `ch_${made}`;
  expect(
    (await propose(world, ops, create('order.record', 'Order:1', { customer: 'Customer:kim', chargeId: charge, currency: 'eur', totalCents: 20_000 }))).outcome
      ?.kind,
  ).toBe('Succeeded');
  return { world, charge };
}

const refund = (amountCents: number): Proposal => ({
  action: 'order.refund',
  target: 'Order:1',
  expectedRevision: 1,
  parameters: { amountCents, reason: 'duplicate' },
});

async function asked(charge: string): Promise<number> {
  return ((await (await fetch(`http://127.0.0.1:4000/asked?charge=${charge}`)).json()) as { readonly posts: number }).posts;
}

async function attempt(world: Stub, id: string): Promise<Answer['attempt']> {
  return (JSON.parse((await world.object(ann, id)).body) as { readonly state: Answer['attempt'] }).state;
}

const head = async (world: Stub): Promise<number> =>
  (JSON.parse((await world.describe(ann)).body) as { readonly head: { readonly sequence: number } }).head.sequence;

describe('birth', () => {
  it('happens once, and pins the manifest', async () => {
    const { world } = await desk(4001);
    expect((await world.open(ops, `w${made}`, manifests[0]?.hash ?? '')).status).toBe(200);
    expect((await world.open(ops, `w${made}`, `sha256:${'0'.repeat(64)}`)).status).toBe(422);
  });

  it('has not happened to a world that is only asked: it is not there, and stores nothing', async () => {
    const world = env.WORLD.getByName('t/unborn');
    expect((await world.describe(ann)).status).toBe(404);
    expect((await world.hook({ integration: 'payments', headers: {}, body: '{}' })).status).toBe(401);
    expect((await world.observe(ann, { task: null, focus: null, since: null, maxBytes: null })).status).toBe(404);
    const tables = await runInDurableObject(world, (_, { storage }) =>
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
    );
    expect(tables).toEqual([]);
  });
});

describe('one writer', () => {
  it('keeps every one of fifty proposals that come at the same time', async () => {
    const { world } = await desk(4001);
    const before = await head(world);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => propose(world, ops, create('customer.register', `Customer:c${n}`, { name: 'C', email: `c${n}@customers.test` }))),
    );
    expect(answers.every(({ outcome }) => outcome?.kind === 'Succeeded')).toBe(true);
    expect(await head(world)).toBe(before + 50);
  });

  it('lets one of fifty changes at the same revision win', async () => {
    const { world } = await desk(4001);
    const change = (n: number): Proposal => ({
      action: 'customer.update',
      target: 'Customer:kim',
      expectedRevision: 1,
      parameters: { email: `kim${n}@customers.test` },
    });
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => propose(world, ops, change(n))));
    expect(answers.filter(({ outcome }) => outcome?.kind === 'Succeeded')).toHaveLength(1);
    expect(answers.filter(({ outcome }) => outcome?.code === 'stale_revision')).toHaveLength(49);
  });
});

describe('a restart between commit and answer', () => {
  it.each([['an abort', () => abortAllDurableObjects()]] as const)('%s leaves the effect in doubt, and it is not sent again', async (_name, restart) => {
    const { world, charge } = await desk(4002);
    const { attempt: sent } = await propose(world, ann, refund(2500), 0);
    expect(sent.status).toBe('dispatched');
    await vi.waitFor(async () => expect(await asked(charge)).toBe(1));
    await restart();
    const again = env.WORLD.getByName(`t/w${made}`);
    const after = await attempt(again, sent.id);
    expect([after.status, after.certainty, after.outcome?.kind]).toEqual(['settled', 'in_doubt', 'OutcomeAmbiguous']);
    const second = await propose(again, ann, refund(2500));
    expect([second.outcome?.kind, second.outcome?.code, second.outcome?.detail?.['attempt']]).toEqual(['Blocked', 'in_doubt', sent.id]);
    await runDurableObjectAlarm(again);
    expect(await asked(charge)).toBe(1);
  });
});

describe('memory', () => {
  it('holds nothing that the tables do not: evicted, the world answers as before', async () => {
    const { world } = await desk(4001);
    const done = await propose(world, ann, refund(2500));
    expect(done.outcome?.kind).toBe('Succeeded');
    const query = { after: 0, limit: 100, ndjson: true };
    const before = (await world.transitions(ann, query)).body;
    await evictDurableObject(world);
    const again = env.WORLD.getByName(`t/w${made}`);
    expect((await again.transitions(ann, query)).body).toBe(before);
    const second = await propose(again, ann, { ...refund(2500), expectedRevision: 2 });
    expect(second.outcome?.code).toBe('already_completed');
  });
});

describe('time', () => {
  it('expires an approval by alarm, and refuses a late grant', async () => {
    const { world } = await desk(4001);
    const parked = await propose(world, ann, refund(6000));
    const approval = String(parked.outcome?.detail?.['approval']);
    await world.advance(ops, 25 * 3_600_000);
    const expired = JSON.parse((await world.object(ann, approval)).body) as { readonly revision: number; readonly state: { readonly status: string } };
    expect(expired.state.status).toBe('expired');
    const bob: Principal = { tenant: 't', actor: 'Person:bob', roles: ['human'] };
    const late = await propose(world, bob, { action: 'approval.grant', target: approval, expectedRevision: expired.revision, parameters: {} });
    expect(late.outcome?.detail?.['rule']).toBe('decision_is_final');
  });
});

describe('the same Idempotency-Key', () => {
  it('gives the first answer byte for byte, also after an eviction; another body is a conflict', async () => {
    const { world } = await desk(4001);
    const options = { idempotencyKey: 'once', bodyDigest: 'digest', waitSeconds: 5 };
    const first: Reply = await world.propose(ann, refund(2500), options);
    expect((await world.propose(ann, refund(2500), options)).body).toBe(first.body);
    await evictDurableObject(world);
    const again = env.WORLD.getByName(`t/w${made}`);
    expect((await again.propose(ann, refund(2500), options)).body).toBe(first.body);
    expect((await again.propose(ann, refund(2501), { ...options, bodyDigest: 'other' })).status).toBe(409);
  });
});

describe('secrets', () => {
  it('are in no table in clear text, and in no answer', async () => {
    const { world } = await desk(4001);
    await propose(world, ann, refund(2500));
    const dump = await runInDurableObject(world, (_, { storage }) => {
      const tables = storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray();
      return tables.map(({ name }) => JSON.stringify(storage.sql.exec(`SELECT * FROM "${name}"`).toArray())).join('\n');
    });
    expect(dump).toContain('secret:');
    expect(dump).not.toContain(SECRET);
    expect((await world.object(ops, 'Integration:payments')).body).not.toContain(SECRET);
    expect((await world.transitions(ops, { after: 0, limit: 100, ndjson: true })).body).not.toContain(SECRET);
  });
});
