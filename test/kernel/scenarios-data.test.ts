// The scenarios that the refund desk ships with hold, input by input, and the manifest holds their digests.
import { describe, expect, test } from 'vitest';
import manifest from '../../manifests/refund-desk/manifest.json' with { type: 'json' };
import { scenarios } from '../../manifests/refund-desk/scenarios.ts';
import type { Scenario } from '../../src/authoring/scenario.ts';
import { digest, type Json } from '../../src/kernel/index.ts';
import { ScenarioRun } from './scenario-run.ts';

const all = Object.entries(scenarios) as unknown as readonly (readonly [string, Scenario])[];

describe.each(all)('%s', (name, scenario) => {
  test('answers as it says, and leaves what it says', () => {
    const run = new ScenarioRun();
    run.start(scenario);
    expect(scenario.inputs.map((input) => run.feed(input))).toEqual(scenario.expected.answers);
    for (const wanted of scenario.expected.objects) expect({ ...wanted, state: run.fields(wanted) }).toEqual(wanted);
    expect(run.sent()).toEqual(scenario.expected.sent);
  });

  test('is the one whose digest the manifest holds', () => {
    expect(manifest.scenarios).toContainEqual({ name, digest: digest(scenario as unknown as Json) });
  });
});

test('every outcome of an effect is reached by one of them, but Incompatible, which no HTTP adapter answers', () => {
  const reached = all.flatMap(([, { expected }]) => [
    ...expected.answers.flatMap((answer) => (answer === null || answer === 'on_its_way' ? [] : [answer.kind])),
    ...expected.objects.flatMap(({ state }) => (typeof state['outcome'] === 'string' ? [state['outcome']] : [])),
  ]);
  const effectOutcomes = Object.keys(manifest.actions['order.refund'].outcomes);
  expect(effectOutcomes.filter((outcome) => !reached.includes(outcome))).toEqual(['Incompatible']);
});
