// Puts the script of `/docs` where the deployment serves its files from, so that the page asks no other host.
// wrangler runs this before every build; it copies only what changed.
import { copyFileSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const source = join(root, 'node_modules', '@scalar', 'api-reference', 'dist', 'browser', 'standalone.js');
const target = join(root, 'public', 'docs', 'scalar.js');

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? -1;
}

if (sizeOf(source) !== sizeOf(target)) {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(source, target);
}
