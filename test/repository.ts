// The repository as its own tests see it: which files there are, what they say, and what imports what.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const NOT_OURS = /^(\.git|node_modules|\.wrangler|\.state|dist|coverage|public\/docs)(\/|$)|^\.dev\.vars$|\.tsbuildinfo$/;

/** Every file but what git would ignore: for a copy of the tree that came without its history. */
function walk(folder = ''): readonly string[] {
  return readdirSync(folder === '' ? '.' : folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (NOT_OURS.test(path)) return [];
    return entry.isDirectory() ? walk(path) : [path];
  });
}

function listed(): readonly string[] {
  const { status, stdout } = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  return status === 0 ? stdout.split('\n') : walk();
}

/** Tracked files and new ones that are not ignored; files that are gone from the work tree are left out. */
export const files: readonly string[] = listed().filter((file) => file !== '' && existsSync(file));

export const sources: readonly string[] = files.filter((file) => /\.(ts|js)$/.test(file) && !file.endsWith('.d.ts'));
export const documents: readonly string[] = files.filter((file) => file.endsWith('.md'));

const read = new Map<string, string>();

export function textOf(file: string): string {
  const known = read.get(file) ?? readFileSync(file, 'utf8');
  read.set(file, known);
  return known;
}

/** Files of a list whose text matches. */
export function matching(list: readonly string[], pattern: RegExp): readonly string[] {
  return list.filter((file) => pattern.test(textOf(file)));
}

export interface Import {
  readonly from: string;
  /** A file of this repository, or the name of a package. */
  readonly to: string;
}

const STATEMENT = /^(?:import|export)\b(?:[^'"`;]*?\bfrom)?\s*['"]([^'"]+)['"]/gm;
const CALL = /\bimport\(\s*['"]([^'"]+)['"]/g;

function importsIn(from: string): readonly Import[] {
  const text = textOf(from);
  return [...text.matchAll(STATEMENT), ...text.matchAll(CALL)].map(([, name = '']) => ({
    from,
    to: name.startsWith('.') ? normalize(join(dirname(from), name)).replace(/\?raw$/, '') : name,
  }));
}

const all = sources.flatMap(importsIn);
export const imports: readonly Import[] = all.filter(({ to }) => existsSync(to));
/** What is imported from outside the repository. */
export const packages: readonly Import[] = all.filter(({ to }) => !existsSync(to));

/** Relative links of a document: the file that each names, and the heading where it names one. */
export function linksOf(document: string): readonly { readonly file: string; readonly heading: string | null }[] {
  return [...textOf(document).matchAll(/\]\(([^)\s]+)[^)]*\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', heading = null] = link.split('#');
      return { file: path === '' ? document : normalize(join(dirname(document), path)), heading };
    });
}

/** The headings of a document. */
export function headingsOf(document: string): readonly string[] {
  return [...textOf(document).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
}

/** The rows of every table of a document, each as its cells. */
export function rowsOf(document: string): readonly (readonly string[])[] {
  return textOf(document)
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s|:-]+$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    );
}
