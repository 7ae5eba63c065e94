// The sealed manifests that this deployment carries. Each is its compiled data; the bytes that its hash is of are the canonical ones,
// which are also the bytes of the file (a test compares them).
import { canonical, digest } from '../src/kernel/index.ts';
import type { Json } from '../src/kernel/index.ts';
import type { ManifestEntry } from '../src/protocol/registry.ts';
import refundDesk from './refund-desk/manifest.json' with { type: 'json' };

function entryOf(manifest: { readonly name: string; readonly version: string }): ManifestEntry {
  const data = manifest as unknown as Json;
  return { name: manifest.name, version: manifest.version, hash: digest(data), text: canonical(data) };
}

export const manifests: readonly ManifestEntry[] = [entryOf(refundDesk)];
