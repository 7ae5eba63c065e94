// `npm run experiment`: the ten steps of the paper's section 17.4 in three variants. Prints each step with the evidence seen; exits
// non-zero when any step fails. A scripted policy plays the model.
import { startSandbox } from '../../sandbox/sandbox.ts';
import { runExperiment, VARIANTS } from './principal-experiment.ts';
import { Product } from './product.ts';

async function main(): Promise<number> {
  const sandbox = await startSandbox();
  const product = await Product.start();
  let failed = 0;
  try {
    for (const variant of VARIANTS) {
      console.log(`\n${variant.name}`);
      const passed = await runExperiment({ product, sandbox }, variant, (step) => {
        console.log(`  ${step.passed ? 'ok  ' : 'FAIL'} ${String(step.number).padStart(2)}. ${step.title}\n        ${step.evidence}`);
      });
      if (!passed) failed += 1;
    }
  } finally {
    await product.end();
    await sandbox.close();
  }
  console.log(`\n${VARIANTS.length - failed} of ${VARIANTS.length} variants passed all ten steps`);
  return failed === 0 ? 0 : 1;
}

// Whoever interrupts it leaves no server behind: leaving ends the product's processes.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

process.exitCode = await main();
