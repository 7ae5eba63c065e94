import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical } from '../../../src/kernel/base/canonical.ts';
import type { Json } from '../../../src/kernel/base/json.ts';
import { evaluate, evaluateOperand, explainTruth, referencesOf, relationshipsOf } from '../../../src/kernel/condition/evaluate.ts';
import { parseCondition, parseOperand } from '../../../src/kernel/condition/parse.ts';
import type { ConditionNode, OperandNode, Trace } from '../../../src/kernel/condition/types.ts';
import cases from '../../cases/conditions.json' with { type: 'json' };
import { condition, context } from './arbitrary.ts';
import { naive } from './naive.ts';
import { plainScope, type PlainContext } from './plain-scope.ts';

function parsed(json: Json): ConditionNode {
  const { node, defects } = parseCondition(json, '');
  if (node === undefined) throw new Error(`not a condition: ${JSON.stringify(defects)}`);
  return node;
}

function parsedOperand(json: Json): OperandNode {
  const { node } = parseOperand(json, '');
  if (node === undefined) throw new Error('not an operand');
  return node;
}

function judged(json: Json, over: PlainContext): { truth: string; missing: readonly string[] } {
  return evaluate(parsed(json), plainScope(over));
}

interface Row {
  readonly condition: Json;
  readonly context: PlainContext;
  readonly truth: string;
  readonly missing?: readonly string[];
}
const ROWS: readonly Row[] = cases.rows as unknown as readonly Row[];
const MAX = Number.MAX_SAFE_INTEGER;

describe('the published rows', () => {
  it('are all here', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(36);
  });

  it.each(ROWS.map((row) => ({ ...row, title: JSON.stringify(row.condition) })))('$title over its context is $truth', (row) => {
    const result = judged(row.condition, row.context);
    expect(result.truth).toBe(row.truth);
    expect(result.missing).toEqual(row.truth === 'unknown' ? (row.missing ?? []) : []);
    expect(naive(row.condition, row.context)).toEqual(result);
  });
});

describe('Kleene logic without short circuit', () => {
  const UNKNOWN: Json = { eq: ['$target.gone', 1] };
  const TABLE: readonly (readonly [a: Json, b: Json, all: string, any: string])[] = [
    [true, true, 'true', 'true'],
    [true, false, 'false', 'true'],
    [true, UNKNOWN, 'unknown', 'true'],
    [false, false, 'false', 'false'],
    [false, UNKNOWN, 'false', 'unknown'],
    [UNKNOWN, UNKNOWN, 'unknown', 'unknown'],
  ];

  it.each(TABLE)('%j with %j: all is %s, any is %s', (a, b, all, any) => {
    for (const of of [
      [a, b],
      [b, a],
    ]) {
      expect(judged({ all: of }, {}).truth).toBe(all);
      expect(judged({ any: of }, {}).truth).toBe(any);
    }
  });

  it('leaves unknown unknown under not', () => {
    expect(judged({ not: UNKNOWN }, {})).toEqual({ truth: 'unknown', missing: ['$target.gone'] });
    expect(judged({ not: true }, {}).truth).toBe('false');
    expect(judged({ not: { not: true } }, {}).truth).toBe('true');
  });

  it('asks for every reference of every part, also after the answer is known', () => {
    const asked: string[] = [];
    const node = parsed({ all: [false, { any: [true, { eq: ['$target.a', '$args.b'] }] }, { in: ['$now', ['$task.c']] }] });
    evaluate(node, { resolve: (reference) => (asked.push(reference.text), undefined), count: () => undefined });
    expect(asked).toEqual(['$target.a', '$args.b', '$now', '$task.c']);
  });
});

describe('values and their absence', () => {
  it.each<[Json, PlainContext, string, readonly string[]]>([
    [{ eq: ['$target.a', null] }, { target: { a: null } }, 'unknown', ['$target.a']],
    [{ ne: ['$target.a', null] }, { target: { a: 1 } }, 'true', []],
    [
      {
        eq: [
          ['$target.a', 1],
          [null, 1],
        ],
      },
      { target: { a: null } },
      'unknown',
      ['$target.a'],
    ],
    [{ eq: ['$target.a', [null]] }, { target: { a: [null] } }, 'true', []],
    [{ contains: ['$target.a', null] }, { target: { a: [1, null] } }, 'true', []],
    [{ in: ['$target.a', [1, '$args.b']] }, { target: { a: 1 }, args: {} }, 'unknown', ['$args.b']],
    [{ exists: { add: ['$target.a', 1] } }, { target: {} }, 'false', []],
    [{ exists: { add: ['$target.a', 1] } }, { target: { a: 1 } }, 'true', []],
    [{ exists: ['$target.a', null] }, { target: { a: 1 } }, 'true', []],
    [{ any: [{ exists: '$target.gone' }, { eq: ['$target.gone2', 1] }] }, { target: {} }, 'unknown', ['$target.gone2']],
  ])('%j over %j is %s', (json, over, truth, missing) => {
    expect(judged(json, over)).toEqual({ truth, missing });
  });

  it('sees own keys only', () => {
    expect(judged({ exists: '$target.constructor' }, { target: {} }).truth).toBe('false');
    expect(judged({ contains: ['$target.o', 'toString'] }, { target: { o: {} } }).truth).toBe('false');
  });

  it('compares deeply, whatever the order of keys', () => {
    expect(judged({ eq: ['$target.a', '$args.a'] }, { target: { a: { x: [1, { y: null }], z: 2 } }, args: { a: { z: 2, x: [1, { y: null }] } } }).truth).toBe(
      'true',
    );
    expect(judged({ eq: ['$target.a', '$args.a'] }, { target: { a: { x: 1 } }, args: { a: { x: 1, y: 1 } } }).truth).toBe('false');
    expect(judged({ eq: ['$target.a', '$args.a'] }, { target: { a: [1, 2] }, args: { a: [2, 1] } }).truth).toBe('false');
  });

  it.each(['contains', 'starts_with', 'ends_with'])('%s of an empty text is true, of the empty text too', (operator) => {
    expect(judged({ [operator]: ['ab', ''] }, {}).truth).toBe('true');
    expect(judged({ [operator]: ['', ''] }, {}).truth).toBe('true');
  });

  it('takes `$$` for a dollar sign, also within lists', () => {
    expect(judged({ eq: ['$target.a', '$$target.a'] }, { target: { a: '$target.a' } }).truth).toBe('true');
    expect(judged({ in: ['$target.a', ['$$', '$$$']] }, { target: { a: '$' } }).truth).toBe('true');
  });
});

describe('values of types that meet only at run time', () => {
  const over: PlainContext = { target: { text: 'a', number: 1, flag: true, list: [1], object: { a: 1 }, half: 0.5 } };

  it.each<[Json, string, readonly string[]]>([
    [{ eq: ['$target.text', '$target.number'] }, 'false', []],
    [{ ne: ['$target.list', '$target.object'] }, 'true', []],
    [{ gt: ['$target.text', '$target.number'] }, 'unknown', ['$target.text']],
    [{ gt: ['$target.text', '$target.flag'] }, 'unknown', ['$target.flag', '$target.text']],
    [{ lte: ['a', 1] }, 'unknown', ['"a"']],
    [{ gt: ['$target.half', 0] }, 'unknown', ['$target.half']],
    [{ before: ['$target.text', '2026-01-01'] }, 'unknown', ['$target.text']],
    [{ starts_with: ['$target.number', '1'] }, 'unknown', ['$target.number']],
    [{ in: ['a', '$target.text'] }, 'unknown', ['$target.text']],
    [{ contains: ['$target.number', 1] }, 'unknown', ['$target.number', '1']],
    [{ contains: ['$target.object', 1] }, 'unknown', ['1']],
    [{ contains: ['$target.list', 'x'] }, 'false', []],
    [{ eq: [{ add: ['$target.text', 1] }, 1] }, 'unknown', ['{"add":["$target.text",1]}']],
    [{ eq: [{ item: ['$target.number', 1, 'a'] }, 1] }, 'unknown', ['{"item":["$target.number",1,"a"]}']],
  ])('%j is %s', (json, truth, missing) => {
    expect(judged(json, over)).toEqual({ truth, missing: [...missing].sort((a, b) => (a < b ? -1 : 1)) });
  });
});

describe('orders', () => {
  it.each<[operator: string, below: string, same: string, above: string]>([
    ['gt', 'false', 'false', 'true'],
    ['gte', 'false', 'true', 'true'],
    ['lt', 'true', 'false', 'false'],
    ['lte', 'true', 'true', 'false'],
    ['eq', 'false', 'true', 'false'],
    ['ne', 'true', 'false', 'true'],
  ])('%s of 1, 2 and 3 to 2 is %s, %s, %s', (operator, ...truths) => {
    expect([1, 2, 3].map((number) => judged({ [operator]: [number, 2] }, {}).truth)).toEqual(truths);
  });

  it.each<[operator: string, below: string, same: string, above: string]>([
    ['before', 'true', 'false', 'false'],
    ['after', 'false', 'false', 'true'],
  ])('%s of the instants around one is %s, %s, %s, in any writing', (operator, ...truths) => {
    const instants = ['2026-08-24T23:59:59.999Z', '2026-08-25T02:00:00+02:00', '2026-08-25T00:00:00.001Z'];
    expect(instants.map((instant) => judged({ [operator]: [instant, '2026-08-25'] }, {}).truth)).toEqual(truths);
  });
});

describe('integer arithmetic', () => {
  it.each<[Json, number]>([
    [{ add: [1, 2, 3] }, 6],
    [{ sub: [10, 1, 2] }, 7],
    [{ mul: [2, 3, 4] }, 24],
    [{ mul: [0, -5] }, 0],
    [{ add: [MAX, 0] }, MAX],
    [{ sub: [-MAX, 0] }, -MAX],
    [{ add: [{ mul: [2, 3] }, { sub: [1, 4] }] }, 3],
  ])('%j is %d', (json, result) => {
    expect(evaluateOperand(parsedOperand(json), plainScope({}))).toBe(result);
  });

  it.each<Json>([{ add: [MAX, 1] }, { add: [MAX, 1, -1] }, { sub: [-MAX, 1] }, { mul: [94_906_267, 94_906_267] }, { mul: [MAX, -2, 0] }])(
    '%j has no value, and a comparison with it is unknown and names it',
    (json) => {
      expect(evaluateOperand(parsedOperand(json), plainScope({}))).toBeUndefined();
      expect(judged({ gt: [json, 0] }, {})).toEqual({ truth: 'unknown', missing: [canonical(json)] });
      expect(judged({ exists: json }, {}).truth).toBe('false');
    },
  );

  it('names the missing reference rather than the sum around it', () => {
    expect(judged({ lte: [{ add: [1, { mul: [2, '$args.gone'] }] }, '$target.gone'] }, {})).toEqual({
      truth: 'unknown',
      missing: ['$args.gone', '$target.gone'],
    });
  });

  it('never writes a negative zero', () => {
    expect(Object.is(evaluateOperand(parsedOperand({ mul: [-1, 0] }), plainScope({})), 0)).toBe(true);
  });
});

describe('counts and items', () => {
  const over: PlainContext = {
    counts: { orders: 5_000 },
    target: { lines: [{ id: 'a', cents: 1 }, { id: 'b', cents: null }, { cents: 3 }, 7] },
    args: { line: 'a' },
  };

  it.each<[Json, string, readonly string[]]>([
    [{ eq: [{ count: 'orders' }, 1_000] }, 'true', []],
    [{ eq: [{ count: 'gone' }, 0] }, 'unknown', ['{"count":"gone"}']],
    [{ eq: [{ item: ['$target.lines', '$args.line', 'cents'] }, 1] }, 'true', []],
    [{ exists: { item: ['$target.lines', 'c', 'cents'] } }, 'false', []],
    [{ eq: [{ item: ['$target.lines', 'b', 'cents'] }, 1] }, 'unknown', ['{"item":["$target.lines","b","cents"]}']],
    [{ exists: { item: ['$target.lines', null, 'cents'] } }, 'false', []],
    [{ eq: [{ item: ['$target.gone', '$args.gone', 'cents'] }, 1] }, 'unknown', ['$args.gone', '$target.gone']],
  ])('%j is %s', (json, truth, missing) => {
    expect(judged(json, over)).toEqual({ truth, missing });
  });
});

describe('operands of state changes', () => {
  it('stand for null where a reference holds null, and for nothing where it is missing', () => {
    const scope = plainScope({ args: { note: null } });
    expect(evaluateOperand(parsedOperand('$args.note'), scope)).toBeNull();
    expect(evaluateOperand(parsedOperand('$args.gone'), scope)).toBeUndefined();
    expect(evaluateOperand(parsedOperand(['$args.note']), scope)).toBeUndefined();
    expect(evaluateOperand(parsedOperand(['a', 1]), scope)).toEqual(['a', 1]);
  });
});

describe('a second evaluator', () => {
  it('gives the same truth and the same missing values', () => {
    fc.assert(
      fc.property(condition, context, (json, over) => {
        expect(evaluate(parsed(json), plainScope(over))).toEqual(naive(json, over));
      }),
      { numRuns: 5_000 },
    );
  });

  it('meets every truth often enough to mean something', () => {
    const seen = { true: 0, false: 0, unknown: 0 };
    for (const [json, over] of fc.sample(fc.tuple(condition, context), { numRuns: 2_000, seed: 7 })) seen[evaluate(parsed(json), plainScope(over)).truth] += 1;
    expect(Math.min(seen.true, seen.false, seen.unknown)).toBeGreaterThan(100);
  });

  it('finds missing values exactly where the truth is unknown', () => {
    fc.assert(
      fc.property(condition, context, (json, over) => {
        const { truth, missing } = evaluate(parsed(json), plainScope(over));
        return (truth === 'unknown') === missing.length > 0 && new Set(missing).size === missing.length;
      }),
    );
  });
});

describe('traces', () => {
  const over: PlainContext = { target: { status: 'open', total: 5, long: 'x'.repeat(600), list: Array.from({ length: 90 }, () => 'abcdefgh') }, args: {} };

  it('show only what decided', () => {
    const json: Json = {
      all: [{ eq: ['$target.status', 'open'] }, { any: [{ gt: ['$target.total', 7] }, { lt: ['$target.total', 2] }] }, { eq: ['$args.gone', 1] }],
    };
    const trace = explainTruth(parsed(json), plainScope(over));
    expect(trace).toEqual({
      condition: json,
      truth: 'false',
      because: [
        {
          condition: { any: [{ gt: ['$target.total', 7] }, { lt: ['$target.total', 2] }] },
          truth: 'false',
          because: [
            { condition: { gt: ['$target.total', 7] }, truth: 'false', operands: [5, 7] },
            { condition: { lt: ['$target.total', 2] }, truth: 'false', operands: [5, 2] },
          ],
        },
      ],
    });
  });

  it('say which operand had no value', () => {
    expect(explainTruth(parsed({ not: { eq: ['$args.gone', 1] } }), plainScope(over))).toEqual({
      condition: { not: { eq: ['$args.gone', 1] } },
      truth: 'unknown',
      because: [{ condition: { eq: ['$args.gone', 1] }, truth: 'unknown', operands: [{ missing: '$args.gone' }, 1] }],
    });
  });

  it('name one of several missing values, always the same', () => {
    expect(explainTruth(parsed({ eq: [['$target.gone', '$args.gone'], 1] }), plainScope(over)).operands).toEqual([{ missing: '$args.gone' }, 1]);
  });

  it('count the characters of values that are too long to show', () => {
    expect(explainTruth(parsed({ eq: ['$target.long', '$target.list'] }), plainScope(over)).operands).toEqual([{ omitted: 600 }, { omitted: 991 }]);
  });

  it('agree with the evaluation at every level, and hold only parts with the truth of their whole', () => {
    const consistent = (trace: Trace, over: PlainContext): boolean =>
      evaluate(parsed(trace.condition), plainScope(over)).truth === trace.truth &&
      (trace.because ?? []).every((part) => consistent(part, over) && (part.truth === trace.truth || 'not' in (trace.condition as object)));
    fc.assert(fc.property(condition, context, (json, over) => consistent(explainTruth(parsed(json), plainScope(over)), over)));
  });

  it('can be hashed', () => {
    fc.assert(fc.property(condition, context, (json, over) => canonical(explainTruth(parsed(json), plainScope(over)) as unknown as Json).length > 0));
  });
});

describe('what a condition reads', () => {
  it('is listed once, sorted, with relationships apart', () => {
    const node = parsed({
      all: [
        { eq: ['$target.b', ['$args.a', '$target.b']] },
        { not: { exists: { item: ['$target.lines', '$args.line', 'x'] } } },
        { gt: [{ add: [{ count: 'orders' }, '$now'] }, 1] },
        true,
      ],
    });
    expect(referencesOf(node).map(({ text }) => text)).toEqual(['$args.a', '$args.line', '$now', '$target.b', '$target.lines']);
    expect(relationshipsOf(node)).toEqual(['orders']);
  });

  it('is all that evaluation asks for', () => {
    fc.assert(
      fc.property(condition, context, (json, over) => {
        const node = parsed(json);
        const listed = new Set(referencesOf(node).map(({ text }) => text));
        const scope = plainScope(over);
        let known = true;
        evaluate(node, { count: scope.count, resolve: (reference) => ((known &&= listed.has(reference.text)), scope.resolve(reference)) });
        return known;
      }),
    );
  });
});
