// The principal experiment of the paper (§17.4) as a test: every step of every variant.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSandbox, type Sandbox } from '../../sandbox/sandbox.ts';
import { runExperiment, VARIANTS, type Step } from '../../src/evaluation/principal-experiment.ts';
import { Product } from '../../src/evaluation/product.ts';

let product: Product;
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
  product = await Product.start();
});

afterAll(async () => {
  await product.end();
  await sandbox.close();
});

describe('the principal experiment, with a scripted policy in the place of the model', () => {
  it.each(VARIANTS)('$name', async (variant) => {
    const steps: Step[] = [];
    await runExperiment({ product, sandbox }, variant, (step) => steps.push(step));
    expect(steps.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(steps.filter(({ passed }) => !passed)).toEqual([]);
  });
});
