// The repository tests itself: layers, purity, budgets, names, and that documents name what there is.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { documents, files, headingsOf, imports, linksOf, matching, packages, sources, textOf } from './repository.ts';

/** Every folder of sources is a layer, and imports itself and what is named here. `worker.ts` is the top: it ties everything together. */
const LAYERS: { readonly [layer: string]: readonly string[] } = {
  'src/kernel': [],
  'src/protocol': ['src/kernel'],
  'src/adapters': ['src/protocol', 'src/kernel'],
  'src/webhook': ['src/protocol', 'src/kernel'],
  'src/authoring': ['src/kernel'],
  'src/env.ts': ['src/protocol'],
  'src/router': ['src/protocol', 'src/kernel', 'src/env.ts'],
  manifests: ['src/authoring', 'src/adapters/contracts', 'src/protocol', 'src/kernel'],
  migrations: [],
  'durable-objects': ['manifests/registry.ts', 'migrations', 'src/adapters', 'src/webhook', 'src/protocol', 'src/kernel', 'src/env.ts'],
  'src/worker.ts': ['manifests/registry.ts', 'src/router', 'durable-objects'],
  sandbox: [],
  'src/evaluation': ['sandbox'],
  // The benchmark of the pure decision decides on the desk in memory that the tests have.
  scripts: ['manifests', 'sandbox', 'durable-objects', 'src/router', 'src/authoring', 'src/kernel', 'src/env.ts', 'test/kernel/transition/desk.ts'],
};

/** Doors of the kernel beside `index.ts`, for whom, and why. */
const DEEPER_DOORS: readonly { readonly from: RegExp; readonly to: RegExp; readonly because: string }[] = [
  { from: /^test\/kernel\//, to: /^src\/kernel\//, because: 'tests of a module of the kernel name that module' },
  { from: /^test\/node\//, to: /^src\/kernel\/manifest\/schema\.ts$/, because: 'a second validator is asked about the schema module' },
  { from: /^test\/node\//, to: /^src\/kernel\/base\/canonical\.ts$/, because: 'and about the bytes that it saw' },
];

/** Where an import begins: nothing in the repository imports these, and they are no leftovers. */
const ENTRIES: readonly { readonly file: RegExp; readonly because: string }[] = [
  { file: /^src\/worker\.ts$|^scripts\/benchmark\/worker\.ts$/, because: 'wrangler and workerd begin there' },
  { file: /^src\/evaluation\/experiment\.ts$|^sandbox\/main\.ts$|^scripts\/[^/]+\.ts$/, because: 'a script, or a process of its own' },
  { file: /^durable-objects\/native-sha256\.ts$/, because: 'wrangler puts it in the place of a package' },
  { file: /^[^/]+\.config\.ts$|^migrations\//, because: 'a tool reads it' },
  { file: /\.test\.ts$/, because: 'the test runner finds it' },
];

const under = (file: string, folder: string): boolean => file === folder || file.startsWith(`${folder}/`);
const layerOf = (file: string): string | undefined => Object.keys(LAYERS).find((layer) => under(file, layer));
/** Without comments. */
const codeOf = (file: string): string => textOf(file).replaceAll(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*$/gm, '');
const linesOf = (file: string): number => textOf(file).split('\n').length - 1;
const over = (list: readonly string[], max: number): readonly string[] => list.filter((file) => linesOf(file) > max);

describe('the layers', () => {
  it.each(Object.keys(LAYERS))('%s imports only what stands below it', (layer) => {
    const allowed = [layer, ...(LAYERS[layer] ?? [])];
    const odd = imports.filter(({ from, to }) => under(from, layer) && !allowed.some((each) => under(to, each)));
    expect(odd).toEqual([]);
  });

  it('have every source file but tests and configurations in one of them', () => {
    expect(sources.filter((file) => !file.startsWith('test/') && !/^[^/]+\.config\.ts$/.test(file) && layerOf(file) === undefined)).toEqual([]);
  });

  it('enter the kernel by its one door', () => {
    const inner = imports.filter(({ from, to }) => under(to, 'src/kernel') && to.endsWith('.ts') && to !== 'src/kernel/index.ts' && !under(from, 'src/kernel'));
    expect(inner.filter(({ from, to }) => !DEEPER_DOORS.some((door) => door.from.test(from) && door.to.test(to)))).toEqual([]);
    for (const door of DEEPER_DOORS)
      expect(
        inner.some(({ from, to }) => door.from.test(from) && door.to.test(to)),
        door.because,
      ).toBe(true);
  });

  it('name the platform only where the platform is', () => {
    // The HMAC of webhook signatures is the platform's: beside the aliased SHA-256 of the bundle no other would do.
    const portable = packages.filter(({ from }) => from !== 'src/webhook/bytes.ts' && (/^src\/(?!evaluation\/)/.test(from) || under(from, 'manifests')));
    expect(portable.filter(({ to }) => /^(node|cloudflare):/.test(to))).toEqual([]);
  });

  it('give the kernel two packages: a synchronous digest and a validator', () => {
    const named = packages.filter(({ from }) => under(from, 'src/kernel')).map(({ to }) => to);
    expect([...new Set(named)].toSorted()).toEqual(['@cfworker/json-schema', '@noble/hashes/sha2.js', '@noble/hashes/utils.js']);
  });

  it('have no file that nothing imports', () => {
    const imported = new Set(imports.map(({ to }) => to));
    expect(sources.filter((file) => !imported.has(file) && !ENTRIES.some((entry) => entry.file.test(file)))).toEqual([]);
  });
});

describe('the kernel', () => {
  const kernel = sources.filter((file) => under(file, 'src/kernel'));
  const BANNED: readonly { readonly what: string; readonly pattern: RegExp; readonly but?: string }[] = [
    { what: 'the clock', pattern: /\bDate\b(?!')|\bperformance\b/ },
    { what: 'randomness', pattern: /\bMath\.random\b|\brandomUUID\b|\bgetRandomValues\b/ },
    { what: 'locale', pattern: /\btoLocale\w*|\blocaleCompare\b|\bIntl\b/ },
    { what: 'bytes that are not canonical', pattern: /\bJSON\.stringify\b/, but: 'src/kernel/base/canonical.ts' },
    { what: 'sort without a comparator', pattern: /\.(?:sort|toSorted)\(\s*\)/ },
    { what: 'promises', pattern: /\basync\b|\bawait\b|\bnew Promise\b/ },
  ];

  it.each(BANNED)('is without $what', ({ pattern, but }) => {
    expect(kernel.filter((file) => file !== but && pattern.test(codeOf(file)))).toEqual([]);
  });

  it('opens every file with responsibility, boundary and invariants', () => {
    const opening = /^\/\/ Responsibility: .+\n(?:\/\/.*\n)*\/\/ Boundary: .+\n(?:\/\/.*\n)*\/\/ Invariants: /;
    expect(kernel.filter((file) => file !== 'src/kernel/index.ts' && !opening.test(textOf(file)))).toEqual([]);
  });
});

describe('size and names', () => {
  it('source files have at most 400 lines, tests 800, the classes of Durable Objects 250', () => {
    const tests = sources.filter((file) => file.startsWith('test/'));
    expect(over(tests, 800)).toEqual([]);
    expect(
      over(
        sources.filter((file) => !file.startsWith('test/')),
        400,
      ),
    ).toEqual([]);
    const classes = matching(
      sources.filter((file) => under(file, 'durable-objects')),
      /\bextends DurableObject\b/,
    );
    expect(classes.length).toBeGreaterThan(0);
    expect(over(classes, 250)).toEqual([]);
  });

  it('files are named after what they are, in kebab case', () => {
    expect(files.filter((file) => /(^|\/)(utils?|helpers?|misc|common)(\/|\.|$)/.test(file))).toEqual([]);
    expect(sources.filter((file) => !/^[a-z0-9]+([-.][a-z0-9]+)*\.(ts|js)$/.test(basename(file)) && !under(file, 'migrations'))).toEqual([]);
  });

  it('no notes to self are left, and no test is focused, skipped or postponed', () => {
    const texts = files.filter((file) => /\.(ts|js|md|toml|json|sql)$/.test(file) && file !== 'package-lock.json');
    expect(matching(texts, new RegExp(`\\b(${['TO', 'FIX', 'X'].map((start, n) => start + ['DO', 'ME', 'XX'][n]).join('|')})\\b`))).toEqual([]);
    const tests = sources.filter((file) => file.endsWith('.test.ts') && file !== 'test/tidy.test.ts');
    expect(matching(tests, /\b(it|test|describe)(\.\w+)*\.(only|skip|todo|fails|skipIf|runIf)\b/)).toEqual([]);
  });
});

describe('documents and comments', () => {
  it('link to files and headings that exist', () => {
    const slug = (heading: string): string =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-');
    const broken = documents.flatMap((document) =>
      linksOf(document)
        .filter(({ file, heading }) => !existsSync(file) || (heading !== null && !headingsOf(file).map(slug).includes(heading)))
        .map(({ file, heading }) => `${document}: ${file}${heading === null ? '' : `#${heading}`}`),
    );
    expect(broken).toEqual([]);
  });

  it('can all be reached from the README', () => {
    const reached = new Set(['README.md']);
    for (const document of reached) for (const { file } of linksOf(document)) if (file.endsWith('.md') && existsSync(file)) reached.add(file);
    expect(documents.filter((document) => !reached.has(document))).toEqual([]);
  });

  it('name only npm scripts that exist, and these run files that exist', () => {
    const named = documents.flatMap((document) =>
      [...textOf(document).matchAll(/npm (?:run )?(start|test|(?<=run )[a-z][a-z:-]*)/g)].map(([, name = '']) => name),
    );
    expect(named.filter((name) => !Object.hasOwn(packageJson.scripts, name))).toEqual([]);
    const run = Object.values(packageJson.scripts).flatMap((command) => [...command.matchAll(/\bnode (\S+\.ts)/g)].map(([, file = '']) => file));
    expect(run.length).toBeGreaterThan(0);
    expect(run.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('cite sections of the architecture that are there', () => {
    const headings = headingsOf('docs/architecture.md');
    const cited = [...sources, ...documents].flatMap((file) =>
      [...textOf(file).matchAll(/design §(\d+)(?:\.\d+)?(?: "([^"]+)")?/g)].map(([, number = '', title]) => ({ file, number, title })),
    );
    expect(cited.length).toBeGreaterThan(0);
    const there = ({ number, title }: { readonly number: string; readonly title: string | undefined }): boolean =>
      headings.some((heading) => heading.startsWith(`${number} `)) && (title === undefined || headings.includes(title));
    expect(cited.filter((each) => !there(each))).toEqual([]);
  });

  it('name documents that are there', () => {
    const named = sources.flatMap((file) =>
      [...textOf(file).matchAll(/\/[/*].*?\b([\w./-]+\.md)\b(?: "([^"]+)")?/g)].map(([, name = '', title]) => ({ file, name, title })),
    );
    const there = ({ file, name, title }: (typeof named)[number]): boolean => {
      const document = [name, join(dirname(file), name), join('src/kernel', name)].find((path) => existsSync(path));
      return document !== undefined && (title === undefined || headingsOf(document).includes(title));
    };
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((each) => !there(each))).toEqual([]);
  });
});
