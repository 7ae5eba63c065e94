// Runs a scenario through the kernel, in memory: what it answered, and what the objects that the scenario names look like afterwards.
import { EVIDENCE_KINDS, EVIDENCE_SOURCES, isJsonObject, madeId, OUTCOME_KINDS, type Json, type JsonObject, type Outcome } from '../../src/kernel/index.ts';
import type { Scenario, ScenarioAnswer, ScenarioEvidence, ScenarioInput, ScenarioObject, ScenarioProposal } from '../../src/authoring/scenario.ts';
import { Desk } from './transition/desk.ts';

const ROLE_OF_KIND: { readonly [kind: string]: string } = { Agent: 'agent', Person: 'human', Operator: 'operator' };

interface Made {
  readonly attempt: string;
  readonly approval: string;
  readonly target: string;
}

export class ScenarioRun {
  readonly #desk = new Desk();
  readonly #made = new Map<string, Made>();

  /** Throws where something that is given does not succeed. */
  start(scenario: Scenario): void {
    for (const proposal of scenario.given) {
      const answer = this.feed(proposal);
      if (answer === null || answer === 'on_its_way' || answer.kind !== 'Succeeded') throw new Error(`${proposal.action}: ${JSON.stringify(answer)}`);
    }
  }

  feed(input: ScenarioInput): ScenarioAnswer {
    if ('passMs' in input) {
      this.#desk.pass(input.passMs);
      return null;
    }
    if ('cleared' in input) {
      this.#desk.step({ kind: 'cleared', at: this.#desk.at, attempt: this.#find(input.cleared).attempt });
      return null;
    }
    if ('evidence' in input) {
      return this.#evidence(input);
    }
    return this.#propose(input);
  }

  /** The fields that the scenario names, as they are now. */
  fields(wanted: ScenarioObject): JsonObject {
    const id = 'id' in wanted ? this.#named(wanted.id) : madeId(wanted.type, [this.#desk.state.birthId, this.#find(wanted.madeBy).attempt, wanted.as]);
    const { state } = this.#desk.object(id);
    return Object.fromEntries(Object.keys(wanted.state).map((field) => [field, shown(state[field] ?? null, field)]));
  }

  /** The inputs whose effect left for the outside, in the order in which it did: what a provider would have seen. */
  sent(): readonly string[] {
    const names = [...this.#made];
    return this.#desk.sent.map((correlationId) => {
      const found = names.find(([, { attempt }]) => this.#desk.field(attempt, 'correlationId') === correlationId);
      return found?.[0] ?? 'an input without a name';
    });
  }

  #propose(input: ScenarioProposal): ScenarioAnswer {
    const role = ROLE_OF_KIND[input.by.slice(0, input.by.indexOf(':'))] ?? '';
    const { outcome, attempt } = this.#desk.propose(input.action, this.#named(input.target), input.parameters, {
      by: { id: input.by, roles: [role] },
      facts: input.action === 'integration.connect' ? { endpointAllowed: true, settingsFit: true, live: false } : {},
      ...(input.task === undefined ? {} : { task: input.task }),
      ...(input.expectedRevision === undefined ? {} : { expectedRevision: input.expectedRevision }),
      ...(input.observed === undefined ? {} : { observed: { kind: 'none' } }),
    });
    const approval = String(outcome?.detail?.['approval'] ?? '');
    if (input.name !== undefined) this.#made.set(input.name, { attempt, approval, target: String(this.#desk.field(attempt, 'target')) });
    return answerOf(outcome);
  }

  #evidence(input: ScenarioEvidence): ScenarioAnswer {
    const says = EVIDENCE_KINDS.find((kind) => kind === input.evidence);
    const source = EVIDENCE_SOURCES.find((each) => each === input.source);
    if (says === undefined || source === undefined) throw new Error(`no such evidence: ${input.evidence} from ${input.source}`);
    const { attempt } = this.#find(input.of);
    this.#desk.evidence(attempt, says, {
      source,
      integration: input.integration ?? 'payments',
      status: input.status ?? null,
      rank: input.rank ?? 0,
      code: input.code ?? null,
      fields: input.fields ?? {},
      retryAfterMs: input.retryAfterMs ?? null,
      begunAt: input.begunBeforeMs === undefined ? null : this.#desk.at - input.begunBeforeMs,
      asker: input.asker === undefined ? null : this.#find(input.asker).attempt,
    });
    const kind = OUTCOME_KINDS.find((each) => each === shown(this.#desk.field(attempt, 'outcome') ?? null, 'outcome'));
    return kind === undefined ? 'on_its_way' : { kind };
  }

  #find(name: string): Made {
    const made = this.#made.get(name);
    if (made === undefined) throw new Error(`nothing is named ${name}`);
    return made;
  }

  #named(text: string): string {
    const [, name, what] = /^\{(.+)\.(attempt|approval|target)\}$/.exec(text) ?? [];
    if (name === undefined) return text;
    const made = this.#find(name);
    return what === 'approval' ? made.approval : what === 'target' ? made.target : made.attempt;
  }
}

function answerOf(outcome: Outcome | null): ScenarioAnswer {
  if (outcome === null) return 'on_its_way';
  const { kind, code } = outcome;
  const rule = outcome.detail?.['rule'];
  return { kind, ...(code === undefined ? {} : { code }), ...(typeof rule === 'string' ? { rule } : {}) };
}

function shown(value: Json, field: string): Json {
  return field === 'outcome' && isJsonObject(value) ? (value['kind'] ?? null) : value;
}
