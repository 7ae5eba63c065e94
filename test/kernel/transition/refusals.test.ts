// Design §7 and §3.4: every refusal, its check, its outcome; the one precedence; what closes; what a refusal changes and how many there can be.
import { describe, expect, it } from 'vitest';
import {
  CLOSING_CHECKS,
  DAY_MS,
  PRECEDENCE,
  REFUSALS,
  type Change,
  type CheckNumber,
  type JsonObject,
  type RefusalCode,
  type RefusalKind,
  type StoredObject,
} from '../../../src/kernel/index.ts';
import spec from '../../../src/kernel/SPEC.md?raw';
import { agent, ann, bob, Desk, ops, other, type Answer, type Asked } from './desk.ts';
import { sealedScoped, sealedWithPriority, withLimits } from './edited.ts';

interface Case {
  readonly check: CheckNumber;
  readonly code: RefusalCode;
  readonly kind: RefusalKind;
  readonly how: string;
  readonly open?: () => Desk;
  readonly propose: (desk: Desk) => Answer;
}

const REFUND = { amountCents: 2500, reason: 'requested_by_customer' };

/** A desk where `agent` looks after Kim and `other` after Lee. */
function scoped(): Desk {
  const desk = new Desk(sealedScoped);
  for (const by of [agent, other]) desk.must('memory.record', 'Memory', { text: 'here' }, { by });
  for (const [name, who] of [
    ['kim', agent],
    ['lee', other],
  ] as const) {
    desk.must('customer.register', `Customer:${name}`, { name, email: `${name}@customers.test`, agent: who.id }, { by: ops });
  }
  desk.connect('payments');
  for (const name of ['kim', 'lee'])
    desk.must('order.record', `Order:${name}`, { customer: `Customer:${name}`, chargeId: `ch_${name}`, currency: 'eur', totalCents: 20_000 }, { by: ops });
  return desk;
}

function failed(desk: Desk, says: 'login_lost' | 'rate_limited' | 'declined'): void {
  desk.order('Order:other');
  desk.evidence(desk.refund('Order:other', 100).attempt, says, { code: 'http_4xx' });
}

function expired(desk: Desk): Answer {
  const { attempt, approval } = desk.parked('Order:1', 6000);
  desk.pass(DAY_MS);
  const decision = desk.log.at(-1);
  expect(desk.field(approval, 'status')).toBe('expired');
  return {
    decision: { commands: [], recorded: true, changes: decision?.changes ?? [] } as unknown as Answer['decision'],
    outcome: desk.outcomeOf(attempt),
    attempt,
    code: desk.outcomeOf(attempt)?.code,
  };
}

/** Every refusal of a proposal. `approval_expired` settles the attempt that waited (design §8), so it is looked for there. */
const CASES: readonly Case[] = [
  { check: 1, code: 'unknown_action', kind: 'Rejected', how: 'an action that the manifest lacks', propose: (desk) => desk.propose('order.explode', 'Order:1') },
  {
    check: 1,
    code: 'invalid_parameters',
    kind: 'Rejected',
    how: 'a parameter of another type',
    propose: (desk) => desk.propose('order.refund', 'Order:1', { ...REFUND, amountCents: '25' }),
  },
  {
    check: 1,
    code: 'invalid_parameters',
    kind: 'Rejected',
    how: 'a parameter that the schema lacks',
    propose: (desk) => desk.propose('order.refund', 'Order:1', { ...REFUND, idempotencyKey: 'k1' }),
  },
  {
    check: 2,
    code: 'unknown_target',
    kind: 'Rejected',
    how: 'a target that does not exist',
    propose: (desk) => desk.propose('order.refund', 'Order:none', REFUND),
  },
  {
    check: 2,
    code: 'unknown_target',
    kind: 'Rejected',
    how: 'a task that does not exist',
    propose: (desk) => desk.refund('Order:1', 2500, { task: 'Task:none' }),
  },
  { check: 2, code: 'unknown_target', kind: 'Rejected', how: 'a task that is no task', propose: (desk) => desk.refund('Order:1', 2500, { task: 'Order:1' }) },
  {
    check: 2,
    code: 'unknown_target',
    kind: 'Rejected',
    how: 'a target out of scope',
    open: scoped,
    propose: (desk) => desk.propose('order.refund', 'Order:lee', REFUND),
  },
  {
    check: 2,
    code: 'wrong_target_type',
    kind: 'Rejected',
    how: 'a target of another type',
    propose: (desk) => desk.propose('order.refund', 'Customer:kim', REFUND),
  },
  {
    check: 2,
    code: 'wrong_target_type',
    kind: 'Rejected',
    how: 'a creation of another type',
    propose: (desk) => desk.propose('ticket.open', 'Order', { customer: 'Customer:kim', subject: 'x' }),
  },
  {
    check: 2,
    code: 'target_exists',
    kind: 'Rejected',
    how: 'a chosen id that is taken',
    propose: (desk) => desk.propose('customer.register', 'Customer:kim', { name: 'x', email: 'x@x.test' }, { by: ops, expectedRevision: 0 }),
  },
  {
    check: 6,
    code: 'not_authorized',
    kind: 'Rejected',
    how: 'an action of other roles',
    propose: (desk) => desk.propose('order.amend', 'Order:1', { totalCents: 100 }),
  },
  {
    check: 6,
    code: 'not_authorized',
    kind: 'Rejected',
    how: 'a local id chosen by an agent',
    propose: (desk) => desk.propose('ticket.open', 'Ticket:mine', { customer: 'Customer:kim', subject: 'x' }),
  },
  {
    check: 6,
    code: 'not_authorized',
    kind: 'Rejected',
    how: 'a grant by the proposer',
    propose: (desk) => desk.propose('approval.grant', desk.parked('Order:1', 6000, { by: ann }).approval, {}, { by: ann }),
  },
  {
    check: 9,
    code: 'already_completed',
    kind: 'Rejected',
    how: 'the same effect again',
    propose: (desk) => (desk.landed('Order:1', 2500), desk.refund('Order:1', 2500)),
  },
  {
    check: 9,
    code: 'in_flight',
    kind: 'Blocked',
    how: 'an effect of its kind on its way',
    propose: (desk) => (desk.refund('Order:1', 2500), desk.refund('Order:1', 100, { by: other })),
  },
  {
    check: 10,
    code: 'in_doubt',
    kind: 'Blocked',
    how: 'an effect of its kind in doubt',
    propose: (desk) => (desk.doubted('Order:1', 2500), desk.refund('Order:1', 100, { by: other })),
  },
  { check: 4, code: 'stale_revision', kind: 'Rejected', how: 'another revision', propose: (desk) => desk.refund('Order:1', 2500, { expectedRevision: 7 }) },
  {
    check: 4,
    code: 'stale_observation',
    kind: 'Rejected',
    how: 'a cursor from before the last change',
    propose: (desk) => desk.refund('Order:1', 2500, { observed: { kind: 'seen', sequence: 1, subject: '*' } }),
  },
  {
    check: 4,
    code: 'unproven_observation',
    kind: 'Rejected',
    how: 'no cursor, of a role that observes',
    propose: (desk) => desk.refund('Order:1', 2500, { observed: { kind: 'none' } }),
  },
  { check: 5, code: 'precondition_failed', kind: 'Rejected', how: 'a rule that is false', propose: (desk) => desk.refund('Order:1', 20_001) },
  {
    check: 5,
    code: 'precondition_unobservable',
    kind: 'Rejected',
    how: 'a rule that is unknown',
    open: () => Desk.open(sealedWithPriority),
    propose: (desk) => desk.refund('Order:1', 2500),
  },
  {
    check: 8,
    code: 'retry_exhausted',
    kind: 'Rejected',
    how: 'a key whose tries are used up',
    propose: (desk) => {
      desk.evidence(desk.refund('Order:1', 2500).attempt, 'declined');
      return desk.refund('Order:1', 2500);
    },
  },
  {
    check: 8,
    code: 'resource_exhausted',
    kind: 'Rejected',
    how: 'a budget that is too small',
    propose: (desk) => (desk.must('budget.set', 'Budget:refunds', { limit: 2499 }, { by: ops }), desk.refund('Order:1', 2500)),
  },
  {
    check: 8,
    code: 'resource_exhausted',
    kind: 'Rejected',
    how: 'too much that is unresolved',
    open: () => Desk.open(withLimits({ unresolvedMax: 1 })),
    propose: (desk) => (desk.order('Order:2'), desk.doubted('Order:2', 100), desk.refund('Order:1', 2500)),
  },
  {
    check: 8,
    code: 'resource_exhausted',
    kind: 'Rejected',
    how: 'too many approvals asked for',
    open: () => Desk.open(withLimits({ approvalsMax: 1 })),
    propose: (desk) => (desk.order('Order:2'), desk.parked('Order:2', 6000), desk.refund('Order:1', 6000)),
  },
  {
    check: 11,
    code: 'adapter_incompatible',
    kind: 'Incompatible',
    how: 'an adapter that was found incompatible',
    propose: (desk) => {
      const integration = desk.object('Integration:payments');
      desk.state.apply([{ put: { ...integration, state: { ...integration.state, status: 'incompatible' } } }], desk.state.head());
      return desk.refund('Order:1', 2500);
    },
  },
  {
    check: 11,
    code: 'authentication_required',
    kind: 'Blocked',
    how: 'a lost login',
    propose: (desk) => (failed(desk, 'login_lost'), desk.refund('Order:1', 2500)),
  },
  {
    check: 11,
    code: 'integration_unavailable',
    kind: 'Blocked',
    how: 'a provider that asked to wait',
    propose: (desk) => (failed(desk, 'rate_limited'), desk.refund('Order:1', 2500)),
  },
  {
    check: 11,
    code: 'integration_unavailable',
    kind: 'Blocked',
    how: 'an integration that is not connected',
    propose: (desk) => (desk.must('integration.disconnect', 'Integration:payments', {}, { by: ops }), desk.refund('Order:1', 2500)),
  },
  { check: 7, code: 'approval_required', kind: 'Blocked', how: 'an amount that a person decides', propose: (desk) => desk.refund('Order:1', 6000) },
  {
    check: 7,
    code: 'approval_required',
    kind: 'Blocked',
    how: 'another approval that stands',
    propose: (desk) => (desk.parked('Order:1', 6000), desk.refund('Order:1', 7000)),
  },
  {
    check: 7,
    code: 'approval_denied',
    kind: 'Rejected',
    how: 'what a person has denied',
    propose: (desk) => {
      desk.must('approval.deny', desk.parked('Order:1', 6000).approval, {}, { by: ann });
      return desk.refund('Order:1', 6000);
    },
  },
  { check: 7, code: 'approval_expired', kind: 'Rejected', how: 'an approval whose time is over', propose: expired },
];

describe('the refusals', () => {
  it.each(CASES)('$how: check $check, `$code`, $kind', ({ check, code, kind, propose, open = () => Desk.open() }) => {
    const { outcome } = propose(open());
    expect(outcome).toMatchObject({ kind, check, code });
    expect(outcome?.failing?.[0]).toEqual({ check, code, detail: outcome?.detail });
  });

  it('are all reached: each code of the union, with the number and outcome that the union gives it', () => {
    const reached = new Set(CASES.map(({ check, code, kind }) => `${check} ${code} ${kind}`));
    // Number 3 is never said: what is out of scope reads as check 2.
    expect([...reached].sort()).toEqual(
      [...new Set(REFUSALS.filter(({ check }) => check !== 3).map(({ check, code, kind }) => `${check} ${code} ${kind}`))].sort(),
    );
  });

  it('name the attempt, the approval or the integration that stands in the way', () => {
    const desk = Desk.open();
    const first = desk.doubted('Order:1', 2500);
    expect(desk.refund('Order:1', 2500).outcome?.detail).toEqual({ attempt: first });
    desk.evidence(first, 'landed');
    expect(desk.refund('Order:1', 2500).outcome?.detail).toEqual({ attempt: first });
    const { attempt, approval } = desk.parked('Order:1', 6000, { by: ann });
    expect(desk.refund('Order:1', 7000, { by: ann }).outcome?.detail).toMatchObject({ attempt, approval });
    desk.must('integration.disconnect', 'Integration:payments', {}, { by: ops });
    expect(desk.refund('Order:1', 100, { by: ann }).outcome?.detail).toMatchObject({ integration: 'Integration:payments' });
  });

  it('of parameters name every path and no value', () => {
    const { outcome, decision } = Desk.open().propose('order.refund', 'Order:1', { amountCents: 'top-secret', extra: 'top-secret' });
    const errors = (outcome?.detail?.['errors'] ?? []) as readonly JsonObject[];
    expect(errors.map(({ path }) => path)).toEqual(expect.arrayContaining(['/amountCents', '/extra', '/reason']));
    expect(JSON.stringify(decision)).not.toContain('top-secret');
  });

  it('never print the current revision', () => {
    const desk = Desk.open();
    for (let index = 0; index < 41; index += 1) desk.must('order.amend', 'Order:1', { totalCents: 30_000 + index }, { by: ops });
    const { outcome } = desk.refund('Order:1', 2500, { expectedRevision: 1 });
    expect(outcome?.code).toBe('stale_revision');
    expect(desk.object('Order:1').revision).toBe(42);
    expect(JSON.stringify(outcome)).not.toContain('42');
  });

  it('give values of the target only to whom has seen it', () => {
    const desk = Desk.open();
    desk.must('order.amend', 'Order:1', { totalCents: 17_777 }, { by: ops });
    const seen = desk.refund('Order:1', 90_000);
    expect(JSON.stringify(seen.outcome)).toContain('17777');
    const stale = desk.refund('Order:1', 90_001, { expectedRevision: 1 });
    expect(stale.outcome?.failing?.map(({ code }) => code)).toContain('precondition_failed');
    expect(JSON.stringify(stale.outcome)).not.toContain('17777');
  });

  it('give the state of a lifecycle only to whom has seen it', () => {
    const desk = Desk.open();
    desk.must('ticket.open', 'Ticket:1', { customer: 'Customer:kim', subject: 'x' }, { by: ann });
    desk.must('ticket.resolve', 'Ticket:1', { resolution: 'denied' });
    const rule = (asked: Asked): JsonObject | undefined =>
      desk.propose('ticket.resolve', 'Ticket:1', { resolution: 'answered' }, asked).outcome?.failing?.find(({ check }) => check === 5)?.detail;
    expect(rule({})).toEqual({ rule: 'lifecycle', state: 'resolved' });
    expect(rule({ expectedRevision: 1 })).toEqual({ rule: 'lifecycle' });
  });

  it('name every failing rule with its trace, in the order of the manifest', () => {
    const desk = Desk.open();
    const { outcome } = desk.refund('Order:1', 90_000, { parameters: { line: 'none' } });
    expect(outcome?.failing?.filter(({ check }) => check === 5).map(({ detail }) => detail['rule'])).toEqual(['within_remaining', 'line_is_recorded']);
    expect(outcome?.detail?.['trace']).toMatchObject({ truth: 'false' });
  });

  it('of a rule that is unknown name every missing path', () => {
    const { outcome } = Desk.open(sealedWithPriority).refund('Order:1', 2500);
    expect(outcome?.detail).toMatchObject({ rule: 'order_is_not_urgent', missing: ['$target.priority'] });
  });
});

// ---- precedence

/** What makes each of the later checks fail, each by itself; together they are one world and one proposal. */
const OPEN_CHECKS = [9, 10, 4, 5, 8, 11, 7] as const;
type OpenCheck = (typeof OPEN_CHECKS)[number];
const CODES: { readonly [check in OpenCheck]: RefusalCode } = {
  9: 'already_completed',
  10: 'in_doubt',
  4: 'stale_revision',
  5: 'precondition_failed',
  8: 'resource_exhausted',
  11: 'integration_unavailable',
  7: 'approval_required',
};

function failingTogether(checks: readonly OpenCheck[]): Answer {
  const fails = (check: OpenCheck): boolean => checks.includes(check);
  const desk = Desk.open();
  const task = desk.task('Order:1');
  if (fails(9)) desk.landed('Order:1', 1000, { by: ann });
  if (fails(10)) desk.doubted('Order:1', 1100, { by: ann });
  desk.must('task.abandon', task, {}, { by: ann });
  if (fails(8)) desk.must('budget.set', 'Budget:refunds', { limit: 0 }, { by: ops });
  if (fails(11)) desk.must('integration.disconnect', 'Integration:payments', {}, { by: ops });
  return desk.refund('Order:1', 1000, {
    by: ann,
    task: fails(5) ? task : null,
    ...(fails(4) ? { expectedRevision: 9 } : {}),
    parameters: { reason: fails(7) ? 'fraudulent' : 'requested_by_customer' },
  });
}

const SUBSETS = Array.from({ length: 1 << OPEN_CHECKS.length }, (_, bits) => OPEN_CHECKS.filter((_check, index) => (bits >> index) % 2 === 1)).filter(
  (checks) => checks.length > 1,
);

describe('the one precedence', () => {
  it('is 1 2 3 6 9 10 4 5 8 11 7', () => {
    expect(PRECEDENCE).toEqual([1, 2, 3, 6, 9, 10, 4, 5, 8, 11, 7]);
  });

  it('is the order of the union of refusals', () => {
    const order = REFUSALS.map(({ check }) => PRECEDENCE.indexOf(check));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(new Set(REFUSALS.map(({ check }) => check))).toEqual(new Set(PRECEDENCE));
  });

  it('is the order of the specification, code by code', () => {
    const rows = spec.split('\n').filter((line) => /^\| [\d, ]+ \| `/.test(line));
    const inSpec = rows.flatMap((row) => [...(row.split('|')[2] ?? '').matchAll(/`([a-z_]+)`/g)].map(([, code]) => code));
    expect(inSpec).toEqual([...new Set(REFUSALS.map(({ code }) => code))]);
  });

  it.each(SUBSETS.map((checks) => ({ checks, title: checks.join(' ') })))(
    'holds where $title fail together: the first is the answer, all are listed',
    ({ checks }) => {
      const { outcome, decision } = failingTogether(checks);
      expect(outcome?.failing?.map(({ check, code }) => ({ check, code }))).toEqual(checks.map((check) => ({ check, code: CODES[check] })));
      expect(outcome).toMatchObject({ check: checks[0], code: CODES[checks[0] ?? 9] });
      expect(decision.commands).toEqual([]);
    },
  );

  it.each(OPEN_CHECKS)('lists check %i alone where nothing else fails', (check) => {
    expect(failingTogether([check]).outcome?.failing?.map(({ code }) => code)).toEqual([CODES[check]]);
  });

  it('says a stale revision before a stale observation, and both before an unproven one', () => {
    const desk = Desk.open();
    const codes = (asked: Asked): readonly string[] | undefined => desk.refund('Order:1', 1000, asked).outcome?.failing?.map(({ code }) => code);
    expect(codes({ expectedRevision: 9, observed: { kind: 'seen', sequence: 1, subject: '*' } })).toEqual(['stale_revision', 'stale_observation']);
    expect(codes({ expectedRevision: 9, observed: { kind: 'none' } })).toEqual(['stale_revision', 'unproven_observation']);
    expect(codes({ observed: { kind: 'seen', sequence: 1, subject: 'Customer:kim' } })).toEqual(['unproven_observation']);
  });
});

/** Everything wrong at once: only the first closing check is told. */
const CLOSING: readonly {
  readonly checks: readonly CheckNumber[];
  readonly code: RefusalCode;
  readonly action: string;
  readonly target: string;
  readonly parameters: JsonObject;
  readonly by: typeof agent;
}[] = [
  { checks: [1, 2, 6], code: 'unknown_action', action: 'order.explode', target: 'Order:none', parameters: {}, by: agent },
  { checks: [1, 2, 6], code: 'invalid_parameters', action: 'order.amend', target: 'Order:none', parameters: { totalCents: -1 }, by: agent },
  { checks: [2, 6], code: 'unknown_target', action: 'order.amend', target: 'Order:none', parameters: { totalCents: 100 }, by: agent },
  { checks: [2, 6], code: 'wrong_target_type', action: 'order.amend', target: 'Customer:kim', parameters: { totalCents: 100 }, by: agent },
  { checks: [6, 4, 5], code: 'not_authorized', action: 'order.amend', target: 'Order:1', parameters: { totalCents: 100 }, by: agent },
  { checks: [6, 4, 9, 10, 11, 7], code: 'not_authorized', action: 'order.refund', target: 'Order:1', parameters: { ...REFUND, reason: 'fraudulent' }, by: ops },
];

describe('checks 1, 2, 3 and 6', () => {
  it('are those that close', () => {
    expect(CLOSING_CHECKS).toEqual([1, 2, 3, 6]);
  });

  it.each(CLOSING)('where $checks fail, only `$code` is told and nothing is permitted next', ({ checks, code, action, target, parameters, by }) => {
    const desk = Desk.open();
    desk.landed('Order:1', 2500, { by: ann });
    desk.doubted('Order:1', 1000, { by: ann });
    desk.must('integration.disconnect', 'Integration:payments', {}, { by: ops });
    const { outcome } = desk.propose(action, target, parameters, { by, expectedRevision: 77, observed: { kind: 'none' } });
    expect(outcome?.failing).toHaveLength(1);
    expect(outcome).toMatchObject({ check: checks[0], code, permittedNext: [] });
  });
});

// ---- what a refusal changes

function isRecord(change: Change): boolean {
  if ('put' in change) return change.put.type === 'ActionAttempt' && change.put.state['status'] === 'settled' && change.put.mark === null;
  return 'cell' in change && (change.cell.startsWith('refused:') || change.cell.startsWith('refusals:'));
}

describe('a refusal', () => {
  it.each(CASES.filter(({ code, how }) => code !== 'approval_expired' && how !== 'an amount that a person decides'))(
    '($how) changes nothing but its record, and asks for nothing',
    ({ propose, open = () => Desk.open() }) => {
      const desk = open();
      const { decision } = propose(desk);
      expect(decision.changes.every(isRecord)).toBe(true);
      expect(decision.changes.filter((change) => 'put' in change)).toHaveLength(1);
      expect(decision.events).toEqual([]);
      expect(decision.commands).toEqual([]);
    },
  );

  it('of the same proposal raises the count of one attempt, outside its revision, by a chained record', () => {
    const desk = Desk.open();
    const first = desk.refund('Order:1', 30_000);
    const before = desk.object(first.attempt);
    const length = desk.log.length;
    const again = desk.refund('Order:1', 30_000);
    expect(again.attempt).toBe(first.attempt);
    expect(desk.field(first.attempt, 'refusedCount')).toBe(2);
    expect(desk.object(first.attempt).revision).toBe(before.revision);
    expect(desk.log).toHaveLength(length + 1);
    expect(JSON.stringify(desk.log.at(-1)).length).toBeLessThan(6000);
  });

  it.each([
    ['another actor', { by: other }, 30_000],
    ['another amount', {}, 30_001],
  ] as const)('of %s is another attempt', (_what, asked, amount) => {
    const desk = Desk.open();
    const first = desk.refund('Order:1', 30_000);
    expect(desk.refund('Order:1', amount, asked).attempt).not.toBe(first.attempt);
    expect(desk.field(first.attempt, 'refusedCount')).toBe(1);
  });

  it('uses no budget of effects', () => {
    const desk = Desk.open();
    for (let index = 0; index < 10; index += 1) desk.refund('Order:1', 30_000 + index);
    expect(desk.budget()).toEqual({ limit: 100_000, spent: 0, held: 0, remaining: 100_000 });
    const { attempt } = desk.refund('Order:1', 2500);
    expect(desk.retryOf(attempt)).toEqual({ remaining: 2, ceilingRemaining: 5 });
  });

  it.each(CASES)('($how) permits next only what is available to its actor, and at most eight', ({ propose, open = () => Desk.open() }) => {
    const desk = open();
    const { outcome, attempt } = propose(desk);
    const actor = {
      id: String(desk.field(attempt, 'actor')),
      roles: [
        String(desk.field(attempt, 'actor')).startsWith('Agent:') ? 'agent' : String(desk.field(attempt, 'actor')).startsWith('Person:') ? 'human' : 'operator',
      ],
    };
    const permitted = outcome?.permittedNext ?? [];
    expect(permitted.length).toBeLessThanOrEqual(8);
    for (const { action, target } of permitted) expect(desk.listed(action, target, actor), `${action} on ${target}`).toMatchObject({ available: true });
  });

  it('offers what can lift it: the read-back of the doubt, the ticket of the order', () => {
    const desk = Desk.open();
    const doubted = desk.doubted('Order:1', 2500);
    expect(desk.refund('Order:1', 2500).outcome?.permittedNext).toContainEqual({ action: 'attempt.read_back', target: doubted });
    const { approval } = ((): { approval: string } => {
      desk.order('Order:2');
      return desk.parked('Order:2', 6000);
    })();
    expect(desk.refund('Order:2', 7000, { by: bob }).outcome?.permittedNext).toContainEqual({ action: 'approval.grant', target: approval });
  });
});

describe('the bound on recorded refusals', () => {
  const BOUND = 40;
  const bounded = (): Desk => Desk.open(withLimits({ refusalsPerActorDay: BOUND }));
  const refuse = (desk: Desk, by = agent): Answer => desk.propose('order.explode', 'Order:1', {}, { by });

  it('is 1000 for an actor and a day on the desk', () => {
    expect(Desk.open().sealed.manifest.limits.refusalsPerActorDay).toBe(1000);
  });

  it('writes nothing past the bound, and says when it ends', () => {
    const desk = bounded();
    for (let index = 0; index < BOUND; index += 1) expect(refuse(desk).decision.recorded).toBe(true);
    const head = desk.state.head();
    const { decision } = refuse(desk);
    expect(decision).toEqual({
      kind: 'proposal',
      outcome: null,
      attempt: null,
      changes: [],
      events: [],
      commands: [],
      recorded: false,
      retryAfterMs: DAY_MS - (desk.at % DAY_MS),
    });
    expect(desk.state.head()).toEqual(head);
  });

  it('leaves other actors alone, and what is admitted', () => {
    const desk = bounded();
    for (let index = 0; index <= BOUND; index += 1) refuse(desk);
    expect(refuse(desk, other).decision.recorded).toBe(true);
    expect(desk.refund('Order:1', 2500).outcome).toBeNull();
  });

  it('ends with the UTC day', () => {
    const desk = bounded();
    for (let index = 0; index <= BOUND; index += 1) refuse(desk);
    desk.at += DAY_MS - (desk.at % DAY_MS) - 1;
    expect(refuse(desk).decision.recorded).toBe(false);
    desk.at += 1;
    expect(refuse(desk).decision.recorded).toBe(true);
  });
});

describe('refusals in a row that name a task', () => {
  const refused = (desk: Desk, task: string, times: number): void => {
    for (let index = 0; index < times; index += 1) desk.refund('Order:1', 30_000, { task });
  };
  const statusOf = (desk: Desk, task: string): StoredObject['state'][string] => desk.object(task).state['status'] ?? null;

  it.each([
    ['check 5', (desk: Desk, task: string) => desk.refund('Order:1', 30_000, { task })],
    ['check 1', (desk: Desk, task: string) => desk.propose('order.explode', 'Order:1', {}, { task })],
    ['check 2', (desk: Desk, task: string) => desk.propose('order.refund', 'Order:none', REFUND, { task })],
    ['check 6', (desk: Desk, task: string) => desk.propose('order.amend', 'Order:1', {}, { task })],
  ] as const)('end it as incomplete at the fiftieth, with the reason (%s)', (_check, refuse) => {
    const desk = Desk.open();
    const task = desk.task('Order:1');
    for (let index = 0; index < 49; index += 1) refuse(desk, task);
    expect(statusOf(desk, task)).toBe('open');
    refuse(desk, task);
    expect(statusOf(desk, task)).toBe('incomplete');
    expect(desk.field(task, 'reasons')).toEqual(['50 refusals in a row']);
    expect(desk.events('task.incomplete')).toHaveLength(1);
  });

  it('begin anew after something was admitted under it', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1');
    refused(desk, task, 49);
    desk.landed('Order:1', 1000, { task });
    refused(desk, task, 49);
    expect(statusOf(desk, task)).toBe('open');
    refused(desk, task, 1);
    expect(statusOf(desk, task)).toBe('incomplete');
  });

  it('begin anew after a person reopened it', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1');
    refused(desk, task, 50);
    desk.must('task.reopen', task, {}, { by: ann });
    refused(desk, task, 49);
    expect(statusOf(desk, task)).toBe('open');
  });

  it('do not count where its sight is not the proposer’s', () => {
    const desk = scoped();
    const { decision } = desk.must('task.open', 'Task', { goal: 'x', subject: 'Order:kim' }, { by: ann });
    const task = String(desk.field(decision.attempt ?? '', 'target'));
    for (let index = 0; index < 60; index += 1) desk.propose('order.refund', 'Order:lee', REFUND, { by: other, task });
    expect(statusOf(desk, task)).toBe('open');
    expect(desk.object(task).counters).toEqual({});
  });
});

describe('what is out of scope', () => {
  const shape = (answer: Answer, id: string): string => JSON.stringify([answer.outcome, answer.decision.recorded, answer.decision.events]).replaceAll(id, 'X');

  it.each(['order.refund', 'customer.email', 'ticket.resolve', 'task.complete', 'evidence.record', 'order.amend'])(
    'reads exactly like what is not there, but for the id (%s)',
    (action) => {
      const desk = scoped();
      const parameters: JsonObject =
        action === 'order.refund'
          ? REFUND
          : action === 'customer.email'
            ? { template: 'refund_denied' }
            : action === 'ticket.resolve'
              ? { resolution: 'denied' }
              : action === 'evidence.record'
                ? { finding: 'x' }
                : {};
      const there = desk.propose(action, 'Order:lee', parameters, { expectedRevision: 3 });
      const notThere = desk.propose(action, 'Order:nobody', parameters, { expectedRevision: 3 });
      expect(there.outcome).toMatchObject({ check: 2, code: 'unknown_target', permittedNext: [] });
      expect(shape(there, 'Order:lee')).toBe(shape(notThere, 'Order:nobody'));
    },
  );

  it('is not revealed by a task either', () => {
    const desk = scoped();
    const { decision } = desk.must('task.open', 'Task', { goal: 'x', subject: 'Order:lee' }, { by: ann });
    const task = String(desk.field(decision.attempt ?? '', 'target'));
    const there = desk.propose('order.refund', 'Order:kim', REFUND, { task });
    const notThere = desk.propose('order.refund', 'Order:kim', REFUND, { task: 'Task:nobody' });
    expect(there.outcome?.code).toBe('unknown_target');
    expect(shape(there, task)).toBe(shape(notThere, 'Task:nobody'));
  });

  it('is not revealed by a reference in the parameters', () => {
    const desk = scoped();
    const there = desk.propose('ticket.open', 'Ticket', { customer: 'Customer:kim', order: 'Order:lee', subject: 'x' });
    const notThere = desk.propose('ticket.open', 'Ticket', { customer: 'Customer:kim', order: 'Order:nobody', subject: 'x' });
    expect(there.outcome?.detail).toEqual({ rule: 'reference:order' });
    expect(shape(there, 'Order:lee')).toBe(shape(notThere, 'Order:nobody'));
  });

  it('is not revealed by the attempts that were refused', () => {
    const desk = scoped();
    const there = desk.propose('order.refund', 'Order:lee', REFUND);
    const notThere = desk.propose('order.refund', 'Order:nobody', REFUND);
    const sees = (actor: typeof agent, { attempt }: Answer): string | undefined => desk.propose('attempt.cancel', attempt, {}, { by: actor }).code;
    for (const actor of [agent, other, ann]) {
      if (actor !== other) expect(sees(actor, there)).toBe(sees(actor, notThere));
    }
    expect(sees(agent, there)).toBe('precondition_failed');
    expect(sees(other, notThere)).toBe('unknown_target');
  });

  it('follows its path: handed to another agent, it is gone for the first and there for the second', () => {
    const desk = scoped();
    const refund = (by: typeof agent): string | undefined => desk.propose('order.refund', 'Order:kim', { ...REFUND, amountCents: 90_000 }, { by }).code;
    expect([refund(agent), refund(other)]).toEqual(['precondition_failed', 'unknown_target']);
    desk.must('customer.update', 'Customer:kim', { agent: other.id }, { by: ops });
    expect([refund(agent), refund(other)]).toEqual(['unknown_target', 'precondition_failed']);
  });

  it('covers the attempts and approvals of a target', () => {
    const desk = scoped();
    const { attempt, outcome } = desk.propose('order.refund', 'Order:kim', { ...REFUND, amountCents: 6000 });
    const approval = String(outcome?.detail?.['approval']);
    for (const id of [attempt, approval]) {
      expect(desk.propose(id === attempt ? 'attempt.cancel' : 'approval.grant', id, {}, { by: other }).code).toBe('unknown_target');
      expect(desk.propose('attempt.cancel', id, {}, { by: agent, expectedRevision: 9 }).code).not.toBe('unknown_target');
    }
  });

  it('covers attempts on attempts; of the deepest, only who made them and who reads the log see anything', () => {
    const desk = scoped();
    let attempt = desk.propose('order.refund', 'Order:kim', { ...REFUND, amountCents: 6000 }).attempt;
    const codes = (by: typeof agent): string | undefined => desk.propose('attempt.cancel', attempt, {}, { by, expectedRevision: 9 }).code;
    for (let depth = 0; depth < 20; depth += 1) {
      expect([codes(other), codes(ann) === 'unknown_target', codes(agent) === 'unknown_target']).toEqual(['unknown_target', false, false]);
      attempt = desk.propose('attempt.cancel', attempt, {}, { by: agent, expectedRevision: 9 }).attempt;
    }
  });

  it('of scope `own` is what others made', () => {
    const desk = scoped();
    const made = desk.must('ticket.open', 'Ticket', { customer: 'Customer:kim', subject: 'x' });
    const ticket = String(desk.field(made.attempt, 'target'));
    expect(desk.propose('ticket.resolve', ticket, { resolution: 'denied' }, { by: other }).code).toBe('unknown_target');
    expect(desk.propose('ticket.resolve', ticket, { resolution: 'denied' }, { by: agent }).outcome?.kind).toBe('Succeeded');
  });
});
