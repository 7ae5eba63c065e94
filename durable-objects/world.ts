// Responsibility: the world object: a thin shell that serialises transitions as the single mutator (design §1, §7).
// Boundary: RPC methods, alarm and wake-up; sequence and policy live in world/ and in the kernel.
// Invariants: nothing of the world is held in memory alone; an unborn world stores nothing; between load and commit nothing awaits.
import { randomBytes } from 'node:crypto';
import { DurableObject } from 'cloudflare:workers';
import { manifests } from '../manifests/registry.ts';
import { relationFields, seal } from '../src/kernel/index.ts';
import type { Command, SealedWorld } from '../src/kernel/index.ts';
import type { Env } from '../src/env.ts';
import { manifestOf } from '../src/protocol/registry.ts';
import type { Proposal } from '../src/protocol/proposal.ts';
import type { HookDelivery, ObserveQuery, Principal, ProposeOptions, Reply, WorldRpc } from '../src/protocol/rpc.ts';
import { prepare, proposalInput, type AdmissionContext } from './world/admission.ts';
import { actorIn } from './world/actor.ts';
import { Connections } from './world/connections.ts';
import { Cursors } from './world/cursor.ts';
import { hookRefused, receive } from './world/hooks.ts';
import { Machine } from './world/machine.ts';
import { Outside } from './world/outside.ts';
import { Proposals } from './world/proposals.ts';
import { Reading } from './world/reading.ts';
import { json, problemReply, withMessage } from './world/replies.ts';
import { WorldStore } from './world-store.ts';

/** Sealed once per isolate: sealing is pure, and every world of a manifest shares it. */
const sealedByHash = new Map<string, SealedWorld>();

function sealedWorld(hash: string): SealedWorld | undefined {
  const known = sealedByHash.get(hash);
  if (known !== undefined) return known;
  const entry = manifestOf(manifests, hash);
  if (entry === undefined) return undefined;
  const sealed = seal(entry.text);
  sealedByHash.set(hash, sealed);
  return sealed;
}

interface Born {
  readonly machine: Machine;
  readonly cursors: Cursors;
  readonly outside: Outside;
  readonly connections: Connections;
  readonly proposals: Proposals;
  readonly reading: Reading;
  readonly admission: AdmissionContext;
}

/** How long after the last dispatch the object wakes to look whether it was cut off, ms. */
const RECOVERY_MARGIN_MS = 15_000;

export class World extends DurableObject<Env> implements WorldRpc {
  readonly #store: WorldStore;
  #born: Born | undefined;
  /** The alarm that this instance has set, real time; 0 where it knows of none. */
  #alarmAt = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#store = new WorldStore(ctx.storage);
  }

  async open(principal: Principal, world: string, manifestHash: string): Promise<Reply> {
    const sealed = sealedWorld(manifestHash);
    if (sealed === undefined) return problemReply(422, 'this deployment lacks the manifest');
    const birth = this.#store.birth();
    if (birth !== undefined) return birth.manifest === manifestHash ? json(200, {}) : problemReply(409, 'the world is pinned to another manifest');
    const birthId = randomBytes(32).toString('hex');
    this.#store.transact(() => this.#store.bear({ tenant: principal.tenant, world, birthId, manifest: manifestHash }, relationFields(sealed.manifest)));
    const born = this.#wake();
    born?.machine.step({ kind: 'genesis', at: Date.now(), actor: actorIn(sealed, principal), tenant: principal.tenant, world, birthId });
    return json(201, {});
  }

  async describe(_principal: Principal): Promise<Reply> {
    return this.#awake(({ reading }) => reading.describe());
  }

  async observe(principal: Principal, query: ObserveQuery): Promise<Reply> {
    return this.#read((reading) => reading.observe(principal, query));
  }

  async object(principal: Principal, id: string): Promise<Reply> {
    return this.#read((reading) => reading.object(principal, id));
  }

  async objects(principal: Principal, query: { readonly type: string | null; readonly after: string | null; readonly limit: number }): Promise<Reply> {
    return this.#read((reading) => reading.objects(principal, query));
  }

  async transitions(principal: Principal, query: { readonly after: number; readonly limit: number; readonly ndjson: boolean }): Promise<Reply> {
    return this.#read((reading) => reading.transitions(principal, query));
  }

  async propose(principal: Principal, proposal: Proposal, options: ProposeOptions): Promise<Reply> {
    return this.#awake(async ({ proposals, admission }) => {
      const reply = proposals.propose(principal, await prepare(admission, proposal), options);
      this.#schedule();
      return reply;
    });
  }

  async preview(principal: Principal, proposal: Proposal): Promise<Reply> {
    return this.#awake(async ({ machine, cursors, admission }) => {
      const prepared = await prepare(admission, proposal);
      const outcome = machine.preview(proposalInput(prepared, { sealed: machine.sealed, principal, cursors, at: machine.now() }));
      return json(200, { admitted: outcome === null, outcome: outcome === null ? null : withMessage(outcome) });
    });
  }

  async advance(principal: Principal, advanceMs: number): Promise<Reply> {
    return this.#awake(({ machine }) => {
      const at = machine.now() + advanceMs;
      machine.step({ kind: 'advance', at, actor: actorIn(machine.sealed, principal), advanceMs });
      machine.runDue();
      this.#schedule();
      return json(200, { now: new Date(machine.now()).toISOString() });
    });
  }

  async hook(delivery: HookDelivery): Promise<Reply> {
    const born = this.#wake();
    if (born === undefined) return hookRefused();
    const secret = await born.connections.webhookSecret(delivery.integration);
    const reply = receive(born.machine, delivery, { secret, realNow: Date.now() });
    this.#schedule();
    return reply;
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = 0;
    const born = this.#wake();
    if (born === undefined) return;
    born.machine.runDue();
    this.#store.purge({ realNow: Date.now(), worldNow: born.machine.now(), evidenceDays: born.machine.sealed.manifest.audit.evidenceDays });
    this.#schedule();
  }

  /** Reading is a wake too: what is due runs first, so that a late alarm shows nothing that is over. */
  #read(read: (reading: Reading) => Reply): Promise<Reply> {
    return this.#awake(({ machine, reading }) => {
      machine.runDue();
      this.#schedule();
      return read(reading);
    });
  }

  /** Runs a request on the world as it was born; one that never was is not there. */
  async #awake(run: (born: Born) => Reply | Promise<Reply>): Promise<Reply> {
    const birth = this.#store.birth();
    const born = birth === undefined ? undefined : this.#wake();
    if (birth !== undefined && born === undefined) return problemReply(409, 'this deployment lacks the manifest of the world');
    return born === undefined ? problemReply(404, 'there is no such world') : run(born);
  }

  /** First use in this instance: what was on its way without us was cut off, and what was due meanwhile runs now. */
  #wake(): Born | undefined {
    if (this.#born !== undefined) return this.#born;
    const birth = this.#store.birth();
    const sealed = birth === undefined ? undefined : sealedWorld(birth.manifest);
    if (birth === undefined || sealed === undefined) return undefined;
    this.#store.relate(relationFields(sealed.manifest));
    this.#born = this.#assemble(sealed, birth.birthId);
    this.#born.outside.recover();
    this.#born.machine.runDue();
    this.#schedule();
    return this.#born;
  }

  #assemble(sealed: SealedWorld, birthId: string): Born {
    const credentialKey = this.env.CREDENTIAL_KEY ?? '';
    const machine: Machine = new Machine({
      sealed,
      store: this.#store,
      transact: (work) => this.#store.transact(work),
      realNow: () => Date.now(),
      act: (commands: readonly Command[]) => outside.act(commands),
    });
    const connections = new Connections(this.#store, credentialKey);
    const outside: Outside = new Outside({
      machine,
      fetch: (url, init) => fetch(url, init),
      connection: (integration) => connections.connection(integration),
      keep: (work) => this.ctx.waitUntil(work.finally(() => this.#schedule())),
      fault: (where, error) => console.error(JSON.stringify({ fault: where, name: error instanceof Error ? error.name : 'unknown' })),
    });
    const cursors = new Cursors(credentialKey, birthId);
    const admission: AdmissionContext = { sealed, birthId, credentialKey, development: this.env.ENVIRONMENT === 'development' };
    return { machine, connections, outside, cursors, admission, proposals: new Proposals(machine, cursors), reading: new Reading(machine, cursors) };
  }

  /** One alarm over everything that is due: the next timer, and a look after a dispatch that a restart may cut off. */
  #schedule(): void {
    const born = this.#born;
    if (born === undefined) return;
    const now = Date.now();
    const timer = this.#store.nextTimerAt();
    if (timer !== undefined) this.#wakeAt(now, Math.max(now, timer - born.machine.offsetMs()));
    if (born.outside.busy) this.#wakeAt(now, now + RECOVERY_MARGIN_MS);
  }

  /** Sets the alarm earlier, never later: each setting is a write, and an alarm with nothing due is harmless. */
  #wakeAt(now: number, at: number): void {
    if (this.#alarmAt > now && this.#alarmAt <= at) return;
    this.#alarmAt = at;
    void this.ctx.storage.setAlarm(at);
  }
}
