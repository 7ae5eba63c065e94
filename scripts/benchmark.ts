// `npm run benchmark`: throughput and latency of proposals and frames beside a bare object, as ratios; growth with the size of the world;
// the pure decision. Figures, never a test: the machine decides them. On `workerd serve`, the load generator on the same cores.
import { startSandbox } from '../sandbox/sandbox.ts';
import { timeDecisions } from './benchmark/decision.ts';
import { load, type Ask, type Load } from './benchmark/load.ts';
import { serve, type Served } from './benchmark/serve.ts';

const CONCURRENCIES = [1, 16, 64] as const;

interface Reply {
  readonly [field: string]: unknown;
}

class World {
  readonly #served: Served;
  readonly #name: string;
  readonly keys: { readonly [role: string]: string };

  private constructor(served: Served, name: string, keys: { readonly [role: string]: string }) {
    this.#served = served;
    this.#name = name;
    this.keys = keys;
  }

  static async open(served: Served, name: string): Promise<World> {
    const call = async (key: string, method: string, path: string, body: unknown): Promise<Reply> => {
      const response = await fetch(served.url + path, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Reply;
    };
    await call(served.rootKey, 'POST', '/v1/tenants', { tenant: 'bench' });
    const keys: { [role: string]: string } = {};
    for (const [actor, role] of [
      ['Operator:ops', 'operator'],
      ['Person:ann', 'human'],
      ['Agent:one', 'agent'],
    ] as const) {
      keys[role] = String((await call(served.rootKey, 'POST', '/v1/tenants/bench/keys', { actor, roles: [role] }))['key']);
    }
    await call(keys['operator'] ?? '', 'PUT', `/v1/worlds/${name}`, { manifest: 'refund-desk' });
    return new World(served, name, keys);
  }

  ask(role: string, method: 'GET' | 'POST', path: string, body?: unknown): Ask {
    const headers: { [name: string]: string } = { authorization: `Bearer ${this.keys[role] ?? ''}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    return { method, url: `${this.#served.url}/v1/worlds/${this.#name}${path}`, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  }

  async send(ask: Ask): Promise<Reply> {
    const response = await fetch(ask.url, { method: ask.method, headers: { ...ask.headers }, ...(ask.body === undefined ? {} : { body: ask.body }) });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${ask.method} ${ask.url}: ${response.status} ${text}`);
    return JSON.parse(text) as Reply;
  }

  /** A proposal by an operator or person (no cursor needed) that must succeed. */
  propose(role: string, action: string, target: string, { revision = 0, ...parameters }: Reply & { readonly revision?: number }): Ask {
    return this.ask(role, 'POST', '/proposals', { action, target, expectedRevision: revision, parameters });
  }

  async connect(name: string, endpoint: string, credential: string): Promise<void> {
    const secret = `whsec_${btoa('benchmark-benchmark-benchmark-00')}`;
    await this.send(this.propose('operator', 'integration.connect', `Integration:${name}`, { endpoint, credential, webhookSecret: secret, revision: 1 }));
  }

  async orders(from: number, count: number): Promise<void> {
    await load(
      (n) =>
        this.propose('operator', 'order.record', `Order:${from + n}`, {
          customer: 'Customer:kim',
          chargeId: `ch_${from + n}`,
          currency: 'eur',
          totalCents: 100_000,
        }),
      {
        count,
        concurrency: 16,
        good: succeeded,
      },
    );
  }
}

const succeeded = (text: string): boolean => text.includes('"kind":"Succeeded"');
const anything = (): boolean => true;

function show(name: string, rows: readonly Load[], bare?: readonly Load[]): void {
  const cells = rows.map((row, n) => {
    const ratio = bare?.[n] === undefined ? '' : `  ratio ${(row.perSecond / bare[n].perSecond).toFixed(2)}`;
    return `${row.perSecond.toFixed(0).padStart(6)}/s p50 ${row.p50.toFixed(1)} p99 ${row.p99.toFixed(1)} ms${ratio}`;
  });
  console.log(`${name.padEnd(28)} ${cells.join(' | ')}`);
}

/** Every kind of request at each concurrency, interleaved so that each meets the same machine. */
async function throughput(world: World): Promise<void> {
  let order = 0;
  const count = (concurrency: number): number => (concurrency === 1 ? 400 : 2000);
  const kinds = {
    'bare object (write)': (_n: number) =>
      world.ask('operator', 'POST', '/bare', {
        action: 'customer.register',
        target: 'Customer',
        expectedRevision: 0,
        parameters: { name: 'Kim', email: 'kim@customers.test' },
      }),
    'internal action': (_n: number) => world.propose('operator', 'customer.register', 'Customer', { name: 'Kim', email: 'kim@customers.test' }),
    'effect (refund)': (_n: number) => world.propose('human', 'order.refund', `Order:${(order += 1)}`, { amountCents: 1, reason: 'duplicate', revision: 1 }),
    'bare object (read)': (_n: number) => world.ask('agent', 'GET', '/bare'),
    frame: (_n: number) => world.ask('agent', 'GET', '/observation?focus=Order:1'),
  } as const;
  const rows: { [kind: string]: Load[] } = {};
  for (const concurrency of CONCURRENCIES) {
    for (const [kind, ask] of Object.entries(kinds)) {
      await load(ask, { count: 100, concurrency, good: anything });
      (rows[kind] ??= []).push(
        await load(ask, { count: count(concurrency), concurrency, good: kind === 'internal action' || kind.startsWith('effect') ? succeeded : anything }),
      );
    }
  }
  console.log(`\nrequests per second at concurrency ${CONCURRENCIES.join(', ')}; ratios are to the bare object of the same kind`);
  const write = rows['bare object (write)'];
  const read = rows['bare object (read)'];
  for (const [kind, loads] of Object.entries(rows))
    show(kind, loads, kind === 'internal action' || kind.startsWith('effect') ? write : kind === 'frame' ? read : undefined);
}

async function growth(served: Served): Promise<void> {
  const medians: { readonly proposal: number; readonly frame: number }[] = [];
  for (const [name, objects] of [
    ['small', 100],
    ['large', 10_000],
  ] as const) {
    const world = await World.open(served, name);
    await world.send(world.propose('operator', 'customer.register', 'Customer:kim', { name: 'Kim', email: 'kim@customers.test' }));
    await world.orders(1, Math.floor(objects / 2)); // each order is an object and so is the attempt that recorded it
    const proposals = await load((n) => world.propose('operator', 'customer.update', 'Customer:kim', { email: `kim${n}@customers.test`, revision: n + 1 }), {
      count: 600,
      concurrency: 1,
      good: succeeded,
    });
    const frames = await load(() => world.ask('agent', 'GET', '/observation?focus=Order:1'), { count: 600, concurrency: 1, good: anything });
    medians.push({ proposal: proposals.p50, frame: frames.p50 });
    console.log(`${name} world (${objects} objects): proposal p50 ${proposals.p50.toFixed(2)} ms, frame p50 ${frames.p50.toFixed(2)} ms`);
  }
  const [small, large] = medians;
  if (small !== undefined && large !== undefined)
    console.log(`growth from 100 to 10,000 objects: proposal ${(large.proposal / small.proposal).toFixed(2)}, frame ${(large.frame / small.frame).toFixed(2)}`);
}

async function main(): Promise<void> {
  console.log('the pure decision, µs (median, p99)');
  for (const { name, median, p99 } of timeDecisions()) console.log(`${name.padEnd(52)} ${median.toFixed(1).padStart(7)} ${p99.toFixed(1).padStart(7)}`);
  const sandbox = await startSandbox({ port: 0 });
  const served = await serve();
  try {
    const world = await World.open(served, 'busy');
    await world.send(world.propose('operator', 'customer.register', 'Customer:kim', { name: 'Kim', email: 'kim@customers.test' }));
    await world.connect('payments', sandbox.url, sandbox.token);
    await world.send(world.propose('operator', 'budget.set', 'Budget:refunds', { limit: 1_000_000_000, revision: 1 }));
    await world.orders(1, 5000);
    await throughput(world);
    await growth(served);
  } finally {
    served.stop();
    await sandbox.close();
  }
}

await main();
