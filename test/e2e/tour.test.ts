// The README's tour, run as it is printed, against the real server and its own sandbox provider; what it prints is what the README says.
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

const BLOCK = /```bash tour\n([\s\S]*?)```\n(?:\n```text\n([\s\S]*?)\n```\n)?/g;
const steps: readonly Step[] = [...readFileSync('README.md', 'utf8').matchAll(BLOCK)].map(([, commands = '', promised]) => ({ commands, promised }));
const shown = steps.flatMap(({ promised }, index) => (promised === undefined ? [] : [{ index, promised }]));

const MARK = '--- the next step ---';
const run = promisify(execFile);
let product: Product;
let printed: readonly string[] = [];

beforeAll(async () => {
  product = await Product.start();
  const exported = await product.said(/^export .*$/gm, 2);
  const script = ['set -euo pipefail', ...exported, ...steps.flatMap(({ commands }) => [commands, `echo '${MARK}'`])].join('\n');
  const { stdout } = await run('bash', ['-c', script], { timeout: 90_000 });
  printed = stdout.split(`${MARK}\n`);
});

afterAll(() => product.end());

describe('the tour of the README', () => {
  it('has steps, and says of each but the first what it shows', () => {
    expect(steps.length).toBeGreaterThan(5);
    expect(shown.map(({ index }) => index)).toEqual(steps.map((_step, index) => index).slice(1));
  });

  it.each(shown)('step $index prints what stands below it', ({ index, promised }) => {
    const lines = (printed[index] ?? '').trimEnd().split('\n');
    const wanted = promised.split('\n');
    expect(lines.map((line, n) => (wanted[n]?.endsWith('…') && line.startsWith(wanted[n].slice(0, -1)) ? wanted[n] : line))).toEqual(wanted);
  });
});
