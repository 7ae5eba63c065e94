// The principal experiment of the paper (section 17.4), ten steps, end to end over HTTP, against a server that is killed with SIGKILL
// between intent and answer. Effects are counted at the provider.
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { Desk, SETTLED_MS, type Attempt } from './desk.ts';
import type { Product } from './product.ts';
import { ScriptedPolicy } from './scripted-policy.ts';

export interface Variant {
  readonly name: string;
  /** What the provider does with the request. */
  readonly mode: string;
  /** Killed while the answer is on its way, or only after it came. */
  readonly killed: 'in_flight' | 'after_answer';
  /** Effects at the provider when all is done, had nobody proposed anything else. */
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
  readonly evidence: string;
}

const AMOUNT = 2500;

/** Runs one variant; every step is reported, whether or not it passed. */
export async function runExperiment(
  parts: { readonly product: Product; readonly sandbox: Sandbox },
  variant: Variant,
  report: (step: Step) => void,
): Promise<boolean> {
  const { product, sandbox } = parts;
  const desk = await Desk.open(product, sandbox);
  const name = `e${Date.now().toString(36)}`;
  const order = await desk.order(name);
  const charge = `ch_${name}`;
  let all = true;
  const step = (number: number, title: string, about: { readonly passed: boolean; readonly evidence: unknown }): void => {
    all &&= about.passed;
    report({ number, title, passed: about.passed, evidence: typeof about.evidence === 'string' ? about.evidence : JSON.stringify(about.evidence) });
  };

  // Read-backs are down until the end: left alone, the runtime would reconcile by itself within seconds, and there would be no doubt to look at.
  sandbox.fault('readback', 'error', { times: 'always' });
  sandbox.fault('refund', variant.mode);
  const policy = new ScriptedPolicy(desk.agent, `refund ${AMOUNT} cents of ${order}`);
  const arrives = sandbox.until('arrives', 'refund');
  const proposing = policy.refund(order, AMOUNT).then(
    (result) => result,
    () => null,
  );
  const arrived = await arrives;
  step(1, 'a consequential external action is started', {
    passed: true,
    evidence: { atTheProvider: 'mode' in arrived ? arrived.mode : '', amountCents: AMOUNT, order },
  });
  if (variant.killed === 'in_flight') await product.kill();
  const first = await proposing;
  step(2, variant.killed === 'in_flight' ? 'the answer never comes: the server was killed (SIGKILL) between intent and answer' : 'the answer is ambiguous', {
    passed: first === null ? variant.killed === 'in_flight' : first.outcome?.kind === 'ProtocolViolated',
    evidence: first === null ? 'connection lost' : { outcome: first.outcome },
  });
  policy.context = { goal: policy.context.goal, transcript: policy.context.transcript.filter((line) => !line.includes('proposed')) };
  step(3, 'action and response are removed from the context', { passed: policy.context.transcript.length === 0, evidence: policy.context });
  policy.compact();
  step(4, 'what is left of the conversation is compacted', { passed: policy.context.transcript.length === 0, evidence: policy.context });
  if (variant.killed === 'in_flight') await product.up();
  else await product.restart();
  step(5, 'the runtime is restarted', { passed: true, evidence: `${product.url} answers again on the same state` });
  await repeat({ desk, order, charge, variant, step });
  return all;
}

interface Repeated {
  readonly desk: Desk;
  readonly order: string;
  readonly charge: string;
  readonly variant: Variant;
  readonly step: (number: number, title: string, about: { readonly passed: boolean; readonly evidence: unknown }) => void;
}

/** Steps 6 to 10: a fresh policy proposes the same again; what the kernel and the frame say; what the provider counts. */
async function repeat({ desk, order, charge, variant, step }: Repeated): Promise<void> {
  const policy = new ScriptedPolicy(await desk.fresh(), `refund ${AMOUNT} cents of ${order}`);
  step(6, 'a fresh instance of the same scripted policy, under a new credential', { passed: policy.context.transcript.length === 0, evidence: policy.context });
  const again = await policy.refund(order, AMOUNT);
  step(7, 'it proposes the original action again', {
    passed: again.status === 200,
    evidence: { outcome: { kind: again.outcome?.kind, check: again.outcome?.check, code: again.outcome?.code, detail: again.outcome?.detail } },
  });
  const doubtful = String(again.outcome?.detail?.['attempt']);
  step(8, 'the kernel refuses the duplication and names the attempt in the way', {
    passed: again.outcome?.kind === 'Blocked' && again.outcome.code === 'in_doubt' && doubtful.startsWith('ActionAttempt:'),
    evidence: { code: again.outcome?.code, attempt: doubtful, permittedNext: again.outcome?.permittedNext },
  });
  const why = await policy.why(order);
  step(9, 'the frame alone says why the action cannot be repeated', {
    passed:
      why.unresolved.some((entry) => entry['attempt'] === doubtful) &&
      why.blockers.some((entry) => entry['code'] === 'in_doubt') &&
      why.action?.['available'] === false,
    evidence: {
      unresolved: why.unresolved,
      blockers: why.blockers.map(({ code, waitsFor }) => ({ code, waitsFor })),
      action: { available: why.action?.['available'], code: why.action?.['code'] },
    },
  });
  desk.sandbox.clear();
  const end = await reconcile(desk, doubtful);
  const effects = desk.effects(charge);
  step(10, 'no duplicate effect occurred; read-back then settles what happened', {
    passed: effects === (variant.happened ? 1 : 0) && desk.repeated().length === 0 && end.certainty === (variant.happened ? 'landed' : 'none'),
    evidence: { effectsAtTheProvider: effects, certainty: end.certainty, outcome: end.outcome?.kind, correlationId: end.correlationId },
  });
}

/** Past the settle time a read-back may conclude; whoever asks, the same compiled probe runs. */
async function reconcile(desk: Desk, attempt: string): Promise<Attempt> {
  await desk.pass(SETTLED_MS);
  await desk.person.propose('attempt.read_back', attempt);
  return desk.until(attempt, ({ certainty }) => certainty !== 'in_doubt');
}
