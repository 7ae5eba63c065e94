// Responsibility: `admit`: a request becomes an input: time, actor, checked parameters, secrets replaced, cursor read, facts derived.
// Boundary: the only place that turns a credential's principal and a body into what the kernel decides. Asynchronous parts (encryption) come first.
// Invariants: the actor comes from the principal; a secret is a random reference before anything is stored or hashed.
import { randomBytes } from 'node:crypto';
import { checkEndpoint, isLiveCredential, unfitSettings } from '../../src/adapters/http/origin.ts';
import { seal } from '../../src/adapters/vault.ts';
import { canonical, digest, LIMITS } from '../../src/kernel/index.ts';
import type { Json, JsonObject, Parameters, ProposalInput, SealedAction, SealedWorld } from '../../src/kernel/index.ts';
import type { Proposal } from '../../src/protocol/proposal.ts';
import type { Principal } from '../../src/protocol/rpc.ts';
import { actorIn } from './actor.ts';
import type { Cursors } from './cursor.ts';

export interface AdmissionContext {
  readonly sealed: SealedWorld;
  readonly birthId: string;
  readonly credentialKey: string;
  readonly development: boolean;
}

/** A proposal whose secrets are replaced; `envelope` is stored in the same transaction, if the proposal is admitted. */
export interface Prepared {
  readonly proposal: Proposal;
  readonly parameters: Parameters;
  readonly facts: JsonObject;
  readonly secret: { readonly ref: string; readonly envelope: string } | null;
}

/** Checks parameters against the action's schema and replaces its secrets. The only asynchronous step, before any state is read. */
export async function prepare(context: AdmissionContext, proposal: Proposal): Promise<Prepared> {
  const action = context.sealed.actions.get(proposal.action);
  const parameters = checkParameters(action, proposal.parameters);
  if (action === undefined || !parameters.valid || action.definition.secrets.length === 0) return { proposal, parameters, facts: {}, secret: null };
  return prepareSecrets(context, { proposal, action, value: parameters.value });
}

/** What does not fit never enters the log: only the paths, and a digest. */
function checkParameters(action: SealedAction | undefined, value: JsonObject): Parameters {
  if (action === undefined) return { valid: true, value: {} };
  const plain = asPlain(value);
  if (plain === undefined) return { valid: false, errors: [{ path: '', code: 'not_canonical' }], digest: digest('not canonical') };
  if (canonical(plain).length > LIMITS.parameterBytesMax) return { valid: false, errors: [{ path: '', code: 'too_large' }], digest: digest(plain) };
  const errors = action.validate(plain);
  return errors.length === 0 ? { valid: true, value: plain } : { valid: false, errors, digest: digest(plain) };
}

/** The parameters as canonical JSON allows them (integers, paired surrogates); undefined where they are something else. */
function asPlain(value: JsonObject): JsonObject | undefined {
  try {
    canonical(value);
    return value;
  } catch {
    return undefined;
  }
}

async function prepareSecrets(
  context: AdmissionContext,
  about: { readonly proposal: Proposal; readonly action: SealedAction; readonly value: JsonObject },
): Promise<Prepared> {
  const { proposal, action, value } = about;
  const integration = proposal.target.slice(proposal.target.indexOf(':') + 1);
  const adapters = context.sealed.manifest.adapters;
  const contract = Object.hasOwn(adapters, integration) ? adapters[integration] : undefined;
  const text = (field: string): string => (typeof value[field] === 'string' ? value[field] : '');
  const sealed = await seal(
    { credentialKey: context.credentialKey, birthId: context.birthId, integration },
    { credential: text('credential'), webhookSecret: text('webhookSecret') },
  );
  const ref = `secret:${randomBytes(16).toString('hex')}`;
  const endpoint = contract === undefined ? undefined : checkEndpoint(contract, text('endpoint'), { development: context.development });
  const settings = (value['settings'] ?? {}) as { readonly [name: string]: string };
  const facts: { [name: string]: Json } = {
    endpointAllowed: endpoint?.ok === true && sealed.ok,
    live: contract === undefined ? false : (isLiveCredential(contract, text('credential')) ?? false),
    settingsFit: contract !== undefined && unfitSettings(contract, settings).length === 0,
  };
  const replaced: { [field: string]: Json } = { ...value, endpoint: endpoint?.ok === true ? endpoint.origin : 'refused' };
  for (const field of action.definition.secrets) if (field in replaced) replaced[field] = ref;
  return { proposal, parameters: { valid: true, value: replaced }, facts, secret: sealed.ok ? { ref, envelope: sealed.envelope } : null };
}

/** The input of a prepared proposal. Synchronous: it runs in the same turn as load, decide and commit. */
export function proposalInput(
  prepared: Prepared,
  about: { readonly sealed: SealedWorld; readonly principal: Principal; readonly cursors: Cursors; readonly at: number },
): ProposalInput {
  const { proposal, parameters, facts } = prepared;
  const { sealed, principal, cursors, at } = about;
  return {
    kind: 'proposal',
    at,
    actor: actorIn(sealed, principal),
    action: proposal.action,
    target: proposal.target,
    expectedRevision: proposal.expectedRevision,
    observed: cursors.read(principal.actor, proposal.observed),
    parameters,
    expectedOutcome: proposal.expectedOutcome ?? null,
    task: proposal.task ?? null,
    predecessor: proposal.predecessor ?? null,
    facts,
  };
}
