// `manifests:compile` writes each world's manifest.json and its pinned hash; `manifests:check` fails where source, file, hash or version disagree.
// Both print every defect and warning, and the outcomes that no scenario reaches.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { refundDesk } from '../manifests/refund-desk/source.ts';
import { disagreements } from '../src/authoring/agreement.ts';
import { compileWorld, type CompiledWorld } from '../src/authoring/compile-world.ts';
import { unreachedOutcomes } from '../src/authoring/scenario-coverage.ts';
import type { Scenario } from '../src/authoring/scenario.ts';
import type { WorldSource } from '../src/authoring/world-source.ts';
import { MANIFEST_ERRORS, MANIFEST_WARNINGS, seal, validateManifest } from '../src/kernel/index.ts';

const WORLDS: readonly WorldSource[] = [refundDesk];

interface Files {
  readonly manifest: string;
  readonly hash: string;
}

const filesOf = ({ name }: WorldSource): Files => ({ manifest: join('manifests', name, 'manifest.json'), hash: join('manifests', name, 'manifest.sha256') });

/** What is wrong with what a source compiles to; warnings are printed. */
function defectsOf(source: WorldSource, { manifest, text, hash }: CompiledWorld): readonly string[] {
  const { errors, warnings } = validateManifest(manifest);
  for (const warning of warnings) console.warn(`${source.name} warning: ${sentence(warning, MANIFEST_WARNINGS)}`);
  const scenarios = Object.values(source.scenarios ?? {}) as readonly Scenario[];
  for (const outcome of unreachedOutcomes(manifest, scenarios)) console.warn(`${source.name} warning: no scenario reaches ${outcome}`);
  if (errors.length === 0) seal(text, hash);
  return errors.map((error) => `${source.name}: ${sentence(error, MANIFEST_ERRORS)}`);
}

type Told = ReturnType<typeof validateManifest>['errors'][number];

function sentence({ path, code, detail, suggestion }: Told, sentences: { readonly [code: string]: string }): string {
  const said = sentences[code] === undefined ? code : `${code} (${sentences[code]})`;
  return [path, said, ...(detail === undefined ? [] : [`\`${detail}\``]), ...(suggestion === undefined ? [] : [`did you mean \`${suggestion}\`?`])].join(' ');
}

function compile(source: WorldSource): readonly string[] {
  const compiled = compileWorld(source);
  const defects = defectsOf(source, compiled);
  if (defects.length > 0) return defects;
  const files = filesOf(source);
  writeFileSync(files.manifest, compiled.text);
  writeFileSync(files.hash, `${compiled.hash}\n`);
  console.log(`${source.name} ${source.version} ${compiled.hash}`);
  return [];
}

function check(source: WorldSource): readonly string[] {
  const compiled = compileWorld(source);
  const files = filesOf(source);
  if (!existsSync(files.manifest) || !existsSync(files.hash)) return [`${files.manifest} or its hash is missing: run manifests:compile`];
  const { status, stdout } = spawnSync('git', ['show', `HEAD:${files.manifest}`], { encoding: 'utf8', maxBuffer: 1e8 });
  const committed = { text: readFileSync(files.manifest, 'utf8'), hash: readFileSync(files.hash, 'utf8'), before: status === 0 ? stdout : null };
  return [...defectsOf(source, compiled), ...disagreements(compiled, committed)];
}

function main(verb: string | undefined): number {
  if (verb !== 'compile' && verb !== 'check') {
    console.error('usage: node scripts/manifests.ts compile|check');
    return 2;
  }
  const found = WORLDS.flatMap(verb === 'compile' ? compile : check);
  for (const line of found) console.error(line);
  if (found.length === 0 && verb === 'check') console.log(`${WORLDS.length} manifest(s) agree with their sources, hashes and versions`);
  return found.length === 0 ? 0 : 1;
}

process.exitCode = main(process.argv[2]);
