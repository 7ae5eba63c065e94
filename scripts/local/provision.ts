// Makes the demonstration: a tenant, three keys, a refund desk that is connected to the sandbox provider, and something to refund.
// Only what is missing is made, so it may run at every start.
import { join } from 'node:path';
import { DEMO_TENANT, demoKeys, webhookSecrets } from './demo-keys.ts';
import type { DemoKeys, WebhookSecrets } from './demo-keys.ts';
import { DeskClient, recordOf, WorldClient } from './desk-client.ts';
import type { Json } from './desk-client.ts';
import { devVar } from './dev-vars.ts';
import type { SandboxPlace } from '../../sandbox/main.ts';
import type { Settings } from './settings.ts';

export const DEMO_WORLD = 'desk';

export interface Demo {
  readonly keys: DemoKeys;
  readonly webhookSecrets: WebhookSecrets;
  readonly keysFile: string;
}

/** Throws with what went wrong; whatever was made until then stays, and the next start goes on from there. */
export async function provision(settings: Settings, place: SandboxPlace): Promise<Demo> {
  const rootKey = devVar(settings.devVarsFile, 'ROOT_KEY');
  if (rootKey === null) throw new Error('.dev.vars has no ROOT_KEY');
  const root = new DeskClient(settings.origin, rootKey);
  await root.expect([200, 201], 'POST', '/v1/tenants', { tenant: DEMO_TENANT });
  const keysFile = join(settings.stateDir, 'demo-keys.json');
  const keys = await demoKeys(settings, keysFile, root);
  const secrets = webhookSecrets(keysFile);
  await furnish(settings.origin, { keys, secrets, place });
  return { keys, webhookSecrets: secrets, keysFile };
}

interface Furnishing {
  readonly keys: DemoKeys;
  readonly secrets: WebhookSecrets;
  readonly place: SandboxPlace;
}

async function furnish(origin: string, { keys, secrets, place }: Furnishing): Promise<void> {
  const operator = new DeskClient(origin, keys.operator);
  await operator.expect([200, 201], 'PUT', `/v1/worlds/${DEMO_WORLD}`, { manifest: 'refund-desk' });
  const asOperator = new WorldClient(operator, DEMO_WORLD);
  const asPerson = new WorldClient(new DeskClient(origin, keys.person), DEMO_WORLD);
  await connect(asOperator, 'payments', { endpoint: place.url, credential: place.token, webhookSecret: secrets.payments });
  await connect(asOperator, 'mail', { endpoint: place.url, credential: place.token, webhookSecret: secrets.mail });
  await create(asOperator, 'customer.register', 'Customer:kim', { name: 'Kim Example', email: 'kim@example.com' });
  await create(asOperator, 'order.record', 'Order:1001', { customer: 'Customer:kim', chargeId: 'ch_demo_1001', currency: 'eur', totalCents: 20_000 });
  await create(asPerson, 'ticket.open', 'Ticket:5001', { customer: 'Customer:kim', order: 'Order:1001', subject: 'The cup arrived broken' });
}

/** One that a person disconnected, or connected to another provider, is left alone. */
async function connect(world: WorldClient, name: string, parameters: Json): Promise<void> {
  const target = `Integration:${name}`;
  const found = await world.object(target);
  if (found === null) throw new Error(`${target} is not in this world`);
  const { endpoint } = recordOf(found['state']);
  const never = endpoint === undefined || endpoint === null;
  const moved = typeof endpoint === 'string' && endpoint.startsWith('http://127.0.0.1:') && endpoint !== parameters['endpoint'];
  if (never || moved) await world.propose('integration.connect', target, parameters, found);
}

async function create(world: WorldClient, action: string, target: string, parameters: Json): Promise<void> {
  if ((await world.object(target)) === null) await world.propose(action, target, parameters);
}
