// Which manifest of the deployment a `PUT …/worlds/{world}` means: by hash, by name and version, or by name alone.
import type { PutWorldBody } from '../protocol/worlds.ts';
import type { ProblemError } from '../protocol/problem.ts';
import type { ManifestEntry, ManifestRegistry } from '../protocol/registry.ts';
import type { WorldEntry } from '../protocol/rpc.ts';

type Manifest = WorldEntry['manifest'];

export type ManifestChoice = { readonly found: true; readonly manifest: Manifest } | { readonly found: false; readonly error: ProblemError };

/**
 * A name alone means the manifest of that name to which the world is pinned already, else its newest version: a deployment with a
 * newer one does not turn the same request into a conflict.
 */
export function chooseManifest(registry: ManifestRegistry, asked: PutWorldBody, pinned: Manifest | null): ManifestChoice {
  const named = registry.filter((entry) => entry.hash === asked.manifest || entry.name === asked.manifest);
  if (named.length === 0) return { found: false, error: { path: 'manifest', code: 'unknown_manifest' } };
  const fitting = asked.version === undefined ? named : named.filter((entry) => entry.version === asked.version);
  const chosen = (asked.version === undefined ? fitting.find((entry) => entry.hash === pinned?.hash) : undefined) ?? newest(fitting);
  if (chosen === undefined) return { found: false, error: { path: 'version', code: 'unknown_version' } };
  const { name, version, hash } = chosen;
  return { found: true, manifest: { name, version, hash } };
}

function newest(entries: readonly ManifestEntry[]): ManifestEntry | undefined {
  return entries.toSorted((one, other) => compareVersions(other.version, one.version))[0];
}

/** Numbers between dots, compared from the left; what is no number counts as 0. */
function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map((part) => Number.parseInt(part, 10) || 0));
  const length = Math.max(left?.length ?? 0, right?.length ?? 0);
  for (let at = 0; at < length; at += 1) {
    const difference = (left?.[at] ?? 0) - (right?.[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
