// Ajv makes code from schemas, which workerd forbids, so this runs in Node only: a second opinion on the closed subset.
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalDefect } from '../../src/kernel/base/canonical.ts';
import { compileSchema } from '../../src/kernel/manifest/schema.ts';
import { instanceFor, schema } from '../kernel/manifest/arbitrary-schema.ts';

const pair = schema.chain((shape) => fc.tuple(fc.constant(shape), instanceFor(shape)));

describe('Ajv', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true });

  it('agrees on which values fit, where they can be hashed at all', () => {
    fc.assert(
      fc.property(pair, ([shape, value]) => {
        fc.pre(canonicalDefect(value) === undefined);
        expect(compileSchema(shape)(value).length === 0).toBe(ajv.compile(structuredClone(shape))(value));
      }),
      { numRuns: 1_500 },
    );
  });

  it('agrees on where the errors are', () => {
    fc.assert(
      fc.property(pair, ([shape, value]) => {
        fc.pre(canonicalDefect(value) === undefined);
        const validate = ajv.compile(structuredClone(shape));
        const ours = compileSchema(shape)(value);
        fc.pre(!validate(value) && ours.length < 16 && !ours.some(({ code }) => code === 'maxItems'));
        const theirs = (validate.errors ?? []).map(({ instancePath, keyword, params }) => {
          if (keyword === 'required') return `${instancePath}/${String(params['missingProperty'])}`;
          return keyword === 'additionalProperties' ? `${instancePath}/${String(params['additionalProperty'])}` : instancePath;
        });
        expect([...new Set(ours.map(({ path }) => path))].sort()).toEqual([...new Set(theirs)].sort());
      }),
      { numRuns: 1_500 },
    );
  });

  it('meets values that fit and values that do not', () => {
    const verdicts = fc.sample(pair, { numRuns: 500, seed: 11 }).map(([shape, value]) => compileSchema(shape)(value).length === 0);
    expect(verdicts.filter((fits) => fits).length).toBeGreaterThan(50);
    expect(verdicts.filter((fits) => !fits).length).toBeGreaterThan(50);
  });
});
