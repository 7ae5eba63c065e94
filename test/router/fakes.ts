// Stand-ins for the two objects, in memory, and a deployment made of them. They keep what they were asked, so that tests see what passed the router.
import { createApp } from '../../src/router/app.ts';
import type { App } from '../../src/router/app.ts';
import type { Env } from '../../src/env.ts';
import type { ManifestEntry } from '../../src/protocol/registry.ts';
import type { IssuedKey, Reply, TenantRpc, WorldEntry, WorldRpc } from '../../src/protocol/rpc.ts';

export const ROOT_KEY = 'root-key-of-the-tests';

export class FakeTenant implements TenantRpc {
  name: string | null = null;
  readonly keys = new Map<string, IssuedKey & { readonly secretDigest: string }>();
  readonly entries = new Map<string, WorldEntry>();

  async create(tenant: string): Promise<'created' | 'exists'> {
    if (this.name !== null) return 'exists';
    this.name = tenant;
    return 'created';
  }

  async exists(): Promise<boolean> {
    return this.name !== null;
  }

  async authenticate({ id, secretDigest }: Parameters<TenantRpc['authenticate']>[0], world: string | null): ReturnType<TenantRpc['authenticate']> {
    const key = this.keys.get(id);
    if (this.name === null || key === undefined || key.secretDigest !== secretDigest) return null;
    if (key.expiresAt !== null && Date.parse(key.expiresAt) <= Date.now()) return null;
    const listed = world !== null && (key.worlds === null || key.worlds.includes(world));
    const principal = { tenant: this.name, actor: key.actor, roles: key.roles };
    return { principal, worlds: key.worlds, world: listed ? await this.findWorld(world) : null };
  }

  async issueKey(key: Parameters<TenantRpc['issueKey']>[0]): Promise<'issued' | 'no_tenant'> {
    if (this.name === null) return 'no_tenant';
    this.keys.set(key.id, { ...key, createdAt: new Date().toISOString() });
    return 'issued';
  }

  async listKeys(): Promise<readonly IssuedKey[]> {
    return [...this.keys.values()].map(({ secretDigest: _, ...key }) => key);
  }

  async revokeKey(id: string): Promise<boolean> {
    return this.keys.delete(id);
  }

  async putWorld(entry: WorldEntry): Promise<'created' | 'same' | 'other_manifest' | 'no_tenant'> {
    if (this.name === null) return 'no_tenant';
    const known = this.entries.get(entry.world);
    if (known !== undefined) return known.manifest.hash === entry.manifest.hash ? 'same' : 'other_manifest';
    this.entries.set(entry.world, entry);
    return 'created';
  }

  async findWorld(world: string): Promise<WorldEntry | null> {
    return this.entries.get(world) ?? null;
  }

  async listWorlds(): Promise<readonly WorldEntry[]> {
    return [...this.entries.values()];
  }
}

export interface Asked {
  readonly world: string;
  readonly method: keyof WorldRpc;
  readonly with: readonly unknown[];
}

/** A world that answers every call with 200 and what it was asked, unless told otherwise. */
class FakeWorld implements WorldRpc {
  readonly #name: string;
  readonly #log: Asked[];
  readonly #answers: Map<string, Reply | Error>;

  constructor(name: string, log: Asked[], answers: Map<string, Reply | Error>) {
    this.#name = name;
    this.#log = log;
    this.#answers = answers;
  }

  async #asked(method: keyof WorldRpc, args: readonly unknown[]): Promise<Reply> {
    this.#log.push({ world: this.#name, method, with: args });
    const answer = this.#answers.get(method);
    if (answer instanceof Error) throw answer;
    return answer ?? { status: 200, body: JSON.stringify({ method }), contentType: 'application/json' };
  }

  open(...args: Parameters<WorldRpc['open']>): Promise<Reply> {
    return this.#asked('open', args);
  }
  describe(...args: Parameters<WorldRpc['describe']>): Promise<Reply> {
    return this.#asked('describe', args);
  }
  observe(...args: Parameters<WorldRpc['observe']>): Promise<Reply> {
    return this.#asked('observe', args);
  }
  propose(...args: Parameters<WorldRpc['propose']>): Promise<Reply> {
    return this.#asked('propose', args);
  }
  preview(...args: Parameters<WorldRpc['preview']>): Promise<Reply> {
    return this.#asked('preview', args);
  }
  object(...args: Parameters<WorldRpc['object']>): Promise<Reply> {
    return this.#asked('object', args);
  }
  objects(...args: Parameters<WorldRpc['objects']>): Promise<Reply> {
    return this.#asked('objects', args);
  }
  transitions(...args: Parameters<WorldRpc['transitions']>): Promise<Reply> {
    return this.#asked('transitions', args);
  }
  advance(...args: Parameters<WorldRpc['advance']>): Promise<Reply> {
    return this.#asked('advance', args);
  }
  hook(...args: Parameters<WorldRpc['hook']>): Promise<Reply> {
    return this.#asked('hook', args);
  }
}

function manifest(name: string, version: string, roles: Readonly<Record<string, readonly string[]>>): ManifestEntry {
  const defined = Object.fromEntries(Object.entries(roles).map(([role, kinds]) => [role, { kinds }]));
  const hash = `sha256:${`${name}${version}`
    .split('')
    .map((letter) => letter.charCodeAt(0).toString(16))
    .join('')
    .padEnd(64, '0')
    .slice(0, 64)}`;
  return { name, version, hash, text: JSON.stringify({ name, roles: defined, version }) };
}

const desk = { agent: ['Agent'], human: ['Person'], operator: ['Operator'] };
export const deskOld = manifest('desk', '1.9.0', desk);
export const deskNew = manifest('desk', '1.10.0', desk);
/** Here agents hold no role called `agent`: in a deployment with both, a key for one of them is good for neither. */
export const lab = manifest('lab', '1.0.0', { ...desk, reviewer: ['Person', 'Operator'], mixed: ['Agent', 'Person'] });

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: Record<string, unknown>;
}

export interface Call {
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A deployment without a network. */
export class Deployment {
  readonly app: App;
  readonly env: Env;
  readonly tenants = new Map<string, FakeTenant>();
  readonly asked: Asked[] = [];
  readonly answers = new Map<string, Reply | Error>();

  constructor(overrides: Partial<Env> = {}, manifests: readonly ManifestEntry[] = [deskOld, deskNew, lab]) {
    this.app = createApp({ manifests });
    this.env = {
      ROOT_KEY,
      ENVIRONMENT: 'development',
      TENANT: { getByName: (name) => this.tenant(name) },
      WORLD: { getByName: (name) => new FakeWorld(name, this.asked, this.answers) },
      ...overrides,
    };
  }

  tenant(name: string): FakeTenant {
    const known = this.tenants.get(name) ?? new FakeTenant();
    this.tenants.set(name, known);
    return known;
  }

  /** A body that is a string is sent as it is; anything else as JSON. */
  async call(method: string, path: string, { key, body, headers = {} }: Call = {}): Promise<Answer> {
    const sent = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const all = {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    return read(await this.app.request(path, { method, headers: all, ...(sent === undefined ? {} : { body: sent }) }, this.env));
  }

  root(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.call(method, path, { key: ROOT_KEY, body });
  }

  /** A key, as root issues it. */
  async key(tenant: string, actor: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const role = { Agent: 'agent', Person: 'human', Operator: 'operator' }[actor.split(':')[0] ?? ''];
    const answer = await this.root('POST', `/v1/tenants/${tenant}/keys`, { actor, roles: [role], ...more });
    if (answer.status !== 201) throw new Error(`no key for ${actor}: ${answer.text}`);
    return String(answer.json['key']);
  }
}

export async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, headers: response.headers, text, json: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} };
}

export interface Desk {
  readonly at: Deployment;
  readonly operator: string;
  readonly person: string;
  readonly agent: string;
}

/** Tenant `acme` with a world `alpha`, and a key of each kind. */
export async function openDesk(at = new Deployment()): Promise<Desk> {
  await at.root('POST', '/v1/tenants', { tenant: 'acme' });
  const operator = await at.key('acme', 'Operator:ops');
  const put = await at.call('PUT', '/v1/worlds/alpha', { key: operator, body: { manifest: 'desk' } });
  if (put.status !== 201) throw new Error(`no world: ${put.text}`);
  return { at, operator, person: await at.key('acme', 'Person:ann'), agent: await at.key('acme', 'Agent:one') };
}
