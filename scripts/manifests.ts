// `manifests:compile` writes each world's manifest.json and its pinned hash; `manifests:check` fails where source, file, hash or version disagree.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refundDesk } from '../manifests/refund-desk/source.ts';
import { compileWorld } from '../src/authoring/compile-world.ts';
import type { WorldSource } from '../src/authoring/world-source.ts';
import { seal } from '../src/kernel/index.ts';

const WORLDS: readonly WorldSource[] = [refundDesk];

interface Files {
  readonly manifest: string;
  readonly hash: string;
}

const filesOf = ({ name }: WorldSource): Files => ({ manifest: join('manifests', name, 'manifest.json'), hash: join('manifests', name, 'manifest.sha256') });

function compile(source: WorldSource): void {
  const { text, hash } = compileWorld(source);
  seal(text);
  const files = filesOf(source);
  writeFileSync(files.manifest, text);
  writeFileSync(files.hash, `${hash}\n`);
  console.log(`${source.name} ${source.version} ${hash}`);
}

function check(source: WorldSource): readonly string[] {
  const { text, hash } = compileWorld(source);
  const files = filesOf(source);
  if (!existsSync(files.manifest) || !existsSync(files.hash)) return [`${files.manifest} or its hash is missing: run manifests:compile`];
  const committed = readFileSync(files.manifest, 'utf8');
  const found: string[] = [];
  if (committed !== text) found.push(`${files.manifest} is not what its source compiles to: ${differences(committed, text).join(', ')}`);
  if (readFileSync(files.hash, 'utf8').trim() !== hash) found.push(`${files.hash} is not the hash of the manifest`);
  const before = spawnSync('git', ['show', `HEAD:${files.manifest}`], { encoding: 'utf8', maxBuffer: 1e8 });
  if (before.status === 0 && before.stdout !== text && versionOf(before.stdout) === source.version) {
    found.push(`${source.name} changed without a new version: ${differences(before.stdout, text).join(', ')}`);
  }
  return found;
}

function versionOf(text: string): string {
  return (JSON.parse(text) as { readonly version: string }).version;
}

/** The parts that differ, two levels deep: `actions/order.refund`, `limits/unresolvedMax`. */
function differences(before: string, after: string): readonly string[] {
  const [old, now] = [JSON.parse(before), JSON.parse(after)] as { readonly [part: string]: unknown }[];
  const found: string[] = [];
  for (const part of new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])) {
    const [a, b] = [old?.[part], now?.[part]];
    if (JSON.stringify(a) === JSON.stringify(b)) continue;
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) found.push(part);
    else
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)]))
        if (JSON.stringify(Reflect.get(a, key)) !== JSON.stringify(Reflect.get(b, key))) found.push(`${part}/${key}`);
  }
  return found;
}

function main(verb: string | undefined): number {
  if (verb === 'compile') {
    for (const source of WORLDS) compile(source);
    return 0;
  }
  if (verb !== 'check') {
    console.error('usage: node scripts/manifests.ts compile|check');
    return 2;
  }
  const found = WORLDS.flatMap(check);
  for (const line of found) console.error(line);
  if (found.length === 0) console.log(`${WORLDS.length} manifest(s) agree with their sources, hashes and versions`);
  return found.length === 0 ? 0 : 1;
}

process.exitCode = main(process.argv[2]);
