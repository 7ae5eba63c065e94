// The README's tour, run as it is printed, against the real server and its own sandbox provider.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Product } from '../../src/evaluation/product.ts';

const run = promisify(execFile);
let product: Product;

beforeAll(async () => {
  product = await Product.start();
});

afterAll(() => product.end());

it('the tour of the README shows what it says', async () => {
  const snippet = /```bash tour\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8'))?.[1];
  expect(snippet).toBeDefined();
  const exported = await product.said(/^export .*$/gm, 2);
  const { stdout } = await run('bash', ['-c', `set -e\n${exported.join('\n')}\n${snippet ?? ''}`]);
  const lines = stdout.trim().split('\n');
  expect(lines.slice(0, 4).map((line) => line.split(' ').slice(0, 2).join(' ').trim())).toEqual([
    'Succeeded',
    'Rejected already_completed',
    'Blocked approval_required',
    'Succeeded',
  ]);
  expect(lines[4]).toBe('2 effects');
  expect(lines.slice(5).filter((line) => line.includes('proposal')).length).toBeGreaterThan(8);
});
