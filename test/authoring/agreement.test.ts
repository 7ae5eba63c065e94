// A source, its file, its hash and its version agree; and its scenarios reach every outcome that can come.
import { describe, expect, test } from 'vitest';
import { refundDesk } from '../../manifests/refund-desk/source.ts';
import { scenarios } from '../../manifests/refund-desk/scenarios.ts';
import { disagreements } from '../../src/authoring/agreement.ts';
import { compileWorld } from '../../src/authoring/compile-world.ts';
import { unreachedOutcomes } from '../../src/authoring/scenario-coverage.ts';
import type { Scenario } from '../../src/authoring/scenario.ts';

const compiled = compileWorld(refundDesk);
const { text, hash, manifest } = compiled;
const edited = compileWorld({ ...refundDesk, limits: { unresolvedMax: 7 } });
const next = compileWorld({ ...refundDesk, version: '999.0.0', limits: { unresolvedMax: 7 } });

describe('a manifest', () => {
  test('agrees with what was compiled from the same source', () => {
    expect(disagreements(compiled, { text, hash: `${hash}\n`, before: text })).toEqual([]);
    expect(disagreements(compiled, { text, hash, before: null })).toEqual([]);
  });

  test('that its source does not compile to is found, with the parts that differ', () => {
    expect(disagreements(compiled, { text: edited.text, hash, before: null })).toEqual([
      'manifests/refund-desk/manifest.json is not what its source compiles to: limits/unresolvedMax',
    ]);
    expect(disagreements(compiled, { text: `${text}\n`, hash, before: null })).toEqual([
      'manifests/refund-desk/manifest.json is not what its source compiles to: bytes',
    ]);
  });

  test('with another hash is found', () => {
    expect(disagreements(compiled, { text, hash: edited.hash, before: null })).toEqual([
      'manifests/refund-desk/manifest.sha256 is not the hash of the manifest',
    ]);
  });

  test('that changed under its old version is found, and one with a new version is not', () => {
    expect(disagreements(edited, { text: edited.text, hash: edited.hash, before: text })).toEqual([
      'refund-desk changed without a new version: limits/unresolvedMax',
    ]);
    expect(disagreements(next, { text: next.text, hash: next.hash, before: text })).toEqual([]);
  });
});

describe('the scenarios of the refund desk', () => {
  const all = Object.entries(scenarios) as unknown as readonly (readonly [string, Scenario])[];
  const without = (name: string): readonly string[] =>
    unreachedOutcomes(
      manifest,
      all.flatMap(([each, scenario]) => (each === name ? [] : [scenario])),
    );

  test('reach every outcome that can come of its actions', () => {
    expect(
      unreachedOutcomes(
        manifest,
        all.map(([, scenario]) => scenario),
      ),
    ).toEqual([]);
  });

  test('leave one unreached where the one that reaches it is missing', () => {
    expect(without('withdrawn')).toEqual(['order.refund Cancelled']);
    expect(without('mail-that-fails')).toContain('customer.email ProtocolViolated');
  });

  test('are told of every outcome where there are none', () => {
    expect(unreachedOutcomes(manifest, [])).toContain('ticket.open Succeeded');
  });
});
