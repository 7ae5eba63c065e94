// The sealed manifests that a deployment carries, as the router and the world objects find them.

export interface ManifestEntry {
  readonly name: string;
  readonly version: string;
  /** `sha256:` of the UTF-8 bytes of `text`. */
  readonly hash: string;
  /** The canonical bytes, exactly. */
  readonly text: string;
}

export type ManifestRegistry = readonly ManifestEntry[];

/** The entry of a hash, if this deployment carries it. */
export function manifestOf(registry: ManifestRegistry, hash: string): ManifestEntry | undefined {
  return registry.find((entry) => entry.hash === hash);
}
