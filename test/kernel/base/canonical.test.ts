import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KernelFault } from '../../../src/kernel/base/assert.ts';
import { canonical, CANONICAL_DEPTH_MAX, canonicalDefect, serialize } from '../../../src/kernel/base/canonical.ts';
import type { Json } from '../../../src/kernel/base/json.ts';

/** RFC 8785, appendix B: the bits of a double and its text; null where there is none. */
const NUMBERS: readonly (readonly [bits: string, text: string | null])[] = [
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['8000000000000001', '-5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['ffefffffffffffff', '-1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['c340000000000000', '-9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['7fffffffffffffff', null],
  ['7ff0000000000000', null],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['44b52d02c7e14af7', '1.0000000000000001e+23'],
  ['444b1ae4d6e2ef4e', '999999999999999700000'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555553', '333333333.3333332'],
  ['41b3de4355555554', '333333333.33333325'],
  ['41b3de4355555555', '333333333.3333333'],
  ['41b3de4355555556', '333333333.3333334'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
];

/** The published vectors: RFC 8785 sections 3.2.2 and 3.2.3, and the test data of its authors. */
const DOCUMENTS: readonly { readonly title: string; readonly input: string; readonly output: string }[] = [
  {
    title: 'the sample of 3.2.2',
    input: String.raw`{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}`,
    output: String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  },
  { title: 'arrays', input: '[56, {"d": true, "10": null, "1": []}]', output: '[56,{"1":[],"10":null,"d":true}]' },
  {
    title: 'french',
    input: '{"peach": "This sorting order", "péché": "is wrong according to French", "pêche": "but canonicalization MUST", "sin": "ignore locale"}',
    output: '{"peach":"This sorting order","péché":"is wrong according to French","pêche":"but canonicalization MUST","sin":"ignore locale"}',
  },
  {
    title: 'structures',
    input: String.raw`{"1": {"f": {"f": "hi", "F": 5}, "\n": 56.0}, "10": {}, "": "empty", "a": {}, "111": [{"e": "yes", "E": "no"}], "A": {}}`,
    output: String.raw`{"":"empty","1":{"\n":56,"f":{"F":5,"f":"hi"}},"10":{},"111":[{"E":"no","e":"yes"}],"A":{},"a":{}}`,
  },
  { title: 'unicode is not normalised', input: String.raw`{"Unnormalized Unicode": "A\u030a"}`, output: '{"Unnormalized Unicode":"A\u030a"}' },
  {
    title: 'values',
    input: String.raw`{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 1e-27], "control": "\u0000\b\t\n\f\r\u001f\u007f", "\ud83d\ude02": "\ud83d\ude02"}`,
    output: '{"control":"\\u0000\\b\\t\\n\\f\\r\\u001f\u007f","numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"😂":"😂"}',
  },
];

const SORTING = String.raw`{"\u20ac": "Euro Sign", "\r": "Carriage Return", "\ufb33": "Hebrew Letter Dalet With Dagesh", "1": "One",
  "\ud83d\ude00": "Emoji: Grinning Face", "\u0080": "Control", "\u00f6": "Latin Small Letter O With Diaeresis"}`;

function doubleOf(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}

function faultOf(make: () => unknown): KernelFault {
  try {
    make();
  } catch (fault) {
    if (fault instanceof KernelFault) return fault;
    throw fault;
  }
  throw new Error('nothing was thrown');
}

/** What types forbid and callers may still hand in. */
function untyped(value: unknown): Json {
  return value as Json;
}

function nested(levels: number): Json {
  let value: Json = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.string());
const key = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', '1', '10', '9', ''));
const integer = fc.maxSafeInteger().filter((value) => !Object.is(value, -0));
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, true, false),
    integer,
    text,
    fc.array(tie('json'), { maxLength: 5 }),
    fc.uniqueArray(fc.tuple(key, tie('json')), { maxLength: 6, selector: ([name]) => name }).map((entries) => Object.fromEntries(entries) as Json),
  ),
}));

describe('RFC 8785 published vectors', () => {
  it.each(NUMBERS)('writes the double %s as %s', (bits, expected) => {
    const value = doubleOf(bits);
    if (expected === null) expect(faultOf(() => serialize(value)).code).toBe('not_finite');
    else expect(serialize(value)).toBe(expected);
  });

  it.each(DOCUMENTS)('writes $title', ({ input, output }) => {
    expect(serialize(JSON.parse(input) as Json)).toBe(output);
  });

  it('sorts keys by UTF-16 code units', () => {
    const written = serialize(JSON.parse(SORTING) as Json);
    expect(Object.values(JSON.parse(written.replace('"1":', '"one":')) as object)).toEqual([
      'Carriage Return',
      'One',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
    expect(canonical(JSON.parse(SORTING) as Json)).toBe(written);
  });
});

describe('canonical bytes', () => {
  it('agree with the canonicalize package on every value that they admit', () => {
    fc.assert(
      fc.property(json, (value) => canonical(value) === canonicalize(value) && serialize(value) === canonical(value)),
      { numRuns: 1_000 },
    );
  });

  it('agree with the canonicalize package on floats, where those are admitted', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => serialize([value]) === canonicalize([value])),
      { numRuns: 1_000 },
    );
  });

  it('are the same whatever the order of keys', () => {
    fc.assert(
      fc.property(json, (value) => {
        const reversed = (each: Json): Json =>
          typeof each !== 'object' || each === null
            ? each
            : Array.isArray(each)
              ? each.map(reversed)
              : Object.fromEntries(
                  Object.entries(each)
                    .reverse()
                    .map(([name, member]) => [name, reversed(member as Json)]),
                );
        return canonical(reversed(value)) === canonical(value);
      }),
    );
  });

  it('parse to a value with the same canonical bytes', () => {
    fc.assert(fc.property(json, (value) => canonical(JSON.parse(canonical(value)) as Json) === canonical(value)));
  });

  it('leave their input as it was', () => {
    const frozen = Object.freeze({ b: Object.freeze([2, 1]), a: null });
    expect(canonical(frozen)).toBe('{"a":null,"b":[2,1]}');
    expect(Object.keys(frozen)).toEqual(['b', 'a']);
  });

  it('admit objects without a prototype, and own keys that shadow it', () => {
    const bare = Object.assign(Object.create(null) as object, { b: 1, a: 2 });
    expect(canonical(untyped(bare))).toBe('{"a":2,"b":1}');
    expect(canonical(JSON.parse('{"__proto__":{"a":1},"constructor":2}') as Json)).toBe('{"__proto__":{"a":1},"constructor":2}');
  });
});

describe('what has no canonical bytes', () => {
  const sparse = [1, 2, 3];
  delete sparse[1];
  const cycle: { own?: unknown } = {};
  cycle.own = cycle;
  const cases: readonly (readonly [title: string, value: unknown, code: string, path: string])[] = [
    ['undefined', undefined, 'not_json', ''],
    ['undefined in an object', { a: { b: undefined } }, 'not_json', '/a/b'],
    ['a hole in a list', sparse, 'not_json', '/1'],
    ['a function', { a: () => 1 }, 'not_json', '/a'],
    ['a symbol', [Symbol('a')], 'not_json', '/0'],
    ['a bigint', [1n], 'not_json', '/0'],
    ['a date', { at: new Date(0) }, 'not_plain', '/at'],
    ['a map', [new Map()], 'not_plain', '/0'],
    ['a class instance', { fault: new KernelFault('x') }, 'not_plain', '/fault'],
    ['a float', { 'a/b~c': [0, 0.5] }, 'not_a_safe_integer', '/a~1b~0c/1'],
    ['an integer that is not exact', [2 ** 53], 'not_a_safe_integer', '/0'],
    ['negative zero', { a: -0 }, 'negative_zero', '/a'],
    ['not a number', [Number.NaN], 'not_a_safe_integer', '/0'],
    ['infinity', [Number.POSITIVE_INFINITY], 'not_a_safe_integer', '/0'],
    ['half a surrogate pair', { a: 'x\ud83d' }, 'unpaired_surrogate', '/a'],
    ['the other half', ['\ude00x'], 'unpaired_surrogate', '/0'],
    ['both halves in the wrong order', ['\ude00\ud83d'], 'unpaired_surrogate', '/0'],
    ['half a pair in a key', { a: { 'k\ud83d': 1 } }, 'unpaired_surrogate', '/a/k\ufffd'],
    ['more levels than the bound', nested(CANONICAL_DEPTH_MAX + 1), 'too_deep', ''],
    ['a cycle', cycle, 'too_deep', ''],
  ];

  it.each(cases)('%s throws', (_title, value, code, path) => {
    const fault = faultOf(() => canonical(untyped(value)));
    expect(fault.code).toBe(code);
    if (code !== 'too_deep') expect(fault.path).toBe(path);
    expect(canonicalDefect(untyped(value))).toEqual({ code, path: fault.path });
  });

  it('admits exactly the depth of the bound', () => {
    expect(canonicalDefect(nested(CANONICAL_DEPTH_MAX))).toBeUndefined();
  });

  it('names a place in at most as many characters as a refusal may show', () => {
    expect(faultOf(() => canonical({ ['k'.repeat(1_000)]: 0.5 })).path.length).toBeLessThanOrEqual(128);
  });

  it('never hands the value itself to the fault', () => {
    expect(faultOf(() => canonical({ secret: 'a\ud800' })).message).toBe('unpaired_surrogate at `/secret`');
  });
});
