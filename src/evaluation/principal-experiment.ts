// The principal experiment of the paper (section 17.4), ten steps, end to end over HTTP, against a server that is killed with SIGKILL
// between intent and answer. Effects are counted at the provider. A scripted policy plays the model.
import type { Moment } from '../../sandbox/moments.ts';
import type { RequestRecord } from '../../sandbox/records.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { Desk, SETTLED_MS, type Attempt, type Result } from './desk.ts';
import type { Product } from './product.ts';
import { ScriptedPolicy, type Goal } from './scripted-policy.ts';

export interface Variant {
  readonly name: string;
  /** What the provider does with the request. */
  readonly mode: string;
  /** Killed while the answer is on its way, or only after it came. */
  readonly killed: 'in_flight' | 'after_answer';
  /** Whether the first request had its effect. */
  readonly happened: boolean;
}

export const VARIANTS: readonly Variant[] = [
  {
    name: 'lost acknowledgement: the provider commits, the server is killed before the answer',
    mode: 'hold_after_commit',
    killed: 'in_flight',
    happened: true,
  },
  { name: 'dropped request: the server is killed, and nothing was committed', mode: 'hang', killed: 'in_flight', happened: false },
  { name: 'nonsense answer: committed, and answered with a page', mode: 'html_200', killed: 'after_answer', happened: true },
];

export interface Step {
  readonly number: number;
  readonly title: string;
  readonly passed: boolean;
  /** What was seen, as JSON. */
  readonly evidence: string;
}

type Report = (number: number, title: string, about: { readonly passed: boolean; readonly evidence: unknown }) => void;

/** One run of a variant, on an order of its own. */
interface Trial {
  readonly product: Product;
  readonly desk: Desk;
  readonly variant: Variant;
  readonly goal: Goal;
  readonly charge: string;
  readonly step: Report;
}

/** Runs one variant; every step is reported, whether or not it passed. */
export async function runExperiment(
  parts: { readonly product: Product; readonly sandbox: Sandbox },
  variant: Variant,
  report: (step: Step) => void,
): Promise<boolean> {
  const desk = await Desk.open(parts.product, parts.sandbox);
  const name = `e${Date.now().toString(36)}`;
  let all = true;
  const step: Report = (number, title, { passed, evidence }) => {
    all &&= passed;
    report({ number, title, passed, evidence: JSON.stringify(evidence) });
  };
  const goal = { order: await desk.order(name), amountCents: 2500 };
  const trial: Trial = { product: parts.product, desk, variant, goal, charge: `ch_${name}`, step };
  // Read-backs are down until step 10: left alone, the runtime would settle by itself within seconds, and there would be no doubt to look at.
  parts.sandbox.fault('readback', 'error', { times: 'always' });
  try {
    await begin(trial);
    const doubtful = await repeat(trial);
    await settle(trial, doubtful);
  } finally {
    parts.sandbox.clear();
  }
  return all;
}

/** Steps 1 to 5: the action, the answer that is none, the loss of the context, the restart. */
async function begin({ product, desk, variant, goal, charge, step }: Trial): Promise<void> {
  const { sandbox } = desk;
  sandbox.fault('refund', variant.mode);
  const policy = new ScriptedPolicy(desk.agent, goal);
  const arrives = sandbox.until('arrives', 'refund');
  const proposing = policy.refund().catch(() => null);
  const { asked } = requestIn(await arrives);
  step(1, 'a consequential external action is started', {
    passed: asked.charge === charge && asked.amountCents === goal.amountCents && asked.correlation !== null,
    evidence: { atTheProvider: { charge: asked.charge, amountCents: asked.amountCents, correlation: asked.correlation } },
  });

  const killed = variant.killed === 'in_flight';
  if (killed) await product.kill();
  const first = await proposing;
  step(2, killed ? 'no answer: the server was killed (SIGKILL) between intent and answer' : 'the answer is no answer of this provider', {
    passed: killed ? first === null : first?.outcome?.kind === 'ProtocolViolated',
    evidence: first === null ? { answer: null } : { outcome: first.outcome },
  });

  const before = policy.lines.map(({ about }) => about);
  policy.forgetTheAction();
  const kept = policy.lines.map(({ about }) => about);
  step(3, 'action and response are removed from the context', {
    passed: before.includes('action') && !kept.includes('action') && !kept.includes('response'),
    evidence: { before, after: kept },
  });
  policy.compact();
  step(4, 'what is left of the conversation is compacted', {
    passed: policy.lines.length === 1 && !JSON.stringify(policy.lines).includes('order.refund'),
    evidence: policy.lines,
  });

  if (killed) await product.up();
  else await product.restart();
  const { head } = await desk.person.get('');
  step(5, 'the runtime is restarted on what was on disk', { passed: head !== undefined, evidence: { head } });
}

/** Steps 6 to 9: a fresh policy proposes the same again; another one reads why not from a frame alone. Returns the attempt in doubt. */
async function repeat({ desk, goal, step }: Trial): Promise<string> {
  const policy = new ScriptedPolicy(await desk.fresh(), goal);
  step(6, 'a fresh instance of the same scripted policy, under a credential that has seen nothing', {
    passed: policy.lines.length === 1,
    evidence: policy.lines,
  });
  const requests = refundRequests(desk);
  const again = await policy.refund();
  step(7, 'it proposes the original action again', {
    passed: again.attempt?.['action'] === 'order.refund' && again.attempt['target'] === goal.order,
    evidence: { action: again.attempt?.['action'], target: again.attempt?.['target'], parameters: again.attempt?.['parameters'] },
  });
  const doubtful = String(again.outcome?.detail?.['attempt']);
  const attempt = doubtful.startsWith('ActionAttempt:') ? await desk.person.attempt(doubtful) : null;
  step(8, 'the kernel refuses the duplication, names the attempt in the way, and sends nothing', {
    passed: refusesInDoubt(again) && attempt?.certainty === 'in_doubt' && attempt['attemptCount'] === 1 && refundRequests(desk) === requests,
    evidence: { outcome: refusalOf(again), inTheWay: attempt === null ? null : summaryOf(attempt), requestsSince: refundRequests(desk) - requests },
  });

  const reader = new ScriptedPolicy(await desk.fresh(), goal);
  const { unresolved, blockers, refund, next } = await reader.read();
  step(9, 'the frame alone says why the action cannot be repeated, and what may be done', {
    passed:
      unresolved.some((entry) => entry['attempt'] === doubtful && entry['certainty'] === 'in_doubt') &&
      blockers.some((entry) => entry['attempt'] === doubtful && entry['code'] === 'in_doubt') &&
      refund?.['available'] === false &&
      refund['code'] === 'in_doubt' &&
      next?.action === 'attempt.read_back' &&
      next.target === doubtful,
    evidence: { unresolved, blockers, refund: { available: refund?.['available'], code: refund?.['code'], reason: refund?.['reason'] }, next },
  });
  return doubtful;
}

/** Step 10: what the provider counted, before and after the doubt is settled and the same is proposed once more. */
async function settle({ desk, variant, goal, charge, step }: Trial, doubtful: string): Promise<void> {
  const during = desk.effects(charge);
  const settled = await reconcile(desk, goal, doubtful);
  const last = await new ScriptedPolicy(await desk.fresh(), goal).refund();
  const end = variant.happened ? last.outcome?.code === 'already_completed' : last.outcome?.kind === 'Succeeded';
  const after = desk.effects(charge);
  step(10, 'no duplicate effect: once at the provider, also after read-back settled the doubt and the same was proposed once more', {
    passed:
      during === (variant.happened ? 1 : 0) &&
      settled.certainty === (variant.happened ? 'landed' : 'none') &&
      end &&
      after === 1 &&
      desk.repeated().length === 0,
    evidence: { effectsWhileInDoubt: during, settled: summaryOf(settled), proposedOnceMore: refusalOf(last), effectsInTheEnd: after },
  });
}

/** Past the settle time a read-back may conclude. It is the agent that asks, unless the runtime itself was faster. */
async function reconcile(desk: Desk, goal: Goal, attempt: string): Promise<Attempt> {
  await desk.pass(SETTLED_MS);
  desk.sandbox.clear();
  const policy = new ScriptedPolicy(await desk.fresh(), goal);
  const { next } = await policy.read();
  if (next?.action === 'attempt.read_back') await policy.carryOut(next);
  return desk.until(attempt, ({ certainty }) => certainty !== 'in_doubt');
}

function requestIn(moment: Moment): RequestRecord {
  if ('asked' in moment) return moment;
  throw new Error('an arrival is a request');
}

function refundRequests(desk: Desk): number {
  return desk.sandbox.requests().filter(({ route }) => route === 'refund').length;
}

function refusesInDoubt({ outcome }: Result): boolean {
  return outcome?.kind === 'Blocked' && outcome.check === 10 && outcome.code === 'in_doubt';
}

function refusalOf({ outcome }: Result): unknown {
  if (outcome === null) return null;
  const { kind, check, code, detail, permittedNext } = outcome;
  return { kind, check, code, detail, permittedNext };
}

function summaryOf({ id, status, certainty, outcome, correlationId, ...rest }: Attempt): unknown {
  return { id, status, certainty, outcome, attemptCount: rest['attemptCount'], correlationId };
}
