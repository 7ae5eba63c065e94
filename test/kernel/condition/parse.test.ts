import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../../src/kernel/base/canonical.ts';
import type { Json } from '../../../src/kernel/base/json.ts';
import { LIMITS } from '../../../src/kernel/base/limits.ts';
import { conditionJson, operandJson } from '../../../src/kernel/condition/evaluate.ts';
import { parseCondition, parseOperand, parseReference } from '../../../src/kernel/condition/parse.ts';
import { printCondition } from '../../../src/kernel/condition/print.ts';
import { condition, operand } from './arbitrary.ts';

function defectsOf(json: unknown): readonly string[] {
  return parseCondition(json as Json, '').defects.map(({ path, code }) => `${path} ${code}`);
}

describe('references', () => {
  it.each([
    ['$target.status', { root: 'target', path: ['status'] }],
    ['$args.x.y', { root: 'args', path: ['x', 'y'] }],
    ['$actor.id', { root: 'actor', path: ['id'] }],
    ['$task.goal', { root: 'task', path: ['goal'] }],
    ['$evidence.providerId', { root: 'evidence', path: ['providerId'] }],
    ['$attempt.correlationId', { root: 'attempt', path: ['correlationId'] }],
    ['$made.refund', { root: 'made', path: ['refund'] }],
    ['$now', { root: 'now' }],
    ['$related.order.totalCents', { root: 'related', name: 'order', path: ['totalCents'] }],
    ['$effects.order.refund.landedTotal', { root: 'effects', of: null, action: 'order.refund', same: null, sum: 'landedTotal' }],
    ['$effects.refund.heldCount', { root: 'effects', of: null, action: 'refund', same: null, sum: 'heldCount' }],
    ['$effects.a.b.c.landedCount', { root: 'effects', of: null, action: 'a.b.c', same: null, sum: 'landedCount' }],
    ['$effects.order.refund.same.line.heldTotal', { root: 'effects', of: null, action: 'order.refund', same: 'line', sum: 'heldTotal' }],
    ['$related.order.$effects.order.refund.landedCount', { root: 'effects', of: 'order', action: 'order.refund', same: null, sum: 'landedCount' }],
    ['$related.order.$effects.order.refund.same.line.landedCount', { root: 'effects', of: 'order', action: 'order.refund', same: 'line', sum: 'landedCount' }],
  ])('%s is taken apart', (text, parts) => {
    expect(parseReference(text)).toEqual({ reference: { ...parts, text } });
  });

  it.each([
    ['$', 'unknown_root', undefined],
    ['$tagret.x', 'unknown_root', '$target'],
    ['$settings.from', 'unknown_root', undefined],
    ['$TARGET.x', 'unknown_root', undefined],
    ['$target', 'malformed_reference', undefined],
    ['$target.', 'malformed_reference', undefined],
    ['$target..a', 'malformed_reference', undefined],
    ['$target.a b', 'malformed_reference', undefined],
    ['$target.__proto__', 'malformed_reference', undefined],
    ['$target.0', 'malformed_reference', undefined],
    ['$now.day', 'malformed_reference', '$now'],
    ['$related.order', 'malformed_reference', undefined],
    ['$related.order.$effects', 'malformed_reference', undefined],
    ['$effects.landedTotal', 'malformed_reference', undefined],
    ['$effects.order.refund.landedtotal', 'unknown_sum', 'landedTotal'],
    ['$effects.order.refund.same.landedTotal', 'malformed_reference', undefined],
    ['$effects.same.line.landedTotal', 'malformed_reference', undefined],
    [`$target.${'a'.repeat(LIMITS.pathLengthMax)}`, 'reference_too_long', undefined],
    [`$target${'.a'.repeat(20)}`, 'reference_too_long', undefined],
  ])('%s is a defect', (text, code, suggestion) => {
    const { defect } = parseReference(text);
    expect(defect?.code).toBe(code);
    expect(defect?.suggestion).toBe(suggestion);
  });
});

describe('conditions', () => {
  it.each<[unknown, readonly string[]]>([
    [null, [' not_a_condition']],
    [1, [' not_a_condition']],
    ['$target.a', [' not_a_condition']],
    [[], [' not_a_condition']],
    [{}, [' not_a_condition']],
    [{ eq: [1, 1], ne: [1, 2] }, [' not_a_condition']],
    [{ eqq: [1, 1] }, [' unknown_operator']],
    [{ constructor: [1, 1] }, [' unknown_operator']],
    [JSON.parse('{"__proto__": true}'), [' unknown_operator']],
    [{ all: [] }, ['/all too_few_items']],
    [{ any: true }, ['/any not_a_list']],
    [{ not: [true] }, ['/not not_a_condition']],
    [{ eq: [1] }, ['/eq too_few_items']],
    [{ eq: [1, 2, 3] }, ['/eq wrong_operand_count']],
    [{ eq: { a: 1 } }, ['/eq not_a_list']],
    [{ eq: [1.5, 2] }, ['/eq/0 not_a_safe_integer']],
    [{ eq: [[0.5, 'a\ud800'], -0] }, ['/eq/0/0 not_a_safe_integer', '/eq/0/1 unpaired_surrogate', '/eq/1 negative_zero']],
    [{ eq: [{ a: 1 }, 2] }, ['/eq/0 unknown_operator']],
    [{ eq: [{}, 2] }, ['/eq/0 not_an_operand']],
    [{ eq: [undefined, 2] }, ['/eq/0 not_json']],
    [{ gt: [{ add: [1] }, 2] }, ['/gt/0/add too_few_items']],
    [{ gt: [{ count: '$target.a' }, 2] }, ['/gt/0/count not_a_relationship']],
    [{ gt: [{ item: ['$target.lines', 'a'] }, 2] }, ['/gt/0/item wrong_operand_count']],
    [{ gt: [{ item: ['$target.lines', 'a', '$args.f'] }, 2] }, ['/gt/0/item/2 not_a_field']],
    [{ eq: ['x'.repeat(LIMITS.stringLengthMax + 1), 2] }, ['/eq/0 text_too_long']],
    [{ in: [1, Array.from({ length: LIMITS.conditionListMax + 1 }, () => 0)] }, ['/in/1 too_many_items']],
    [
      { all: [{ eq: ['$tagret.a', 1] }, { nt: true }, { not: { any: [{ exists: '$now.x' }, 7] } }] },
      ['/all/0/eq/0 unknown_root', '/all/1 unknown_operator', '/all/2/not/any/0/exists malformed_reference', '/all/2/not/any/1 not_a_condition'],
    ],
  ])('%j has every defect named at its path', (json, defects) => {
    expect(defectsOf(json)).toEqual(defects);
    expect(parseCondition(json as Json, '').node).toBeUndefined();
  });

  it('suggest the operator that was meant', () => {
    expect(parseCondition({ eqq: [1, 1] }, '/when').defects).toEqual([{ path: '/when', code: 'unknown_operator', detail: 'eqq', suggestion: 'eq' }]);
    expect(parseCondition({ eq: [{ ad: [1, 2] }, 3] }, '').defects[0]?.suggestion).toBe('add');
  });

  it('are bounded in depth: the bound passes, one more does not', () => {
    const nest = (levels: number): Json => (levels === 1 ? true : { not: nest(levels - 1) });
    expect(defectsOf(nest(LIMITS.conditionDepthMax))).toEqual([]);
    expect(defectsOf(nest(LIMITS.conditionDepthMax + 1))).toEqual([`${'/not'.repeat(LIMITS.conditionDepthMax)} too_deep`]);
  });

  it('do not overflow the stack, however deep their text is', () => {
    let list: Json = 1;
    for (let level = 0; level < 20_000; level += 1) list = [list];
    expect(defectsOf({ eq: [list, 1] }).at(-1)).toContain('too_deep');
  });

  it('are bounded in nodes, said once', () => {
    const block = (count: number): Json => ({ any: Array.from({ length: count }, () => true) });
    expect(defectsOf({ all: [block(84), block(84), block(84)] })).toEqual([]);
    expect(defectsOf({ all: [block(84), block(84), block(85), block(20)] }).map((line) => line.split(' ')[1])).toEqual(['too_many_nodes']);
  });

  it('are not read beyond the bound', () => {
    const json = { all: [...Array.from({ length: 3 }, () => ({ any: Array.from({ length: 90 }, () => true) })), { nonsense: 1 }] };
    expect(defectsOf(json).map((line) => line.split(' ')[1])).toEqual(['too_many_nodes']);
  });

  it('hold lists of literals as one literal, and lists with references as lists', () => {
    expect(parseOperand(['$$a', 1, [null]], '').node).toEqual({ kind: 'literal', value: ['$a', 1, [null]] });
    expect(parseOperand(['a', '$now'], '').node).toEqual({
      kind: 'list',
      items: [
        { kind: 'literal', value: 'a' },
        { kind: 'reference', reference: { root: 'now', text: '$now' } },
      ],
    });
  });

  it('keep defects short, whatever was sent', () => {
    const [defect] = parseCondition({ ['k\ud800'.repeat(500)]: 1 }, '/requires/condition').defects;
    expect(defect?.detail?.length).toBeLessThanOrEqual(80);
    expect(canonical({ ...defect } as Json)).toContain('unknown_operator');
  });
});

describe('the way back', () => {
  it('gives the JSON that was parsed', () => {
    fc.assert(
      fc.property(condition, (json) => {
        const { node } = parseCondition(json, '');
        return node !== undefined && canonical(conditionJson(node)) === canonical(json);
      }),
      { numRuns: 1_000 },
    );
    fc.assert(
      fc.property(operand, (json) => {
        const { node } = parseOperand(json, '');
        return node !== undefined && canonical(operandJson(node)) === canonical(json);
      }),
      { numRuns: 1_000 },
    );
  });

  it('and parsing and printing are the same on every run', () => {
    fc.assert(
      fc.property(condition, (json) => {
        const [a, b] = [parseCondition(json, ''), parseCondition(JSON.parse(JSON.stringify(json)) as Json, '')];
        expect(a).toEqual(b);
        return a.node !== undefined && b.node !== undefined && printCondition(a.node) === printCondition(b.node);
      }),
    );
  });

  it('never throws, whatever JSON it is given', () => {
    fc.assert(fc.property(fc.jsonValue(), (json) => parseCondition(json as Json, '').defects.length >= 0));
  });
});
