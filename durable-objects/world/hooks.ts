// Responsibility: a webhook delivery: verified over its raw bytes, deduplicated, recorded as evidence in one transaction (design §8, docs/http.md "Webhooks").
// Boundary: signature schemes and meaning are in src/webhook; the secret comes decrypted from connections.ts.
// Invariants: 401 for every failure of name or signature; a duplicate changes nothing; refused ones are counted, bounded.
import { deliveryToEvidence } from '../../src/webhook/to-evidence.ts';
import { verify } from '../../src/webhook/verify.ts';
import type { HookDelivery, Reply } from '../../src/protocol/rpc.ts';
import type { Answer } from '../../src/adapters/port.ts';
import type { Machine } from './machine.ts';
import { evidenceInput, protectedBody } from './outside.ts';
import { json, problemReply } from './replies.ts';

export const hookRefused = (): Reply => problemReply(401, 'the delivery is not accepted');

/** Records a genuine delivery. `secret` is the integration's webhook secret, or null where it has none. */
export function receive(machine: Machine, delivery: HookDelivery, about: { readonly secret: string | null; readonly realNow: number }): Reply {
  const { adapters } = machine.sealed.manifest;
  const contract = Object.hasOwn(adapters, delivery.integration) ? adapters[delivery.integration] : undefined;
  const refused = (code: string): Reply => {
    machine.store.addRefusedDelivery({ integration: delivery.integration, at: about.realNow, code });
    return hookRefused();
  };
  if (contract?.webhook === undefined) return hookRefused();
  if (about.secret === null) return refused('not_connected');
  const verified = verify(contract.webhook, [about.secret], delivery, about.realNow);
  if (!verified.ok) return refused(verified.code);
  const evidence = deliveryToEvidence(contract, delivery.body, verified.deliveryId);
  if (evidence === null) return refused('no_webhooks');
  if (machine.store.deliverySeen(delivery.integration, evidence.deliveryId)) return json(200, { recorded: true, duplicate: true });
  machine.runDue();
  const at = machine.now();
  const live = machine.store.object(`Integration:${delivery.integration}`)?.state['live'] ?? false;
  const raw = protectedBody(delivery.body);
  const told = {
    source: 'webhook',
    integration: delivery.integration,
    attempt: null,
    correlationId: evidence.says === null ? null : evidence.correlationId,
    delivery: evidence.deliveryId,
    foreign: evidence.livemode !== null && evidence.livemode !== live,
  } as const;
  const answer: Answer = {
    says: evidence.says ?? 'inconclusive',
    status: evidence.status,
    rank: evidence.rank,
    code: evidence.type,
    fields: evidence.fields,
    retryAfterMs: null,
    raw: null,
  };
  machine.step(evidenceInput(at, told, { answer, raw: raw.digest }), ({ sequence }) => {
    machine.store.rememberDelivery({ integration: delivery.integration, deliveryId: evidence.deliveryId, at: about.realNow, transition: sequence });
    machine.store.putEvidenceBody({ createdAt: at, integration: delivery.integration, salt: raw.salt, body: raw.body, digest: raw.digest });
  });
  return json(200, { recorded: true });
}
