// Secrets at rest.
import { describe, expect, it } from 'vitest';
import { open, seal } from '../../src/adapters/vault.ts';
import type { VaultContext } from '../../src/adapters/vault.ts';

const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const context: VaultContext = { credentialKey: key(1), birthId: 'b1', integration: 'payments' };
const secrets = { credential: 'sk_test_tell_nobody', webhookSecret: 'whsec_tell_nobody_either' };

async function sealed(): Promise<string> {
  const result = await seal(context, secrets);
  if (!result.ok) throw new Error(result.code);
  return result.envelope;
}

describe('the vault', () => {
  it('gives back what was sealed', async () => {
    expect(await open(context, await sealed())).toEqual({ ok: true, secrets });
  });

  it('never makes the same envelope twice, and none that shows a secret', async () => {
    const [one, other] = [await sealed(), await sealed()];
    expect(one).not.toBe(other);
    expect(one).toMatch(/^v1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/);
    expect(Buffer.from(one.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('tell_nobody');
  });

  it.each<[string, Partial<VaultContext>]>([
    ['another key', { credentialKey: key(2) }],
    ['another world', { birthId: 'b2' }],
    ['another integration', { integration: 'mail' }],
  ])('does not open with %s, and says nothing of the secret', async (_what, other) => {
    expect(await open({ ...context, ...other }, await sealed())).toEqual({ ok: false, code: 'not_authentic' });
  });

  it('does not open what was changed in any part', async () => {
    const [version = '', nonce = '', cipher = ''] = (await sealed()).split('.');
    const flip = (text: string): string => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;
    expect(await open(context, `${version}.${flip(nonce)}.${cipher}`)).toEqual({ ok: false, code: 'not_authentic' });
    expect(await open(context, `${version}.${nonce}.${flip(cipher)}`)).toEqual({ ok: false, code: 'not_authentic' });
    expect(await open(context, `v2.${nonce}.${cipher}`)).toEqual({ ok: false, code: 'version_unknown' });
    expect(await open(context, `${version}.${nonce}AAAA.${cipher}`)).toEqual({ ok: false, code: 'envelope_malformed' });
  });

  it.each(['', 'v1', 'v1..', 'v1.AAAA', 'v1.A.A', 'plain text', 'v1.!!!!.AAAA'])('%j is no envelope', async (text) => {
    expect(await open(context, text)).toEqual({ ok: false, code: 'envelope_malformed' });
  });

  it.each(['', 'short', Buffer.alloc(31, 1).toString('base64'), Buffer.alloc(33, 1).toString('base64')])(
    'a deployment key %j is refused as malformed',
    async (credentialKey) => {
      expect(await seal({ ...context, credentialKey }, secrets)).toEqual({ ok: false, code: 'key_malformed' });
      expect(await open({ ...context, credentialKey }, await sealed())).toEqual({ ok: false, code: 'key_malformed' });
    },
  );
});
