// Commands that documents print, run as they stand there against the real server: what they print is what the document says.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Product } from '../../src/evaluation/product.ts';

interface Step {
  readonly commands: string;
  /** The block after it, where it has one; `…` stands for the rest of a line that chance decides. */
  readonly promised: string | undefined;
}

/** The steps of a document: its bash blocks with this mark, in order, each with the text block right after it. */
function stepsOf(document: string, mark: string): readonly Step[] {
  const block = new RegExp(`\`\`\`bash ${mark}\\n([\\s\\S]*?)\`\`\`\\n(?:\\n\`\`\`text\\n([\\s\\S]*?)\\n\`\`\`\\n)?`, 'g');
  return [...readFileSync(document, 'utf8').matchAll(block)].map(([, commands = '', promised]) => ({ commands, promised }));
}

const TOUR = stepsOf('README.md', 'tour');
const SETUP = stepsOf('docs/operating.md', 'setup');
const shownBy = (steps: readonly Step[]) => steps.flatMap(({ promised }, index) => (promised === undefined ? [] : [{ index, promised }]));

const NEXT = '--- the next step ---';
const run = promisify(execFile);

/** All steps in one bash, as somebody would paste them; what each printed. */
async function printedBy(steps: readonly Step[], before: readonly string[]): Promise<readonly string[]> {
  const script = ['set -euo pipefail', ...before, ...steps.flatMap(({ commands }) => [commands, `echo '${NEXT}'`])].join('\n');
  const { stdout } = await run('bash', ['-c', script], { timeout: 90_000 });
  return stdout.split(`${NEXT}\n`);
}

function expectPromised(printed: string | undefined, promised: string): void {
  const wanted = promised.split('\n');
  const lines = (printed ?? '').trimEnd().split('\n');
  expect(lines.map((line, n) => (wanted[n]?.endsWith('…') && line.startsWith(wanted[n].slice(0, -1)) ? wanted[n] : line))).toEqual(wanted);
}

let product: Product;

beforeAll(async () => {
  product = await Product.start({ demo: true });
});

afterAll(() => product.end());

describe('the tour of the README', () => {
  let printed: readonly string[] = [];
  beforeAll(async () => {
    printed = await printedBy(TOUR, await product.said(/^export .*$/gm, 2));
  });

  it('says of each step but the first what it shows', () => {
    expect(TOUR.length).toBeGreaterThan(5);
    expect(shownBy(TOUR).map(({ index }) => index)).toEqual(TOUR.map((_step, index) => index).slice(1));
  });

  it.each(shownBy(TOUR))('step $index prints what stands below it', ({ index, promised }) => expectPromised(printed[index], promised));
});

describe('from nothing to a world, in docs/operating.md', () => {
  let printed: readonly string[] = [];
  beforeAll(async () => {
    // No call is made when an integration is connected, so these need not be anybody's.
    const secrets = { STRIPE_KEY: 'sk_test_none', STRIPE_WEBHOOK_SECRET: 'whsec_none', RESEND_KEY: 're_none', RESEND_WEBHOOK_SECRET: 'whsec_bm9uZQ==' };
    const given = Object.entries({ ORIGIN: product.url, ROOT: product.rootKey, ...secrets }).map(([name, value]) => `${name}='${value}'`);
    printed = await printedBy(SETUP, given);
  });

  it('has steps, and says of each what it shows', () => {
    expect(SETUP.length).toBeGreaterThan(2);
    expect(shownBy(SETUP)).toHaveLength(SETUP.length);
  });

  it.each(shownBy(SETUP))('step $index prints what stands below it', ({ index, promised }) => expectPromised(printed[index], promised));
});
