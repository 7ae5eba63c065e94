// The repository tests itself: layers, purity, budgets, names, documents.
import { existsSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { REFUSALS } from '../src/kernel/index.ts';

/** Tracked files and new ones that are not ignored; files that are gone from the work tree are left out. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(file));
const sources = files.filter((file) => /\.(ts|js)$/.test(file) && !file.endsWith('.d.ts'));
const documents = files.filter((file) => file.endsWith('.md'));
const textOf = (file: string): string => readFileSync(file, 'utf8');
const matching = (list: readonly string[], pattern: RegExp): readonly string[] => list.filter((file) => pattern.test(textOf(file)));

interface Import {
  readonly from: string;
  readonly to: string;
}

const imports: readonly Import[] = sources.flatMap((from) =>
  [...textOf(from).matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map((match) => ({ from, to: normalize(join(dirname(from), match[1] ?? '')) })),
);

/** What each layer may import of the others. */
const LAYERS: { readonly [layer: string]: readonly string[] } = {
  'src/kernel': [],
  'src/protocol': ['src/kernel'],
  'src/adapters': ['src/protocol', 'src/kernel'],
  'src/webhook': ['src/protocol', 'src/kernel'],
  'src/authoring': ['src/kernel'],
  manifests: ['src/authoring', 'src/adapters/contracts', 'src/protocol', 'src/kernel'],
  'durable-objects': ['manifests', 'migrations', 'src/adapters', 'src/webhook', 'src/protocol', 'src/kernel', 'src/env.ts'],
  'src/router': ['src/protocol', 'src/kernel', 'src/env.ts'],
  'src/evaluation': ['sandbox'],
  sandbox: [],
};

describe('the repository', () => {
  it.each(Object.keys(LAYERS))('%s imports only what stands below it', (layer) => {
    const allowed = [layer, ...(LAYERS[layer] ?? [])];
    const odd = imports.filter(({ from, to }) => from.startsWith(`${layer}/`) && !allowed.some((prefix) => to === prefix || to.startsWith(`${prefix}/`)));
    expect(odd).toEqual([]);
  });

  it('enters the kernel by its one door', () => {
    const outside = imports.filter(
      ({ from, to }) => to.startsWith('src/kernel/') && to !== 'src/kernel/index.ts' && !from.startsWith('src/kernel/') && !from.startsWith('test/'),
    );
    expect(outside).toEqual([]);
  });

  it('has no file that nothing imports', () => {
    const entries =
      /^(src\/worker\.ts|src\/evaluation\/experiment\.ts|sandbox\/main\.ts|scripts\/[^/]+\.ts|scripts\/benchmark\/worker\.ts|durable-objects\/native-sha256\.ts|[^/]+\.config\.ts|durable-objects\/\w+-schema\.ts|migrations\/.*|test\/.*)$/;
    const imported = new Set(imports.map(({ to }) => to));
    expect(sources.filter((file) => !imported.has(file) && !entries.test(file))).toEqual([]);
  });

  it('keeps clocks, randomness, locale and foreign bytes out of the kernel', () => {
    const kernel = sources.filter((file) => file.startsWith('src/kernel/'));
    const bare = (file: string): string => textOf(file).replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
    const odd = kernel.filter((file) => /\bnew Date\b|\bDate\.|Math\.random|toLocale|localeCompare|\.sort\(\)/.test(bare(file)));
    expect(odd).toEqual([]);
    expect(kernel.filter((file) => /JSON\.stringify/.test(bare(file)) && file !== 'src/kernel/base/canonical.ts')).toEqual([]);
  });

  it('has no room for leftovers: names, notes to self, focused or skipped tests', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?)(\/|\.|$)/.test(file))).toEqual([]);
    const notes = /\b(TODO|FIXME|XXX)\b/;
    expect(
      matching(
        sources.filter((file) => file !== 'test/tidy.test.ts'),
        notes,
      ),
    ).toEqual([]);
    expect(
      matching(
        files.filter((file) => file.endsWith('.test.ts') && file !== 'test/tidy.test.ts'),
        /\b(it|test|describe)\.(only|skip|todo|fails)\b/,
      ),
    ).toEqual([]);
  });
});

describe('the documents', () => {
  it('link to files that exist', () => {
    const broken = documents.flatMap((file) =>
      [...textOf(file).matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
        .map((match) => match[1] ?? '')
        .filter((link) => !/^[a-z]+:/.test(link) && !existsSync(join(dirname(file), link)))
        .map((link) => `${file}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('name only npm scripts that exist', () => {
    const named = documents.flatMap((file) => [...textOf(file).matchAll(/npm run ([a-z:-]+)/g)].map((match) => match[1] ?? ''));
    expect(named.filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([]);
  });

  it('list every refusal in the one precedence, with its outcome', () => {
    const rows = [...textOf('docs/refusals.md').matchAll(/^\| (\d+) +\| `(\w+)` +\| (\w+) +\|/gm)].map(([, check, code, kind]) => ({
      check: Number(check),
      code,
      kind,
    }));
    expect(rows).toEqual(REFUSALS.map(({ check, code, kind }) => ({ check, code, kind })));
  });
});
