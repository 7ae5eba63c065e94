// One credential's view of the running product, over HTTP like anybody else's.

export type Json = { readonly [name: string]: unknown };

export interface Answer {
  readonly status: number;
  readonly body: Json;
}

const ANSWER_MS = 20_000;

export class DeskClient {
  readonly #origin: string;
  readonly #key: string;

  constructor(origin: string, key: string) {
    this.#origin = origin;
    this.#key = key;
  }

  async send(method: 'GET' | 'POST' | 'PUT', path: string, body?: Json): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const init = { method, headers, signal: AbortSignal.timeout(ANSWER_MS), ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await fetch(`${this.#origin}${path}`, init);
    return { status: answer.status, body: recordOf(await answer.json().catch(() => null)) };
  }

  /** Throws with the problem's own words where the status is not one of these. */
  async expect(statuses: readonly number[], ...request: Parameters<DeskClient['send']>): Promise<Json> {
    const { status, body } = await this.send(...request);
    if (statuses.includes(status)) return body;
    throw new Error(`${request[0]} ${request[1]} answered ${status} ${String(body['detail'] ?? body['title'] ?? '')}`.trim());
  }
}

/** The objects of one world, and proposals about them. */
export class WorldClient {
  readonly #client: DeskClient;
  readonly #path: string;

  constructor(client: DeskClient, world: string) {
    this.#client = client;
    this.#path = `/v1/worlds/${world}`;
  }

  /** The object, or null where there is none. */
  async object(id: string): Promise<Json | null> {
    const { status, body } = await this.#client.send('GET', `${this.#path}/objects/${id}`);
    if (status === 200) return body;
    if (status === 404) return null;
    throw new Error(`GET ${id} answered ${status} ${String(body['detail'] ?? '')}`);
  }

  /** Proposes against the object as it stands (`found`), or to create it. Throws unless it succeeds. */
  async propose(action: string, target: string, parameters: Json, found: Json | null = null): Promise<void> {
    const seen = found === null ? { expectedRevision: 0 } : { expectedRevision: found['revision'], observed: found['cursor'] };
    const { status, body } = await this.#client.send('POST', `${this.#path}/proposals`, { action, target, parameters, ...seen });
    const outcome = recordOf(body['outcome']);
    if (status === 200 && outcome['kind'] === 'Succeeded') return;
    const why = outcome['message'] ?? outcome['code'] ?? body['detail'] ?? body['title'] ?? '';
    throw new Error(`${action} on ${target} answered ${status} ${String(outcome['kind'] ?? '')} ${String(why)}`);
  }
}

export function recordOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
