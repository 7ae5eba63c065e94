// Design §11: the mandatory core is never dropped; what is listed agrees with what is decided; what is out of scope leaves no trace.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical, DAY_MS, type Frame, type FrameRequest, type Json, type JsonObject, type Outcome, type SealedWorld } from '../../../src/kernel/index.ts';
import { LONG_MS, runs } from '../laws/runs.ts';
import { moves, sealedTight, Simulation } from '../laws/simulator.ts';
import { agent, ann, Desk, ops, other } from './desk.ts';
import { edited, list, part, sealedScoped } from './edited.ts';

const MANDATORY = [
  'manifest',
  'world',
  'actor',
  'location',
  'now',
  'task',
  'conversation',
  'unresolved',
  'completed',
  'blockers',
  'approvals',
  'budgets',
  'actions',
  'evidence',
] as const;

const size = (value: unknown): number => canonical(value as Json).length;

describe('the mandatory core', () => {
  it(
    'is there at any number of bytes, and what was left out is counted by kind',
    () => {
      fc.assert(
        fc.property(moves(80), fc.nat(40_000), (history, maxBytes) => {
          const { desk } = new Simulation(new Desk(sealedTight)).run(history);
          const request = { task: desk.state.ofType('Task', null, 1)[0]?.id ?? null, focus: 'Order:1', since: 3 };
          const [small, whole] = [desk.frame({ ...request, maxBytes }), desk.frame({ ...request, maxBytes: 10_000_000 })];
          for (const section of MANDATORY) expect(small[section], section).toEqual(whole[section]);
          expect(whole.omitted).toEqual({});
          expect(small.objects.length + (small.omitted['objects'] ?? 0)).toBe(whole.objects.length);
          expect(small.changes.length + (small.omitted['changes'] ?? 0)).toBe(whole.changes.length);
          const core = size({ ...small, changes: [], omitted: {}, objects: desk.frame({ ...request, maxBytes: 0 }).objects });
          expect(size({ ...small, omitted: {} })).toBeLessThanOrEqual(Math.max(core, maxBytes));
        }),
        runs(15),
      );
    },
    LONG_MS,
  );

  it('has the objects that the task and the place need, and every integration, at no bytes at all', () => {
    const desk = Desk.open();
    desk.order('Order:2');
    const task = desk.task('Order:1', [['order.refund', 'Order:2']]);
    expect(desk.frame({ task, maxBytes: 0 }).objects.map(({ id }) => id)).toEqual(
      expect.arrayContaining(['Order:1', 'Order:2', 'Customer:kim', 'Integration:payments', 'Integration:mail']),
    );
  });

  it('shows an effect from its dispatch to its end: in flight, in doubt, landed', () => {
    const desk = Desk.open();
    const { attempt } = desk.refund('Order:1', 1000);
    const entry = (section: 'unresolved' | 'completed'): JsonObject | undefined =>
      desk.frame({ focus: 'Order:1' })[section].find((found) => found.attempt === attempt) as JsonObject | undefined;
    expect(entry('unresolved')).toMatchObject({ action: 'order.refund', target: 'Order:1', outcome: null, certainty: 'in_doubt', status: 'dispatched' });
    desk.evidence(attempt, 'unclear');
    expect(entry('unresolved')).toMatchObject({ outcome: { kind: 'OutcomeAmbiguous' }, certainty: 'in_doubt', status: 'settled' });
    desk.evidence(attempt, 'landed');
    expect(entry('unresolved')).toBeUndefined();
    expect(entry('completed')).toMatchObject({ outcome: { kind: 'Succeeded' }, certainty: 'landed', parameters: { amountCents: 1000 } });
    desk.webhook(attempt, 'failed', { rank: 4 });
    expect(entry('completed')).toBeUndefined();
  });

  it('shows the completed effects of the task, wherever their target is', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1');
    const attempt = desk.landed('Order:1', 1000, { task });
    expect(desk.frame({ task, focus: 'Customer:kim' }).completed.map((found) => found.attempt)).toEqual([attempt]);
    expect(desk.frame({ focus: 'Integration:mail' }).completed).toEqual([]);
  });

  it.each([
    ['in_flight', 'answer', (desk: Desk) => desk.refund('Order:1', 100)],
    ['in_doubt', 'read-back, webhook or person: attempt.read_back, attempt.reconcile', (desk: Desk) => desk.doubted('Order:1', 100)],
    ['approval_required', 'person: human', (desk: Desk) => desk.parked('Order:1', 6000)],
    ['approval_expired', 'a new proposal', (desk: Desk) => (desk.parked('Order:1', 6000), desk.pass(DAY_MS))],
    ['integration_unavailable', 'operator: integration.connect', (desk: Desk) => desk.must('integration.disconnect', 'Integration:payments', {}, { by: ops })],
    ['authentication_required', 'operator: integration.connect', (desk: Desk) => desk.evidence(desk.refund('Order:1', 100).attempt, 'login_lost')],
    ['conflict', 'person: attempt.accept_conflict', (desk: Desk) => desk.webhook(desk.notHappened('Order:1', 100), 'landed')],
  ] as const)('names the blocker `%s` and what it waits for', (code, waitsFor, happens) => {
    const desk = Desk.open();
    happens(desk);
    expect(desk.frame().blockers.map((blocker) => ({ code: blocker['code'], waitsFor: blocker['waitsFor'] }))).toContainEqual({ code, waitsFor });
  });

  it('names what a mail in doubt waits for: there is no read-back', () => {
    const desk = Desk.open();
    desk.evidence(desk.propose('customer.email', 'Customer:kim', { template: 'refund_denied' }).attempt, 'unclear', { integration: 'mail' });
    expect(desk.frame().blockers[0]).toMatchObject({ code: 'in_doubt', waitsFor: 'webhook or person: attempt.reconcile' });
  });

  it('says what the task requires and what of it is met', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1', [['order.refund', 'Order:1']]);
    expect(desk.frame({ task }).task).toMatchObject({ id: task, status: 'open', requires: [{ action: 'order.refund', target: 'Order:1', met: null }] });
    const attempt = desk.landed('Order:1', 100, { task });
    expect(desk.frame({ task }).task).toMatchObject({ requires: [{ action: 'order.refund', target: 'Order:1', met: attempt }] });
  });

  it('names the evidence of what it shows', () => {
    const desk = Desk.open();
    const attempt = desk.landed('Order:1', 100);
    expect(desk.frame({ focus: 'Order:1' }).evidence).toEqual(desk.field(attempt, 'evidence'));
  });

  it('is at the focus asked for, else at the subject of the task', () => {
    const desk = Desk.open();
    const task = desk.task('Order:1');
    expect([
      desk.frame({ task }).location,
      desk.frame({ task, focus: 'Customer:kim' }).location,
      desk.frame().location,
      desk.frame({ focus: 'Order:none' }).location,
    ]).toEqual(['Order:1', 'Customer:kim', null, null]);
  });

  it('carries words from outside as data, capped', () => {
    const desk = Desk.open();
    desk.must('message.post', 'Message', { text: 'a'.repeat(4000), conversation: 'Order:1' });
    const { messages } = desk.frame({ focus: 'Order:1' }).conversation as { readonly messages: readonly { readonly text: string }[] };
    expect(messages[0]?.text).toBe(`${'a'.repeat(512)}…`);
  });
});

describe('changes since a cursor', () => {
  it('are the objects whose revision moved since, in order', () => {
    const desk = Desk.open();
    desk.order('Order:2');
    const since = desk.state.head().sequence;
    desk.must('order.amend', 'Order:2', { totalCents: 1 }, { by: ops });
    desk.must('order.amend', 'Order:1', { totalCents: 2 }, { by: ops });
    const changed = desk
      .frame({ since })
      .changes.map(({ object }) => object)
      .filter((id) => String(id).startsWith('Order:'));
    expect(changed).toEqual(['Order:2', 'Order:1']);
    expect(desk.frame({ since: desk.state.head().sequence }).changes).toEqual([]);
    expect(desk.frame({ since: null }).changes).toEqual([]);
  });
});

// ---- availability

/** Rules of every shape that only a proposal can decide: what it says, what it leaves out, under which task, of which actor. */
const sealedOfRules: SealedWorld = edited((world) => {
  const rules = list(part(world, 'actions', 'order.refund'), 'rules');
  rules.push({ name: 'noted', description: '', when: { exists: '$args.note' } });
  rules.push({ name: 'goal', description: '', when: { any: [{ not: { exists: '$task.goal' } }, { eq: ['$task.goal', 'x'] }] } });
  rules.push({ name: 'under_a_task', description: '', when: { exists: '$task.id' } });
  rules.push({ name: 'of_an_agent', description: '', when: { eq: ['$actor.kind', 'Agent'] } });
  list(part(world, 'actions', 'customer.email'), 'rules').push({ name: 'is_a_reply', description: '', when: { exists: '$related.replied.id' } });
  list(part(world, 'actions', 'ticket.resolve'), 'rules').push({
    name: 'order_is_small',
    description: '',
    when: { lt: ['$related.order.totalCents', 15_000] },
  });
});

const FACTS = { endpointAllowed: true, settingsFit: true, live: false };
const note = { note: 'x' };

/** Parameters that fit, of every kind that matters to some rule. */
const PARAMETERS: { readonly [action: string]: readonly JsonObject[] } = {
  'order.refund': [1, 1000, 6000, 30_000].flatMap((amountCents) => [
    { amountCents, reason: 'duplicate' },
    { amountCents, reason: 'fraudulent', note: 'x' },
  ]),
  'customer.email': [{ template: 'refund_issued' }, { template: 'refund_denied' }, { template: 'need_information' }],
  'ticket.resolve': [{ resolution: 'refunded' }, { resolution: 'denied' }],
  'order.amend': [{}, { totalCents: 1 }, { totalCents: 90_000 }],
  'customer.update': [{}, { optedOut: true }],
  'attempt.reconcile': [
    { finding: 'landed', ...note },
    { finding: 'not_happened', ...note },
  ],
  'attempt.accept_conflict': [note],
  'attempt.allow_retries': [{ additional: 1, ...note }],
  'budget.set': [{ limit: 5 }],
  'evidence.record': [{ finding: 'x' }],
  'integration.connect': [{ endpoint: 'http://127.0.0.1:1', credential: 'c', webhookSecret: 'w' }],
};

const isOnlyAsked = (outcome: Outcome): boolean => outcome.failing?.every(({ check, code }) => check === 7 && code === 'approval_required') === true;

function disagreement(desk: Desk): string | undefined {
  const tasks = [null, ...desk.state.ofType('Task', null, 3).map(({ id }) => id)];
  const tickets = desk.state.ofType('Ticket', null, 1).map(({ id }) => ({ template: 'refund_denied', inReplyTo: id }));
  for (const { id } of desk.objects()) {
    for (const action of desk.sealed.actions.values()) {
      if (action.definition.creates === true) continue;
      const candidates = [...(PARAMETERS[action.name] ?? [{}]), ...(action.name === 'customer.email' ? tickets : [])];
      for (const by of [agent, ann, ops]) {
        const listed = desk.listed(action.name, id, by);
        for (const parameters of candidates) {
          for (const task of action.definition.class === 'effect' ? tasks : [null]) {
            const outcome = desk.preview(action.name, id, parameters, { by, task, facts: FACTS });
            const where = `${action.name} on ${id} by ${by.id} ${JSON.stringify(parameters)} ${task ?? ''}: ${outcome?.code ?? 'admitted'}, listed ${JSON.stringify(listed)}`;
            if (listed === undefined) {
              if (outcome?.code !== 'not_authorized' && outcome?.code !== 'wrong_target_type') return where;
            } else if (!listed.available) {
              const said = outcome?.failing?.some(({ code }) => code === listed.code) ?? false;
              if (!said && outcome?.check !== 6 && outcome?.check !== 2) return where;
            } else if (outcome !== null && isOnlyAsked(outcome) && listed.needs !== 'approval') return where;
          }
        }
      }
    }
  }
  return undefined;
}

describe('the actions that are listed', () => {
  it.each([
    ['on the desk', undefined],
    ['with little room', sealedTight],
    ['with rules that only a proposal decides', sealedOfRules],
  ] as const)(
    'agree with what is decided, after any history (%s)',
    (_world, sealed) => {
      fc.assert(
        fc.property(moves(60), (history) => {
          const { desk } = new Simulation(new Desk(sealed)).run(history);
          expect(disagreement(desk)).toBeUndefined();
        }),
        runs(5),
      );
    },
    LONG_MS,
  );

  const listedAs = (happens: (desk: Desk) => unknown, action = 'order.refund', target = 'Order:1', by = agent): unknown => {
    const desk = Desk.open();
    happens(desk);
    return desk.listed(action, target, by);
  };

  it.each([
    ['in_flight', (desk: Desk) => desk.refund('Order:1', 100)],
    ['in_doubt', (desk: Desk) => desk.doubted('Order:1', 100)],
    ['integration_unavailable', (desk: Desk) => desk.must('integration.disconnect', 'Integration:payments', {}, { by: ops })],
    ['authentication_required', (desk: Desk) => (desk.order('Order:2'), desk.evidence(desk.refund('Order:2', 100).attempt, 'login_lost'))],
    ['resource_exhausted', (desk: Desk) => desk.must('budget.set', 'Budget:refunds', { limit: 0 }, { by: ops })],
    [
      'retry_exhausted',
      (desk: Desk) => {
        for (let round = 0; round < 6; round += 1) desk.notHappened('Order:1', 100 + round, { by: ann });
      },
    ],
  ] as const)('are unavailable with `%s` where that holds for all parameters', (code, happens) => {
    expect(listedAs(happens)).toMatchObject({ action: 'order.refund', available: false, code });
  });

  it('are available, and say that only parameters decide a rule', () => {
    expect(listedAs(() => undefined)).toEqual({
      action: 'order.refund',
      available: true,
      needs: 'approval',
      depends: ['within_remaining', 'line_is_recorded'],
    });
  });

  it('are available where one key is used up: other parameters have another', () => {
    expect(listedAs((desk) => desk.evidence(desk.refund('Order:1', 100).attempt, 'declined'))).toMatchObject({ available: true });
  });

  it('are available where a standing approval stops what needs one: other parameters need none', () => {
    expect(listedAs((desk) => desk.parked('Order:1', 6000))).toMatchObject({ available: true, needs: 'approval' });
  });

  it('of what is fenced by identity are unavailable where nothing more may be unresolved', () => {
    const desk = Desk.open(edited((world) => Object.assign(part(world, 'limits'), { unresolvedMax: 1 })));
    desk.refund('Order:1', 100);
    expect(desk.listed('customer.email', 'Customer:kim')).toMatchObject({ available: false, code: 'resource_exhausted' });
  });

  it('offer a person to say `landed` of what was shown not to have happened', () => {
    const desk = Desk.open();
    expect(desk.listed('attempt.reconcile', desk.notHappened('Order:1', 100), ann)).toMatchObject({ available: true });
    expect(desk.listed('attempt.reconcile', desk.landed('Order:1', 200, { by: ann }), ann)).toMatchObject({ available: false, code: 'precondition_failed' });
  });

  it.each([
    ['another role', 'order.amend', agent],
    ['the proposer', 'approval.grant', agent],
  ] as const)('leave out what is not for %s', (_who, action, by) => {
    const desk = Desk.open();
    const { approval } = desk.parked('Order:1', 6000);
    expect(desk.listed(action, action === 'order.amend' ? 'Order:1' : approval, by)).toBeUndefined();
    expect(desk.listed(action, action === 'order.amend' ? 'Order:1' : approval, action === 'order.amend' ? ops : ann)).toMatchObject({ available: true });
  });

  it('carry their input schema once, and a reason where they are unavailable', () => {
    const desk = Desk.open();
    desk.order('Order:2');
    const task = desk.task('Order:1', [['order.refund', 'Order:2']]);
    const attempt = desk.doubted('Order:2', 100, { by: ann });
    const refunds = desk.frame({ task }).actions.filter(({ action }) => action === 'order.refund');
    expect(refunds.filter(({ inputSchema }) => inputSchema !== undefined)).toHaveLength(1);
    expect(refunds.find(({ target }) => target === 'Order:2')).toMatchObject({ available: false, code: 'in_doubt', reason: { attempt } });
  });

  it('name the creations that the actor may make', () => {
    const created = (by: typeof agent): readonly string[] =>
      Desk.open()
        .frame({ actor: by })
        .actions.filter(({ target }) => !target.includes(':'))
        .map(({ action }) => action);
    expect(created(agent)).toEqual(['memory.record', 'message.post', 'ticket.open']);
    expect(created(ops)).toEqual(['customer.register', 'order.record', 'task.open', 'ticket.open']);
  });
});

// ---- scope

/** As `sealedScoped`, and agents do not see the budget, which everybody spends. */
const sealedApart: SealedWorld = (() => {
  const budgetless = JSON.parse(sealedScoped.text) as Parameters<Parameters<typeof edited>[0]>[0];
  return edited((world) => {
    Object.assign(world, budgetless);
    part(world, 'types', 'Budget', 'scope')['agent'] = 'own';
  });
})();

function apart(): Desk {
  const desk = new Desk(sealedApart);
  for (const by of [agent, other, ann]) desk.must('memory.record', 'Memory', { text: 'here' }, { by });
  for (const [name, who] of [
    ['kim', agent],
    ['lee', other],
  ] as const) {
    desk.must('customer.register', `Customer:${name}`, { name, email: `${name}@customers.test`, agent: who.id }, { by: ops });
    desk.must('order.record', `Order:${name}`, { customer: `Customer:${name}`, chargeId: `ch_${name}`, currency: 'eur', totalCents: 20_000 }, { by: ops });
  }
  for (const name of ['payments', 'mail']) desk.connect(name);
  desk.must('task.open', 'Task:kim', { goal: 'x', subject: 'Order:kim' }, { by: ann });
  desk.must('ticket.open', 'Ticket', { customer: 'Customer:kim', order: 'Order:kim', subject: 'x' });
  desk.doubted('Order:kim', 1000);
  return desk;
}

/** What can be done where Agent:one sees nothing of it. */
const ELSEWHERE: readonly ((desk: Desk, index: number) => unknown)[] = [
  (desk, index) => desk.propose('order.amend', 'Order:lee', { totalCents: 20_000 + index }, { by: ops }),
  (desk, index) =>
    desk.propose(
      'order.record',
      `Order:lee-${index}`,
      { customer: 'Customer:lee', chargeId: `ch_lee_${index}`, currency: 'eur', totalCents: 9000 },
      { by: ops },
    ),
  (desk, index) => desk.propose('customer.update', 'Customer:lee', { email: `lee${index}@customers.test` }, { by: ops }),
  (desk, index) => desk.propose('ticket.open', 'Ticket', { customer: 'Customer:lee', subject: `t${index}` }, { by: other }),
  (desk, index) => desk.propose('message.post', 'Message', { text: `m${index}`, conversation: 'Order:lee' }, { by: other }),
  (desk, index) => desk.propose('task.open', `Task:lee-${index}`, { goal: 'x', subject: 'Order:lee' }, { by: ann }),
  (desk) => desk.propose('evidence.record', 'Order:lee', { finding: 'x' }, { by: ann }),
  (desk, index) => desk.propose('order.refund', `Order:lee-${index - (index % 5)}`, { amountCents: 6000 + index, reason: 'duplicate' }, { by: other }),
  (desk, index) => desk.propose('order.refund', 'Order:lee', { amountCents: 90_000 + index, reason: 'duplicate' }, { by: other }),
  (desk, index) => {
    const { attempt, outcome } = desk.propose('order.refund', 'Order:lee', { amountCents: 1 + index, reason: 'duplicate' }, { by: other });
    if (outcome === null && desk.attemptCell(attempt).phase === 'sent') desk.evidence(attempt, index % 2 === 0 ? 'landed' : 'unclear');
  },
];

const REQUESTS: readonly Partial<FrameRequest>[] = [
  {},
  { focus: 'Order:kim' },
  { task: 'Task:kim', since: 5 },
  { focus: 'Customer:kim', since: 12, maxBytes: 30_000 },
  { focus: 'Order:lee', task: 'Task:lee-0' },
];

describe('what happens out of scope', () => {
  it(
    'leaves the frame byte-identical, however much it is',
    () => {
      fc.assert(
        fc.property(fc.array(fc.nat(ELSEWHERE.length - 1), { minLength: 1, maxLength: 120, size: 'max' }), (happens) => {
          const desk = apart();
          const frames = (): readonly { readonly frame: Frame; readonly sequence: number }[] => REQUESTS.map((request) => desk.compiled(request));
          const before = frames();
          for (const [index, which] of happens.entries()) ELSEWHERE[which]?.(desk, index);
          const after = frames();
          for (const [index, { frame }] of before.entries())
            expect(canonical(after[index]?.frame as unknown as Json)).toBe(canonical(frame as unknown as Json));
        }),
        runs(12),
      );
    },
    LONG_MS,
  );

  it('does not make what is in scope look unseen: the frame proves sight of it', () => {
    const desk = apart();
    for (let index = 0; index < 150; index += 1) ELSEWHERE[0]?.(desk, index);
    desk.must('ticket.open', 'Ticket:mine', { customer: 'Customer:kim', subject: 'x' }, { by: ops });
    const { sequence } = desk.compiled();
    const observed = { kind: 'seen', sequence, subject: '*' } as const;
    expect(desk.propose('customer.email', 'Customer:kim', { template: 'refund_denied' }, { observed }).outcome).toBeNull();
  });

  it('hides no change that is in scope', () => {
    const desk = apart();
    const since = desk.state.head().sequence;
    for (let index = 0; index < 120; index += 1) ELSEWHERE[0]?.(desk, index);
    desk.must('customer.update', 'Customer:kim', { email: 'new@customers.test' }, { by: ops });
    expect(desk.frame({ since }).changes.map(({ object }) => object)).toEqual([expect.stringMatching(/^ActionAttempt:/), 'Customer:kim']);
  });

  it('hides no action on what is unresolved in scope', () => {
    const desk = apart();
    for (let index = 0; index < 30; index += 1) {
      ELSEWHERE[1]?.(desk, index);
      desk.propose('order.refund', `Order:lee-${index}`, { amountCents: 100, reason: 'duplicate' }, { by: other });
    }
    desk.must('order.record', 'Order:late', { customer: 'Customer:kim', chargeId: 'ch_late', currency: 'eur', totalCents: 9000 }, { by: ops });
    const attempt = desk.doubted('Order:late', 100);
    expect(desk.frame().actions).toContainEqual(expect.objectContaining({ action: 'attempt.read_back', target: attempt, available: true }));
  });

  it('is not counted among the relationships of what is in scope', () => {
    const desk = apart();
    const tickets = (): unknown => desk.frame({ focus: 'Customer:kim' }).objects.find(({ id }) => id === 'Customer:kim')?.relationships['tickets'];
    const before = tickets();
    for (let index = 0; index < 30; index += 1) desk.must('ticket.open', `Ticket:${index}`, { customer: 'Customer:kim', subject: 'x' }, { by: ann });
    expect(tickets()).toEqual(before);
    expect(before).toHaveLength(1);
  });

  it('is not shown by the completed effects of a task that is in scope', () => {
    const desk = apart();
    desk.must('customer.update', 'Customer:lee', { agent: agent.id }, { by: ops });
    desk.must(
      'task.open',
      'Task:both',
      { goal: 'x', subject: 'Order:kim', requires: { effects: [{ action: 'order.refund', target: 'Order:lee' }] } },
      { by: ann },
    );
    const { attempt } = desk.propose('order.refund', 'Order:lee', { amountCents: 100, reason: 'duplicate' }, { by: ann, task: 'Task:both' });
    desk.evidence(attempt, 'landed');
    expect(desk.frame({ task: 'Task:both' }).completed.map((found) => found.attempt)).toContain(attempt);
    desk.must('customer.update', 'Customer:lee', { agent: other.id }, { by: ops });
    expect(desk.frame({ task: 'Task:both' }).completed).toEqual([]);
  });
});
