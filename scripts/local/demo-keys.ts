// The keys of the demonstration, kept beside the state that they open: readable by this user only.
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { DeskClient, recordOf } from './desk-client.ts';
import type { Settings } from './settings.ts';

export const DEMO_TENANT = 'demo';

const ACTORS = {
  operator: { actor: 'Operator:ops', roles: ['operator'] },
  person: { actor: 'Person:ann', roles: ['human'] },
  agent: { actor: 'Agent:demo', roles: ['agent'] },
} as const;

export type DemoActor = keyof typeof ACTORS;
export type DemoKeys = Record<DemoActor, string>;

export interface WebhookSecrets {
  readonly payments: string;
  readonly mail: string;
}

/** The keys that are kept and still good; new ones where not. */
export async function demoKeys(settings: Settings, file: string, root: DeskClient): Promise<DemoKeys> {
  const kept = read(file);
  const keys: DemoKeys = { operator: '', person: '', agent: '' };
  for (const name of Object.keys(ACTORS) as DemoActor[]) {
    const old = kept[name];
    const good = typeof old === 'string' && (await stillGood(settings.origin, old));
    keys[name] = good ? old : await newKey(root, name);
    if (!good) write(file, { ...read(file), [name]: keys[name] });
  }
  return keys;
}

/** What the provider signs its webhooks with. Made once. */
export function webhookSecrets(file: string): WebhookSecrets {
  const { paymentsWebhookSecret, mailWebhookSecret } = read(file);
  if (typeof paymentsWebhookSecret === 'string' && typeof mailWebhookSecret === 'string') return { payments: paymentsWebhookSecret, mail: mailWebhookSecret };
  const made = { payments: newSecret(), mail: newSecret() };
  write(file, { ...read(file), paymentsWebhookSecret: made.payments, mailWebhookSecret: made.mail });
  return made;
}

function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

async function stillGood(origin: string, key: string): Promise<boolean> {
  const { status } = await new DeskClient(origin, key).send('GET', '/v1/worlds');
  if (status === 200 || status === 401) return status === 200;
  throw new Error(`GET /v1/worlds answered ${status}`);
}

async function newKey(root: DeskClient, name: DemoActor): Promise<string> {
  const { actor, roles } = ACTORS[name];
  const { key } = await root.expect([201], 'POST', `/v1/tenants/${DEMO_TENANT}/keys`, { actor, roles });
  if (typeof key === 'string') return key;
  throw new Error(`no key came back for ${actor}`);
}

function read(file: string): { readonly [name: string]: unknown } {
  try {
    return recordOf(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}

function write(file: string, content: { readonly [name: string]: unknown }): void {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}
