// Whether what a source compiles to is what lies in the repository: the file, its pinned hash, and the version under which it was committed before.
import type { CompiledWorld } from './compile-world.ts';

export interface Committed {
  /** What `manifest.json` and `manifest.sha256` hold now. */
  readonly text: string;
  readonly hash: string;
  /** What `manifest.json` held at the last commit; null where there is none. */
  readonly before: string | null;
}

/** A sentence for each disagreement, with the parts that differ. */
export function disagreements({ manifest, text, hash }: CompiledWorld, committed: Committed): readonly string[] {
  const { name, version } = manifest;
  const found: string[] = [];
  if (committed.text !== text)
    found.push(`manifests/${name}/manifest.json is not what its source compiles to: ${differences(committed.text, text).join(', ')}`);
  if (committed.hash.trim() !== hash) found.push(`manifests/${name}/manifest.sha256 is not the hash of the manifest`);
  const { before } = committed;
  if (before !== null && before !== text && versionOf(before) === version) {
    found.push(`${name} changed without a new version: ${differences(before, text).join(', ')}`);
  }
  return found;
}

function versionOf(text: string): unknown {
  return partsOf(text)['version'];
}

/** The parts that differ, two levels deep: `actions/order.refund`, `limits/unresolvedMax`; `bytes` where only the writing does. */
function differences(before: string, after: string): readonly string[] {
  const [old, now] = [partsOf(before), partsOf(after)];
  const found = keysOf(old, now).flatMap((part) => {
    const [a, b] = [old[part], now[part]];
    if (JSON.stringify(a) === JSON.stringify(b)) return [];
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return [part];
    return keysOf(a, b).flatMap((key) => (JSON.stringify(Reflect.get(a, key)) === JSON.stringify(Reflect.get(b, key)) ? [] : [`${part}/${key}`]));
  });
  return found.length === 0 ? ['bytes'] : found;
}

function partsOf(text: string): { readonly [part: string]: unknown } {
  return JSON.parse(text) as { readonly [part: string]: unknown };
}

function keysOf(a: object, b: object): readonly string[] {
  return [...new Set([...Object.keys(a), ...Object.keys(b)])];
}
