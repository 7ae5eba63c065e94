// `npm test`: every check of the repository, in one run. Prints what failed and one closing line; exits non-zero on any failure.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureChromium } from './chromium.ts';

interface Check {
  readonly name: string;
  readonly command: readonly string[];
}

const bin = (name: string): string => join('node_modules', '.bin', name);

const CHECKS: readonly Check[] = [
  { name: 'format', command: [bin('oxfmt'), '--check', '.'] },
  { name: 'lint', command: [bin('oxlint')] },
  { name: 'types of the kernel', command: [bin('tsc'), '-p', 'src/kernel/tsconfig.json'] },
  { name: 'types', command: [bin('tsc'), '-p', 'tsconfig.json'] },
  { name: 'manifests', command: [process.execPath, 'scripts/manifests.ts', 'check'] },
];

/** The vitest projects; `npm test node` runs only those named. */
const PROJECTS = ['node', 'workers', 'browser', 'e2e'] as const;

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
  readonly numPendingTests: number;
  readonly success: boolean;
}

function run(name: string, command: readonly string[]): boolean {
  const [program, ...rest] = command;
  if (program === undefined) return false;
  console.log(`\n== ${name}`);
  const { status } = spawnSync(program, rest, { stdio: 'inherit', env: process.env });
  return status === 0;
}

function tests(project: string, folder: string): { readonly passed: number; readonly failed: number } {
  const file = join(folder, `${project}.json`);
  const ok = run(`tests: ${project}`, [bin('vitest'), 'run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]);
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  // A suite that does not load, an unhandled rejection, or a project without a single test is a failure too.
  const broken = report.numPassedTests === 0 || (report.numFailedTests === 0 && (!ok || !report.success)) ? 1 : 0;
  return { passed: report.numPassedTests, failed: report.numFailedTests + broken };
}

function main(names: readonly string[]): number {
  const folder = mkdtempSync(join(tmpdir(), 'cwr-test-'));
  const chosen = names.length === 0 ? PROJECTS : PROJECTS.filter((project) => names.includes(project));
  let passed = 0;
  const failures: string[] = [];
  let failed = 0;
  for (const { name, command } of names.length === 0 ? CHECKS : []) {
    if (run(name, command)) passed += 1;
    else {
      failed += 1;
      failures.push(name);
    }
  }
  if (chosen.includes('browser')) ensureChromium();
  for (const project of chosen) {
    const result = tests(project, folder);
    passed += result.passed;
    failed += result.failed;
    if (result.failed > 0) failures.push(`tests: ${project}`);
  }
  rmSync(folder, { recursive: true, force: true });
  if (failures.length > 0) console.log(`\nfailed: ${failures.join(', ')}`);
  console.log(`\n${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
