// Responsibility: what happens after a commit: send an intent once, look for earlier epochs, read back; each answer becomes evidence.
// Boundary: everything asynchronous of the world object is here and in hooks.ts. State changes only through machine.step.
// Invariants: an intent is sent by the turn that committed it and by nothing else; after a restart it is in doubt (recover), never sent again.
import { randomBytes } from 'node:crypto';
import { perform } from '../../src/adapters/http/perform.ts';
import { readBack } from '../../src/adapters/http/read-back.ts';
import type { Answer, Connection, Fetch, RawExchange } from '../../src/adapters/port.ts';
import { sha256Hex } from '../../src/kernel/index.ts';
import type { AdapterContract, Command, EvidenceInput, EvidenceSource } from '../../src/kernel/index.ts';
import type { Intent } from './intent.ts';
import type { Machine } from './machine.ts';

export interface OutsideParts {
  readonly machine: Machine;
  readonly fetch: Fetch;
  readonly connection: (integration: string) => Promise<Connection | null>;
  /** Keeps the object awake while work is on its way. */
  readonly keep: (work: Promise<void>) => void;
  /** Reports a fault of ours by its name; never a message text. */
  readonly fault: (where: string, error: unknown) => void;
}

interface Told {
  readonly source: EvidenceSource;
  readonly integration: string;
  readonly attempt: string | null;
  readonly correlationId: string | null;
  readonly asker?: string | null;
  readonly begunAt?: number | null;
  readonly delivery?: string | null;
  readonly foreign?: boolean;
}

export class Outside {
  readonly #parts: OutsideParts;
  /** Attempts that this very instance works on. Whatever else is on its way was cut off. */
  readonly #running = new Set<string>();

  constructor(parts: OutsideParts) {
    this.#parts = parts;
  }

  get busy(): boolean {
    return this.#running.size > 0;
  }

  act(commands: readonly Command[]): void {
    for (const command of commands) {
      const id = command.do === 'read_back' ? (command.asker ?? `read:${command.attempt}`) : command.attempt;
      this.#running.add(id);
      const work = this.#run(command)
        .catch((error: unknown) => this.#failed(command, error))
        .finally(() => this.#running.delete(id));
      this.#parts.keep(work);
    }
  }

  /** On wake: whatever is on its way and not ours was cut off by a restart. It is in doubt, and never sent again. */
  recover(): void {
    const { machine } = this.#parts;
    for (const mark of ['unresolved', 'reading']) {
      for (const attempt of machine.store.marked(mark, 1000)) {
        if (attempt.state['status'] !== 'dispatched' || this.#running.has(attempt.id)) continue;
        const integration = machine.sealed.actions.get(String(attempt.state['action']))?.definition.adapter?.integration ?? 'none';
        this.#tell({ source: 'restart', integration, attempt: attempt.id, correlationId: null }, nothing('cut_off', 'restart'));
      }
    }
  }

  async #run(command: Command): Promise<void> {
    switch (command.do) {
      case 'dispatch':
        return this.#dispatch(command.attempt);
      case 'preflight':
        return this.#preflight(command.attempt);
      case 'read_back':
        return this.#readBack(command.attempt, command.asker);
    }
  }

  /** A fault of ours between commit and answer: nobody can know, so it is doubt. */
  #failed(command: Command, error: unknown): void {
    this.#parts.fault(command.do, error);
    const attempt = command.do === 'read_back' ? command.asker : command.attempt;
    if (attempt === null) return;
    const says = command.do === 'preflight' ? 'preflight_failed' : command.do === 'dispatch' ? 'unclear' : 'cut_off';
    this.#tell({ source: command.do === 'preflight' ? 'preflight' : 'answer', integration: 'none', attempt, correlationId: null }, nothing(says, 'internal'));
  }

  async #dispatch(attempt: string): Promise<void> {
    const { machine } = this.#parts;
    const intent = machine.store.intent(attempt);
    if (intent === undefined) throw new Error('no intent');
    const contract = this.#contract(intent.integration);
    const connection = await this.#parts.connection(intent.integration);
    const answer =
      connection === null
        ? nothing('preflight_failed', 'not_connected')
        : await perform({ contract, name: intent.operation }, intent.request, connection, { fetch: this.#parts.fetch, expectations: intent.expectations });
    this.#tell({ source: 'answer', integration: intent.integration, attempt, correlationId: null }, answer);
  }

  /** Before a later epoch: every earlier one is looked for. Found: it landed. Not to be seen: nothing is sent. */
  async #preflight(attempt: string): Promise<void> {
    const { machine } = this.#parts;
    const intents = machine.earlierThan(attempt).flatMap(({ id }) => machine.store.intent(id) ?? []);
    let clear = true;
    for (const group of byProbe(intents)) {
      const findings = await this.#walk(group);
      for (const { intent, answer } of findings) {
        if (answer.says === 'landed') {
          this.#tell({ source: 'preflight', integration: intent.integration, attempt: intent.attempt, correlationId: null }, answer);
          clear = false;
        } else if (answer.says === 'inconclusive') clear = false;
      }
    }
    const still = machine.store.object(attempt)?.state['status'] === 'dispatched';
    if (!still) return;
    if (clear) machine.step({ kind: 'cleared', at: machine.now(), attempt });
    else
      this.#tell(
        { source: 'preflight', integration: intents[0]?.integration ?? 'none', attempt, correlationId: null },
        nothing('preflight_failed', 'preflight_inconclusive'),
      );
  }

  async #readBack(attempt: string, asker: string | null): Promise<void> {
    const { machine } = this.#parts;
    const begunAt = machine.now();
    const intent = machine.store.intent(attempt);
    if (intent === undefined) throw new Error('no intent');
    const others = machine.earlierThan(attempt).flatMap(({ id }) => machine.store.intent(id) ?? []);
    const same = others.filter((other) => probeKey(other) === probeKey(intent));
    for (const { intent: found, answer } of await this.#walk([intent, ...same])) {
      const own = found.attempt === attempt;
      if (!own && answer.says !== 'landed') continue;
      this.#tell(
        {
          source: 'read_back',
          integration: found.integration,
          attempt: found.attempt,
          correlationId: null,
          asker: own ? asker : null,
          begunAt: own ? begunAt : null,
        },
        answer,
      );
    }
  }

  async #walk(intents: readonly Intent[]): Promise<readonly { readonly intent: Intent; readonly answer: Answer }[]> {
    const [first] = intents;
    if (first === undefined) return [];
    const connection = await this.#parts.connection(first.integration);
    if (connection === null) return intents.map((intent) => ({ intent, answer: nothing('inconclusive', 'not_connected') }));
    const query = { operation: first.operation, correlationIds: intents.map(({ correlationId }) => correlationId), scope: first.scope };
    const { findings } = await readBack(this.#contract(first.integration), query, connection, { fetch: this.#parts.fetch });
    return intents.map((intent) => ({
      intent,
      answer: findings.find(({ correlationId }) => correlationId === intent.correlationId)?.answer ?? nothing('inconclusive', 'not_asked'),
    }));
  }

  /** One answer becomes one transition; its raw bytes are kept beside, salted, so that they can be erased. */
  #tell(told: Told, answer: Answer): void {
    const { machine } = this.#parts;
    machine.runDue();
    const raw = answer.raw === null ? null : protectedBody(answer.raw);
    machine.step(evidenceInput(machine.now(), told, { answer, raw: raw?.digest ?? null }), () => {
      if (raw !== null && answer.says !== 'inconclusive')
        machine.store.putEvidenceBody({ createdAt: machine.now(), integration: told.integration, salt: raw.salt, body: raw.body, digest: raw.digest });
    });
  }

  #contract(integration: string): AdapterContract {
    const { adapters } = this.#parts.machine.sealed.manifest;
    const contract = Object.hasOwn(adapters, integration) ? adapters[integration] : undefined;
    if (contract === undefined) throw new Error('no contract');
    return contract;
  }
}

export function nothing(says: Answer['says'], code: string): Answer {
  return { says, status: null, rank: 0, code, fields: {}, retryAfterMs: null, raw: null };
}

/** Evidence in the kernel's words. */
export function evidenceInput(at: number, told: Told, about: { readonly answer: Answer; readonly raw: string | null }): EvidenceInput {
  const { answer, raw } = about;
  return {
    kind: 'evidence',
    at,
    source: told.source,
    integration: told.integration,
    correlationId: told.correlationId,
    attempt: told.attempt,
    asker: told.asker ?? null,
    says: answer.says,
    status: answer.status,
    rank: answer.rank,
    code: answer.code,
    fields: answer.fields,
    retryAfterMs: answer.retryAfterMs,
    begunAt: told.begunAt ?? null,
    foreign: told.foreign ?? false,
    raw,
    delivery: told.delivery ?? null,
  };
}

/** Raw bytes with a random salt beside them: the digest in the log tells nothing once they are erased. */
export function protectedBody(raw: RawExchange | string): { readonly salt: string; readonly body: string; readonly digest: string } {
  const salt = randomBytes(16).toString('hex');
  const body = typeof raw === 'string' ? raw : JSON.stringify(raw);
  return { salt, body, digest: `sha256:${sha256Hex(`${salt}\n${body}`)}` };
}

function probeKey(intent: Intent): string {
  return JSON.stringify([intent.integration, intent.operation, intent.scope.target]);
}

/** Attempts whose probe asks the same question are looked for in one walk. */
function byProbe(intents: readonly Intent[]): readonly (readonly Intent[])[] {
  const groups = new Map<string, Intent[]>();
  for (const intent of intents) groups.set(probeKey(intent), [...(groups.get(probeKey(intent)) ?? []), intent]);
  return [...groups.values()];
}
