// Where a contract may be connected to.
import { describe, expect, it } from 'vitest';
import { mail } from '../../../src/adapters/contracts/mail.ts';
import { payments } from '../../../src/adapters/contracts/payments.ts';
import { checkEndpoint, isLiveCredential, unfitSettings } from '../../../src/adapters/http/origin.ts';

describe('an endpoint in production', () => {
  it.each(['https://api.stripe.com', 'https://api.stripe.com/', 'https://API.stripe.com', 'https://api.stripe.com:443'])(
    '%s is the contract’s origin',
    (endpoint) => {
      expect(checkEndpoint(payments, endpoint, { development: false })).toEqual({ ok: true, origin: 'https://api.stripe.com' });
    },
  );

  it.each([
    ['', 'endpoint_malformed'],
    ['not a url', 'endpoint_malformed'],
    ['https://api.stripe.com\n', 'endpoint_malformed'],
    ['https://аpi.stripe.com', 'endpoint_malformed'],
    ['https://api.stripe.com/v1', 'endpoint_not_an_origin'],
    ['https://api.stripe.com/.', 'endpoint_not_an_origin'],
    ['https://api.stripe.com?', 'endpoint_not_an_origin'],
    ['https://api.stripe.com#x', 'endpoint_not_an_origin'],
    ['https://user:secret@api.stripe.com', 'endpoint_not_an_origin'],
    ['https://@api.stripe.com', 'endpoint_not_an_origin'],
    ['https:\\\\api.stripe.com', 'endpoint_not_an_origin'],
    ['ftp://api.stripe.com', 'endpoint_not_an_origin'],
    ['javascript:alert(1)', 'endpoint_not_an_origin'],
    ['http://api.stripe.com', 'endpoint_not_https'],
    ['http://127.0.0.1:8787', 'endpoint_not_https'],
    ['https://evil.example', 'endpoint_not_in_contract'],
    ['https://api.stripe.com.evil.example', 'endpoint_not_in_contract'],
    ['https://api.stripe.com:8443', 'endpoint_not_in_contract'],
    ['https://localhost', 'endpoint_not_in_contract'],
  ])('%j is refused as %s', (endpoint, code) => {
    expect(checkEndpoint(payments, endpoint, { development: false })).toEqual({ ok: false, code });
  });
});

describe('an endpoint in development', () => {
  it.each(['http://127.0.0.1:4010', 'http://localhost:1', 'http://[::1]:4010', 'http://localhost', 'https://api.resend.com'])(
    '%s may be connected',
    (endpoint) => {
      expect(checkEndpoint(mail, endpoint, { development: true })).toEqual({ ok: true, origin: endpoint });
    },
  );

  it.each(['http://127.0.0.1:4010/path', 'http://192.168.0.1', 'http://localhost.evil.example', 'http://api.resend.com', 'http://0.0.0.0:1'])(
    '%s may not',
    (endpoint) => {
      expect(checkEndpoint(mail, endpoint, { development: true }).ok).toBe(false);
    },
  );
});

it('a credential tells whether it is live only where the provider has such a thing', () => {
  expect(['sk_live_1', 'rk_live_1', 'sk_test_1', 'x'].map((credential) => isLiveCredential(payments, credential))).toEqual([true, true, false, false]);
  expect(isLiveCredential(mail, 'sk_live_1')).toBeNull();
});

it('settings are those of the contract, in its form', () => {
  expect(unfitSettings(mail, { from: 'Desk <desk@shop.test>' })).toEqual([]);
  expect(unfitSettings(mail, { from: 'desk@shop.test' })).toEqual([]);
  expect(unfitSettings(mail, { from: mail.settings['from']?.default ?? '' })).toEqual([]);
  expect(unfitSettings(mail, { to: 'x', from: 'a@b\r\nBcc: c@d', constructor: 'x' })).toEqual(['constructor', 'from', 'to']);
});
