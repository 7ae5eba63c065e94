// SHA-256 of the platform under the name that the kernel imports (wrangler.toml `[alias]`): the same digests, about six times faster in workerd.
// Boundary: only the deployment's bundle uses it; in Node, in the browser and in every test the kernel has @noble/hashes itself.
import { createHash } from 'node:crypto';

// Only `sha256(bytes)` is offered: what needs a hasher of @noble/hashes (its HMAC) must not be bundled beside it, and takes the platform's.

/** SHA-256 of bytes, 32 bytes. Synchronous, as a transition needs it. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(bytes).digest();
}
