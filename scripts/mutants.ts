// `npm run mutants`: each check and invariant of the kernel is removed in a copy, one at a time, and the kernel's tests must notice.
// Prints a table; exits non-zero if a mutant survives or no longer fits the source. `npm run mutants -- approvals` runs those with that word.
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { MUTANTS, type Mutant } from './mutants/list.ts';
import { mutated } from './mutants/mutate.ts';

/** Below 1, so that a law that fails is not shrunk. */
const RUNS = '0.9';
const RUN_TIMEOUT_MS = 120_000;
const COPIED = ['src/kernel', 'test/kernel', 'manifests/refund-desk/manifest.json', 'package.json'];

/** Quick tests first: most mutants die there. */
const CONFIG = `import { BaseSequencer } from 'vitest/node';
import { defineConfig } from 'vitest/config';
const first = process.env['MUTANT_FIRST'] ?? '-';
const rank = ({ moduleId }) => (moduleId.includes(first) ? -1 : moduleId.includes('/manifest/') ? 3 : moduleId.includes('/laws/') ? 2 : moduleId.includes('observation') ? 1 : 0);
class QuickFirst extends BaseSequencer {
  async sort(files) {
    return [...files].sort((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}
export default defineConfig({
  cacheDir: '.vite',
  test: { environment: 'node', bail: 1, include: ['test/kernel/{transition,scenarios,laws,manifest}/**/*.test.ts'], maxWorkers: 1, isolate: false, sequence: { sequencer: QuickFirst } },
});
`;

/** Which tests are most likely to notice, by a part of the mutated file's path; the others follow. */
const LIKELY: readonly (readonly [file: string, tests: string])[] = [
  ['log/', 'laws/log'],
  ['manifest/seal', 'manifest/seal'],
  ['manifest/frame-bound', 'manifest/frame-bound'],
  ['manifest/', 'manifest/validate'],
  ['observation/', 'transition/observation'],
  ['availability', 'transition/observation'],
  ['checks/preconditions', 'transition/tasks'],
  ['checks/', 'transition/refusals'],
  ['approval', 'transition/approvals'],
  ['admit', 'transition/refusals'],
  ['attempts', 'transition/refusals'],
  ['ask.ts', 'transition/refusals'],
  ['laws/attempt', 'transition/findings'],
  ['laws/outside', 'transition/integrations'],
  ['task', 'transition/tasks'],
  ['terminality', 'transition/tasks'],
  ['retry', 'transition/retry'],
  ['sums', 'transition/budgets'],
  ['evidence', 'transition/integrations'],
  ['decide', 'transition/findings'],
  ['certainty', 'transition/certainty'],
  ['draft', 'transition/objects'],
];

type Verdict = 'killed' | 'survived' | 'does not fit';

interface Result {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
  readonly by: string;
  readonly ms: number;
}

/** A copy of what the kernel's tests need, with the dependencies linked. */
function makeCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cwr-mutants-'));
  for (const path of COPIED) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    cpSync(path, join(folder, path), { recursive: true });
  }
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'vitest.config.ts'), CONFIG);
  return folder;
}

function runTests(folder: string, first: string): Promise<{ readonly passed: boolean; readonly output: string }> {
  return new Promise((resolve) => {
    const child = spawn(join('node_modules', '.bin', 'vitest'), ['run', '--reporter=dot', '--no-color'], {
      cwd: folder,
      env: { ...process.env, VITE_RUNS: RUNS, MUTANT_FIRST: first },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const timer = setTimeout(() => child.kill(), RUN_TIMEOUT_MS);
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ passed: code === 0, output });
    });
  });
}

function firstFailure(output: string): string {
  const line = output.split('\n').find((each) => each.includes('FAIL'));
  return (line ?? 'did not end')
    .replace(/^.*FAIL\s+/, '')
    .replace('test/kernel/', '')
    .slice(0, 110);
}

async function tryMutant(folder: string, mutant: Mutant): Promise<Result> {
  const path = join(folder, 'src', 'kernel', mutant.file);
  const original = readFileSync(path, 'utf8');
  const text = mutated(original, mutant);
  if (text === undefined) return { mutant, verdict: 'does not fit', by: '', ms: 0 };
  const began = Date.now();
  writeFileSync(path, text);
  const { passed, output } = await runTests(folder, LIKELY.find(([file]) => mutant.file.includes(file))?.[1] ?? 'transition/repetition');
  writeFileSync(path, original);
  return { mutant, verdict: passed ? 'survived' : 'killed', by: passed ? '' : firstFailure(output), ms: Date.now() - began };
}

function print({ mutant, verdict, by, ms }: Result): void {
  console.log(`${verdict.padEnd(12)} ${`${(ms / 1000).toFixed(1)} s`.padStart(7)}  ${mutant.name.padEnd(70)} ${by}`);
}

async function main(words: readonly string[]): Promise<number> {
  const chosen = MUTANTS.filter(({ name, file }) => words.length === 0 || words.some((word) => name.includes(word) || file.includes(word)));
  const folders = Array.from({ length: Math.max(1, Math.min(availableParallelism(), chosen.length)) }, makeCopy);
  try {
    const [first = ''] = folders;
    const untouched = await runTests(first, '-');
    if (!untouched.passed) {
      console.log(`the tests fail without any mutant:\n${untouched.output.slice(-4000)}`);
      return 1;
    }
    const waiting = [...chosen];
    const results: Result[] = [];
    const work = async (folder: string): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const result = await tryMutant(folder, next);
        print(result);
        results.push(result);
      }
    };
    await Promise.all(folders.map(work));
    const count = (verdict: Verdict): number => results.filter((result) => result.verdict === verdict).length;
    console.log(`\n${results.length} mutants: ${count('killed')} killed, ${count('survived')} survived, ${count('does not fit')} do not fit the source`);
    for (const result of results.filter(({ verdict }) => verdict !== 'killed')) print(result);
    return count('killed') === results.length && results.length > 0 ? 0 : 1;
  } finally {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));
