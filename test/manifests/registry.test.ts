// The manifests that a deployment serves are, byte for byte, the reviewed files.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { manifests } from '../../manifests/registry.ts';
import { manifestOf } from '../../src/protocol/registry.ts';

describe.each(manifests)('$name $version', ({ name, hash, text }) => {
  test('has exactly the bytes of its file', () => {
    expect(text).toBe(readFileSync(join('manifests', name, 'manifest.json'), 'utf8').trimEnd());
  });

  test('has the hash of those bytes', () => {
    expect(hash).toBe(`sha256:${createHash('sha256').update(text).digest('hex')}`);
    expect(manifestOf(manifests, hash)?.text).toBe(text);
  });
});

test('there is at least one, and no two of one name and version', () => {
  expect(manifests.length).toBeGreaterThan(0);
  expect(new Set(manifests.map(({ name, version }) => `${name} ${version}`)).size).toBe(manifests.length);
});
