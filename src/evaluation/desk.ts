// A refund desk over HTTP for experiments and tests: tenant, keys, world, provider; and one credential's view of it.
import { randomBytes } from 'node:crypto';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { Product } from './product.ts';

export type Fields = { readonly [name: string]: unknown };

export interface Outcome {
  readonly kind: string;
  readonly check?: number;
  readonly code?: string;
  readonly detail?: Fields;
  readonly message?: string;
  readonly permittedNext?: readonly Fields[];
}

export interface Attempt extends Fields {
  readonly id: string;
  readonly status: string;
  readonly certainty: string;
  readonly correlationId: string | null;
  readonly outcome: Outcome | null;
}

/** The answer to a proposal. */
export interface Result {
  readonly status: number;
  readonly text: string;
  readonly outcome: Outcome | null;
  readonly attempt: Attempt | null;
}

export interface Seen {
  readonly revision: number;
  readonly cursor: string;
  readonly state: Fields;
}

export interface ProposeOptions {
  readonly task?: string;
  readonly seen?: Pick<Seen, 'revision' | 'cursor'>;
  readonly wait?: number;
  readonly key?: string;
}

/** One credential. */
export class Credential {
  readonly actor: string;
  readonly #origin: string;
  readonly #key: string;
  readonly #world: string;

  constructor(origin: string, key: string, about: { readonly actor: string; readonly world: string }) {
    this.#origin = origin;
    this.#key = key;
    this.actor = about.actor;
    this.#world = about.world;
  }

  async http(
    method: string,
    path: string,
    body?: unknown,
    headers: { readonly [name: string]: string } = {},
  ): Promise<{ readonly status: number; readonly text: string }> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(this.#origin + path, { method, headers: { authorization: `Bearer ${this.#key}`, ...type, ...headers }, ...sent });
    return { status: answer.status, text: await answer.text() };
  }

  async get(path: string): Promise<Fields> {
    const { status, text } = await this.http('GET', `/v1/worlds/${this.#world}${path}`);
    if (status !== 200) throw new Error(`GET ${path} answered ${status} ${text.slice(0, 200)}`);
    return JSON.parse(text) as Fields;
  }

  async look(id: string): Promise<Seen> {
    return (await this.get(`/objects/${id}`)) as unknown as Seen;
  }

  async attempt(id: string): Promise<Attempt> {
    return (await this.look(id)).state as unknown as Attempt;
  }

  async observe(query = ''): Promise<Fields> {
    return this.get(`/observation${query}`);
  }

  async ndjson(): Promise<string> {
    let text = '';
    for (let after = 0; ;) {
      const page = (await this.http('GET', `/v1/worlds/${this.#world}/transitions?limit=100&after=${after}`, undefined, { accept: 'application/x-ndjson' }))
        .text;
      if (page === '') return text;
      text += page;
      after = Number((JSON.parse(page.trimEnd().split('\n').at(-1) ?? '{}') as Fields)['sequence']);
    }
  }

  async propose(action: string, target: string, parameters: Fields = {}, options: ProposeOptions = {}): Promise<Result> {
    const seen = options.seen ?? (await this.#sightOf(target));
    const body = {
      action,
      target,
      expectedRevision: seen.revision,
      observed: seen.cursor,
      parameters,
      ...(options.task === undefined ? {} : { task: options.task }),
    };
    const headers = {
      ...(options.wait === undefined ? {} : { prefer: `wait=${options.wait}` }),
      ...(options.key === undefined ? {} : { 'idempotency-key': options.key }),
    };
    const { status, text } = await this.http('POST', `/v1/worlds/${this.#world}/proposals`, body, headers);
    if (status !== 200 && status !== 202) throw new Error(`${action} on ${target} answered ${status} ${text.slice(0, 300)}`);
    const { outcome, attempt } = JSON.parse(text) as { readonly outcome: Outcome | null; readonly attempt: Attempt | null };
    return { status, text, outcome, attempt };
  }

  /** A proposal that must succeed, for what is needed first. Returns the id of its target. */
  async must(action: string, target: string, parameters: Fields, options: ProposeOptions = {}): Promise<string> {
    const { outcome, attempt, text } = await this.propose(action, target, parameters, options);
    if (outcome?.kind !== 'Succeeded') throw new Error(`${action} on ${target}: ${text.slice(0, 400)}`);
    return String(attempt?.['target']);
  }

  async refund(order: string, amountCents: number, options: ProposeOptions = {}): Promise<Result> {
    return this.propose('order.refund', order, { amountCents, reason: 'requested_by_customer' }, options);
  }

  async #sightOf(target: string): Promise<Pick<Seen, 'revision' | 'cursor'>> {
    if (target.includes(':')) {
      const { status, text } = await this.http('GET', `/v1/worlds/${this.#world}/objects/${target}`);
      if (status === 200) return JSON.parse(text) as Seen;
    }
    return { revision: 0, cursor: String((await this.observe())['cursor']) };
  }
}

/** Longer than the settle time of the payments contract, ms. */
export const SETTLED_MS = 21_000;

export class Desk {
  readonly operator: Credential;
  readonly person: Credential;
  readonly agent: Credential;
  readonly sandbox: Sandbox;
  readonly #product: Product;
  readonly #tenant: string;
  readonly #webhookSecrets = new Map<string, string>();

  private constructor(product: Product, sandbox: Sandbox, about: { readonly tenant: string; readonly keys: readonly [Credential, Credential, Credential] }) {
    this.#product = product;
    this.sandbox = sandbox;
    this.#tenant = about.tenant;
    [this.operator, this.person, this.agent] = about.keys;
  }

  /** A tenant of its own with a world `desk`, its integrations connected to the sandbox, and `Customer:kim`. */
  static async open(product: Product, sandbox: Sandbox): Promise<Desk> {
    const tenant = `t-${randomBytes(4).toString('hex')}`;
    const root = new Credential(product.url, product.rootKey, { actor: 'root', world: 'desk' });
    await root.http('POST', '/v1/tenants', { tenant });
    const issue = (actor: string, role: string): Promise<Credential> => issueKey(product, { root, tenant, actor, role });
    const desk = new Desk(product, sandbox, {
      tenant,
      keys: [await issue('Operator:ops', 'operator'), await issue('Person:ann', 'human'), await issue('Agent:one', 'agent')],
    });
    const made = await desk.operator.http('PUT', '/v1/worlds/desk', { manifest: 'refund-desk' });
    if (made.status !== 201) throw new Error(`PUT world answered ${made.status} ${made.text}`);
    for (const name of ['payments', 'mail']) await desk.connect(name);
    await desk.operator.must('customer.register', 'Customer:kim', { name: 'Kim', email: 'kim@customers.test' });
    return desk;
  }

  /** Another agent that has seen nothing. */
  fresh(): Promise<Credential> {
    return issueKey(this.#product, { root: this.#root(), tenant: this.#tenant, actor: `Agent:fresh-${randomBytes(4).toString('hex')}`, role: 'agent' });
  }

  async connect(name: string): Promise<void> {
    const webhookSecret = `whsec_${randomBytes(24).toString('base64')}`;
    await this.operator.must('integration.connect', `Integration:${name}`, { endpoint: this.sandbox.url, credential: this.sandbox.token, webhookSecret });
    this.#webhookSecrets.set(name, webhookSecret);
  }

  /** Where an integration's deliveries go, and what they are signed with. */
  hook(name: string): { readonly url: string; readonly secret: string } {
    return { url: `${this.#product.url}/v1/hooks/${this.#tenant}/desk/${name}`, secret: this.#webhookSecrets.get(name) ?? '' };
  }

  /** Records an order under a charge of the same name; returns its id. */
  order(name: string, totalCents = 20_000): Promise<string> {
    return this.operator.must('order.record', `Order:${name}`, { customer: 'Customer:kim', chargeId: `ch_${name}`, currency: 'eur', totalCents });
  }

  /** Moves the world's clock forward. */
  async pass(advanceMs: number): Promise<void> {
    const { status, text } = await this.operator.http('POST', '/v1/worlds/desk/clock', { advanceMs });
    if (status !== 200) throw new Error(`clock answered ${status} ${text}`);
  }

  /** Effects that really happened on a charge. */
  effects(charge: string): number {
    return this.sandbox.ledger().filter((effect) => effect.effect && effect.charge === charge).length;
  }

  /** Correlation ids with more than one effect: must always be empty. */
  repeated(): readonly string[] {
    const counts = new Map<string, number>();
    for (const { correlation, effect } of this.sandbox.ledger())
      if (effect && correlation !== null) counts.set(correlation, (counts.get(correlation) ?? 0) + 1);
    return [...counts].filter(([, count]) => count > 1).map(([correlation]) => correlation);
  }

  /** Waits for an attempt to be what a test expects of it. */
  async until(id: string, holds: (attempt: Attempt) => boolean, ms = 30_000): Promise<Attempt> {
    for (const end = Date.now() + ms; ;) {
      const attempt = await this.person.attempt(id);
      if (holds(attempt)) return attempt;
      if (Date.now() > end)
        throw new Error(`waited ${ms} ms for ${id}: it is ${attempt.status}, ${attempt.certainty}, ${attempt.outcome?.kind ?? 'without outcome'}`);
      await new Promise((done) => setTimeout(done, 100));
    }
  }

  #root(): Credential {
    return new Credential(this.#product.url, this.#product.rootKey, { actor: 'root', world: 'desk' });
  }
}

async function issueKey(
  product: Product,
  about: { readonly root: Credential; readonly tenant: string; readonly actor: string; readonly role: string },
): Promise<Credential> {
  const { status, text } = await about.root.http('POST', `/v1/tenants/${about.tenant}/keys`, { actor: about.actor, roles: [about.role] });
  if (status !== 201) throw new Error(`POST keys answered ${status} ${text}`);
  return new Credential(product.url, String((JSON.parse(text) as Fields)['key']), { actor: about.actor, world: 'desk' });
}
