// A refund desk in memory: decides, applies, and keeps the log, as the world object does, without any I/O.
import {
  attemptCell,
  canonical,
  cellKeys,
  compile,
  decide,
  Draft,
  EMPTY_FENCE,
  EMPTY_SUM,
  instantMs,
  makeRecord,
  MemoryState,
  preview,
  relationFields,
  seal,
  worldObject,
  type ActionEntry,
  type Actor,
  type AttemptCell,
  type Decision,
  type EvidenceInput,
  type FenceCell,
  type Frame,
  type FrameRequest,
  type Input,
  type Json,
  type JsonObject,
  type Observed,
  type Outcome,
  type ProposalInput,
  type SealedWorld,
  type StoredObject,
  type SumCell,
  type TransitionRecord,
} from '../../../src/kernel/index.ts';
import manifest from '../../../manifests/refund-desk/manifest.json' with { type: 'json' };

export const sealedDesk: SealedWorld = seal(canonical(manifest as unknown as Json));

export const agent: Actor = { id: 'Agent:one', roles: ['agent'] };
export const other: Actor = { id: 'Agent:two', roles: ['agent'] };
export const ann: Actor = { id: 'Person:ann', roles: ['human'] };
export const bob: Actor = { id: 'Person:bob', roles: ['human'] };
export const ops: Actor = { id: 'Operator:ops', roles: ['operator'] };

export const START = instantMs('2026-12-01T08:00:00Z') ?? 0;

export interface Asked {
  readonly by?: Actor;
  readonly task?: string | null;
  readonly expectedRevision?: number;
  readonly observed?: Observed;
  readonly facts?: JsonObject;
}

export interface Answer {
  readonly decision: Decision;
  readonly outcome: Outcome | null;
  readonly attempt: string;
  readonly code: string | undefined;
}

export class Desk {
  readonly sealed: SealedWorld;
  readonly state: MemoryState;
  readonly log: TransitionRecord[] = [];
  /** The correlation id of every `dispatch` command, in order: what a provider would have been sent. */
  readonly sent: string[] = [];
  at = START;

  constructor(sealed: SealedWorld = sealedDesk, birthId = '5a'.repeat(32)) {
    this.sealed = sealed;
    this.state = new MemoryState({ tenant: 'acme', world: 'desk', birthId, relations: relationFields(sealed.manifest) });
    this.step({ kind: 'genesis', at: this.at, actor: ops, tenant: 'acme', world: 'desk', birthId });
  }

  /** A desk with integrations connected, a customer, and an order of 20000 cents. */
  static open(sealed?: SealedWorld, birthId?: string): Desk {
    const desk = new Desk(sealed, birthId);
    desk.connect('payments');
    desk.connect('mail');
    desk.must('customer.register', 'Customer:kim', { name: 'Kim', email: 'kim@customers.test' }, { by: ops });
    desk.order('Order:1');
    return desk;
  }

  connect(name: string): Answer {
    const secret = 'secret:test';
    return this.must(
      'integration.connect',
      `Integration:${name}`,
      { endpoint: 'http://127.0.0.1:1', credential: secret, webhookSecret: secret },
      { by: ops, facts: { endpointAllowed: true, settingsFit: true, live: false } },
    );
  }

  order(id: string, totalCents = 20_000, lines?: Json): Answer {
    const parameters: JsonObject = {
      customer: 'Customer:kim',
      chargeId: `ch_${id.slice(6)}`,
      currency: 'eur',
      totalCents,
      ...(lines === undefined ? {} : { lines }),
    };
    return this.must('order.record', id, parameters, { by: ops });
  }

  /** Decides, applies and records one input. */
  step(input: Input): Decision {
    const decision = decide(this.sealed, this.state, input);
    if (!decision.recorded) return decision;
    const { record } = makeRecord(this.state.head(), this.sealed.hash, input, decision);
    this.state.apply(decision.changes, { sequence: record.sequence, hash: record.hash, at: input.at });
    this.log.push(record);
    for (const command of decision.commands) if (command.do === 'dispatch') this.sent.push(String(this.field(command.attempt, 'correlationId')));
    return decision;
  }

  input(action: string, target: string, parameters: JsonObject, asked: Asked = {}): ProposalInput {
    const sealedAction = this.sealed.actions.get(action);
    const errors = sealedAction?.validate(parameters) ?? [];
    const object = this.state.object(target);
    return {
      kind: 'proposal',
      at: this.at,
      actor: asked.by ?? agent,
      action,
      target,
      expectedRevision: asked.expectedRevision ?? object?.revision ?? 0,
      observed: asked.observed ?? { kind: 'seen', sequence: this.state.head().sequence, subject: '*' },
      parameters: errors.length === 0 ? { valid: true, value: parameters } : { valid: false, errors, digest: 'sha256:0' },
      expectedOutcome: null,
      task: asked.task ?? null,
      predecessor: null,
      facts: asked.facts ?? {},
    };
  }

  propose(action: string, target: string, parameters: JsonObject = {}, asked: Asked = {}): Answer {
    const decision = this.step(this.input(action, target, parameters, asked));
    return { decision, outcome: decision.outcome, attempt: decision.attempt ?? '', code: decision.outcome?.code };
  }

  preview(action: string, target: string, parameters: JsonObject = {}, asked: Asked = {}): Outcome | null {
    return preview(this.sealed, this.state, this.input(action, target, parameters, asked));
  }

  /** A proposal that must succeed, for what a test needs first. */
  must(action: string, target: string, parameters: JsonObject = {}, asked: Asked = {}): Answer {
    const answer = this.propose(action, target, parameters, asked);
    if (answer.outcome?.kind !== 'Succeeded') throw new Error(`${action} on ${target}: ${JSON.stringify(answer.outcome)}`);
    return answer;
  }

  refund(order: string, amountCents: number, asked: Asked & { readonly parameters?: JsonObject } = {}): Answer {
    return this.propose('order.refund', order, { amountCents, reason: 'requested_by_customer', ...asked.parameters }, asked);
  }

  evidence(attempt: string, says: EvidenceInput['says'], more: Partial<EvidenceInput> = {}): Decision {
    return this.step({
      kind: 'evidence',
      at: this.at,
      source: 'answer',
      integration: 'payments',
      correlationId: null,
      attempt,
      asker: null,
      says,
      status: says === 'landed' ? 'succeeded' : null,
      rank: says === 'landed' ? 3 : 0,
      code: null,
      fields: says === 'landed' ? { providerId: 're_1' } : {},
      retryAfterMs: null,
      begunAt: null,
      foreign: false,
      raw: null,
      delivery: null,
      ...more,
    });
  }

  /** A refund that landed at once. */
  landed(order: string, amountCents: number, asked: Asked = {}): string {
    const { attempt, outcome } = this.refund(order, amountCents, asked);
    if (outcome !== null) throw new Error(`refund: ${JSON.stringify(outcome)}`);
    this.evidence(attempt, 'landed');
    return attempt;
  }

  /** A refund whose answer was lost. */
  doubted(order: string, amountCents: number, asked: Asked = {}): string {
    const { attempt } = this.refund(order, amountCents, asked);
    this.evidence(attempt, 'unclear', { code: 'connection_lost' });
    return attempt;
  }

  /** A refund that needs a person: attempt and approval. */
  parked(
    order: string,
    amountCents: number,
    asked: Asked & { readonly parameters?: JsonObject } = {},
  ): { readonly attempt: string; readonly approval: string } {
    const { attempt, outcome } = this.refund(order, amountCents, asked);
    return { attempt, approval: String(outcome?.detail?.['approval']) };
  }

  task(subject: string, requires?: readonly (readonly [string, string])[]): string {
    const effects = (requires ?? []).map(([action, target]) => ({ action, target }));
    const { decision } = this.must(
      'task.open',
      'Task',
      { goal: 'settle it', subject, ...(requires === undefined ? {} : { requires: { effects } }) },
      { by: ann },
    );
    return String(this.object(decision.attempt ?? '').state['target']);
  }

  /** Moves time, and runs what is due as the world object does. */
  pass(ms: number): readonly Decision[] {
    this.at += ms;
    const done: Decision[] = [];
    for (let due = this.state.due(this.at, 64); due.length > 0; due = this.state.due(this.at, 64)) {
      done.push(this.step({ kind: 'clock', at: this.at, due }));
    }
    return done;
  }

  object(id: string): StoredObject {
    const found = this.state.object(id);
    if (found === undefined) throw new Error(`no object ${id}`);
    return found;
  }

  field(id: string, field: string): Json | undefined {
    return this.object(id).state[field];
  }

  // ---- what comes from outside

  /** A webhook: matched by correlation id alone. */
  webhook(attempt: string, says: EvidenceInput['says'], more: Partial<EvidenceInput> = {}): Decision {
    return this.evidence(attempt, says, { source: 'webhook', attempt: null, correlationId: String(this.field(attempt, 'correlationId')), ...more });
  }

  /** A read-back that begins now. */
  readBack(attempt: string, says: EvidenceInput['says'], more: Partial<EvidenceInput> = {}): Decision {
    return this.evidence(attempt, says, { source: 'read_back', begunAt: this.at, ...more });
  }

  /** Waits until absence can be believed, and reads back that nothing is there. */
  shownAbsent(attempt: string, settleMs = 20_000): Decision {
    this.pass(settleMs);
    return this.readBack(attempt, 'absent');
  }

  /** A refund that was shown not to have happened. */
  notHappened(order: string, amountCents: number, asked: Asked = {}): string {
    const attempt = this.doubted(order, amountCents, asked);
    this.shownAbsent(attempt);
    return attempt;
  }

  /** A refund that landed and came back. */
  reverted(order: string, amountCents: number, asked: Asked = {}): string {
    const attempt = this.landed(order, amountCents, asked);
    this.webhook(attempt, 'failed', { status: 'failed', rank: 4 });
    return attempt;
  }

  /** As on wake: what is on its way was cut off. */
  restart(): readonly string[] {
    const cut = ['unresolved', 'reading'].flatMap((mark) => this.state.marked(mark, 1000)).filter(({ state }) => state['status'] === 'dispatched');
    for (const { id } of cut) this.evidence(id, 'cut_off', { source: 'restart', code: 'restart' });
    return cut.map(({ id }) => id);
  }

  /** A preflight that found no earlier epoch. */
  cleared(attempt: string): Decision {
    return this.step({ kind: 'cleared', at: this.at, attempt });
  }

  // ---- looking

  attemptCell(attempt: string): AttemptCell {
    const cell = attemptCell(new Draft(this.sealed, this.state, this.at), attempt);
    if (cell === undefined) throw new Error(`no cell of ${attempt}`);
    return cell;
  }

  fence(attempt: string): FenceCell {
    return (this.state.cell(cellKeys.fence(this.attemptCell(attempt).fence)) as FenceCell | undefined) ?? EMPTY_FENCE;
  }

  sums(target: string, action = 'order.refund'): SumCell {
    return (this.state.cell(cellKeys.sum(action, target)) as SumCell | undefined) ?? EMPTY_SUM;
  }

  /** The outcome that an attempt has now. */
  outcomeOf(attempt: string): Outcome | null {
    return (this.field(attempt, 'outcome') ?? null) as unknown as Outcome | null;
  }

  retryOf(attempt: string): Json | undefined {
    return this.field(attempt, 'retry');
  }

  budget(): { readonly limit: number; readonly spent: number; readonly held: number; readonly remaining: number } {
    const { state, counters } = worldObject(new Draft(this.sealed, this.state, this.at), ops, this.object('Budget:refunds'), false);
    return {
      limit: Number((state as JsonObject)['limit']),
      ...(counters as unknown as { readonly spent: number; readonly held: number; readonly remaining: number }),
    };
  }

  frame(request: Partial<FrameRequest> = {}): Frame {
    return this.compiled(request).frame;
  }

  compiled(request: Partial<FrameRequest> = {}): { readonly frame: Frame; readonly sequence: number } {
    return compile(this.sealed, this.state, { actor: agent, now: this.at, task: null, focus: null, since: null, maxBytes: 262_144, ...request });
  }

  /** How an action on an object is listed for an actor; undefined where it is not listed. */
  listed(action: string, target: string, actor: Actor = agent): Omit<ActionEntry, 'target'> | undefined {
    const { actions } = worldObject(new Draft(this.sealed, this.state, this.at), actor, this.object(target), true);
    return (actions as unknown as readonly ActionEntry[]).find((entry) => entry.action === action);
  }

  /** Every object, by id. */
  objects(): readonly StoredObject[] {
    return [...this.state.recent(1_000_000)].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  events(name: string): readonly JsonObject[] {
    return this.log.flatMap(({ events }) => events.filter((event) => event.name === name).map(({ object, data }) => ({ object, ...data })));
  }
}
