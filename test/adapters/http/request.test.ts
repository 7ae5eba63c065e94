// The exact bytes that leave, and what may never be among them.
import { describe, expect, it } from 'vitest';
import { mail } from '../../../src/adapters/contracts/mail.ts';
import { payments } from '../../../src/adapters/contracts/payments.ts';
import { operandTree, resolveOperand } from '../../../src/adapters/http/operands.ts';
import { compileExpectations, compileProbe, compileRequest } from '../../../src/adapters/http/request.ts';
import type { HttpContract, Json, OperationContract } from '../../../src/kernel/index.ts';
import { CORRELATION_ID, mailScope, refundScope } from './subjects.ts';

describe('payments', () => {
  it('a refund of a charge is one form, in the order of the contract', () => {
    expect(compileRequest(payments, 'refund', refundScope('ch_1'))).toEqual({
      method: 'POST',
      path: '/v1/refunds',
      headers: {
        'stripe-version': '2024-10-28.acacia',
        accept: 'application/json',
        'idempotency-key': CORRELATION_ID,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `charge=ch_1&amount=2500&reason=requested_by_customer&metadata%5Bcorrelation_id%5D=${CORRELATION_ID}&metadata%5Bworld%5D=acme%2Fdesk`,
    });
  });

  it.each([
    ['ch_1', 'charge'],
    ['py_1', 'charge'],
    ['pi_1', 'payment_intent'],
  ])('%s goes as %s, in the request and in the read-back', (chargeId, name) => {
    const form = new URLSearchParams(compileRequest(payments, 'refund', refundScope(chargeId)).body ?? '');
    expect([form.get('charge'), form.get('payment_intent')].filter((value) => value !== null)).toEqual([chargeId]);
    expect(form.get(name)).toBe(chargeId);
    expect(compileProbe(payments, refundScope(chargeId)).path).toBe(`/v1/refunds?${name}=${chargeId}&limit=100`);
  });

  it('the answer must repeat the amount', () => {
    expect(compileExpectations(payments, 'refund', refundScope('ch_1'))).toEqual({ amount: 2_500 });
  });
});

describe('mail', () => {
  const bodyOf = (...scope: Parameters<typeof mailScope>): Json => JSON.parse(compileRequest(mail, 'send', mailScope(...scope)).body ?? '') as Json;

  it('a mail has its sender, one recipient, subject, text and the correlation id as a tag', () => {
    expect(compileRequest(mail, 'send', mailScope({ template: 'refund_issued' }))).toEqual({
      method: 'POST',
      path: '/emails',
      headers: {
        'user-agent': 'compiled-world-runtime/1',
        accept: 'application/json',
        'idempotency-key': CORRELATION_ID,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        from: 'Refund desk <desk@example.com>',
        to: ['kim@customers.test'],
        subject: 'Your refund',
        text: 'We have issued your refund. It can take some days until your bank shows it.',
        tags: [{ name: 'correlation_id', value: CORRELATION_ID }],
      }),
    });
  });

  it('each template has its own subject, and an unknown one the fallback', () => {
    const subjects = ['refund_issued', 'refund_denied', 'need_information', 'other'].map((template) => (bodyOf({ template }) as { subject: string }).subject);
    expect(new Set(subjects).size).toBe(4);
    expect(subjects.at(-1)).toBe('Your request');
  });

  it('a body that was given is the text', () => {
    expect(bodyOf({ template: 'refund_denied', body: 'Dear Kim,\nno. $args.template' })).toMatchObject({
      text: 'Dear Kim,\nno. $args.template',
      subject: 'Your refund request',
    });
  });

  it('a sender from the settings replaces the default', () => {
    expect(bodyOf({ template: 'other' }, { from: 'desk@shop.test' })).toMatchObject({ from: 'desk@shop.test' });
  });
});

describe('operands', () => {
  const tree = operandTree(mail, { ...mailScope({ empty: '', zero: 0, no: null, list: [1, 2] }), related: { order: { chargeId: 'ch_9' } } });

  it.each<[Json, Json | undefined]>([
    ['text', 'text'],
    ['$$target.email', '$target.email'],
    ['$target.email', 'kim@customers.test'],
    ['$related.order.chargeId', 'ch_9'],
    ['$related.order.missing', undefined],
    ['$related.constructor.name', undefined],
    ['$args.__proto__', undefined],
    ['$args.no', undefined],
    ['$args.zero', 0],
    ['$args.empty', ''],
    ['$settings.from', 'Refund desk <desk@example.com>'],
    ['$unknown.root', undefined],
    [null, undefined],
    [7, 7],
    [
      ['$args.list', '$args.no', 'x'],
      [[1, 2], 'x'],
    ],
    [{ a: { b: '$args.zero', c: '$args.no' } }, { a: { b: 0 } }],
    [{ first: ['$args.no', '$args.missing', '$args.zero', 'x'] }, 0],
    [{ first: ['$args.no'] }, undefined],
    [
      { first: ['x'], second: 1 },
      { first: ['x'], second: 1 },
    ],
  ])('%j resolves to %j', (operand, expected) => {
    expect(resolveOperand(operand, tree)).toEqual(expected);
  });
});

describe('compilation', () => {
  const operation: OperationContract = {
    method: 'GET',
    path: '/things',
    encoding: 'none',
    headers: {},
    body: [
      { name: 'q', from: '$args.q' },
      { name: 'q', from: 'second' },
    ],
    response: { schema: { type: 'object', properties: {}, required: [], additionalProperties: false }, echoes: {}, evidence: {} },
  };
  const withOperation = (more: Partial<OperationContract>): HttpContract => ({ ...mail, operations: { it: { ...operation, ...more } } });

  it('the same scope gives the same bytes', () => {
    for (const [contract, name, scope] of [
      [payments, 'refund', refundScope('pi_1')],
      [mail, 'send', mailScope({ template: 'x' })],
    ] as const) {
      expect(JSON.stringify(compileRequest(contract, name, scope))).toBe(JSON.stringify(compileRequest(contract, name, structuredClone(scope))));
    }
  });

  it('without encoding the mappings are the query, and the first present one of a name counts', () => {
    expect(compileRequest(withOperation({}), 'it', mailScope({ q: 'a b&c' })).path).toBe('/things?q=a+b%26c');
    expect(compileRequest(withOperation({}), 'it', mailScope({})).path).toBe('/things?q=second');
  });

  it('a fault of the contract throws before anything is committed', () => {
    expect(() => compileRequest(mail, 'nothing', mailScope({}))).toThrow('no such operation');
    expect(() => compileRequest(mail, 'toString', mailScope({}))).toThrow('no such operation');
    expect(() => compileProbe(mail, mailScope({}))).toThrow('no read-back');
    expect(() => compileRequest(withOperation({ headers: { 'x-note': '$args.note' } }), 'it', mailScope({ note: 'a\r\nb: c' }))).toThrow('header value');
    expect(() => compileRequest(withOperation({ encoding: 'form', body: [{ name: 'x', from: ['a'] }] }), 'it', mailScope({}))).toThrow('form');
    expect(() => compileRequest(withOperation({ body: [{ name: 'x', from: 'a', when: { nonsense: [] } }] }), 'it', mailScope({}))).toThrow('condition');
  });
});
