// docs/http.md "Webhooks": the two signature schemes, and every way in which a delivery can be wrong.
import { describe, expect, it } from 'vitest';
import { verify } from '../../src/webhook/verify.ts';
import type { SignedDelivery, Verification } from '../../src/webhook/delivery.ts';
import { standardV1, stripeV1 } from './signing.ts';

const NOW_SECONDS = 1_800_000_000;
const BODY = '{"id":"evt_1","note":"grüß dich 😀"}';

/** The bounds of age are the same for both: old is refused, and so is what claims to come from the future. */
const AGES: readonly (readonly [number, Verification['ok'], string | null])[] = [
  [0, true, null],
  [300, true, null],
  [301, false, 'timestamp_too_old'],
  [-300, true, null],
  [-301, false, 'timestamp_in_future'],
];

describe('stripe', () => {
  const secret = 'whsec_0123456789abcdef';
  const contract = { scheme: 'stripe', toleranceSeconds: 300 } as const;
  const check = (header: string | undefined, more: { readonly body?: string; readonly secrets?: readonly string[] } = {}): Verification => {
    const delivery: SignedDelivery = { headers: header === undefined ? {} : { 'stripe-signature': header }, body: more.body ?? BODY };
    return verify(contract, more.secrets ?? [secret], delivery, NOW_SECONDS * 1000 + 999);
  };
  const t = NOW_SECONDS;
  const good = stripeV1(secret, t, BODY);

  it('a signature over timestamp and raw body with the whole secret is genuine', () => {
    expect(check(`t=${t},v1=${good}`)).toEqual({ ok: true, deliveryId: null });
  });

  it('one genuine signature among several is enough, while a secret is being rotated', () => {
    expect(check(`t=${t},v1=${'0'.repeat(64)},v0=${good},v1=${good}`)).toMatchObject({ ok: true });
    expect(check(`t=${t},v1=${good}`, { secrets: ['whsec_new', secret] })).toMatchObject({ ok: true });
  });

  it.each(AGES)('aged %i s: genuine is %s', (age, ok, code) => {
    const at = t - age;
    expect(check(`t=${at},v1=${stripeV1(secret, at, BODY)}`)).toMatchObject(ok ? { ok } : { ok, code });
  });

  it.each([
    ['another body', `t=${t},v1=${good}`, `${BODY} `],
    ['another timestamp', `t=${t + 1},v1=${good}`, BODY],
    ['another secret', `t=${t},v1=${stripeV1('whsec_other', t, BODY)}`, BODY],
    ['the secret without its prefix', `t=${t},v1=${stripeV1('0123456789abcdef', t, BODY)}`, BODY],
    ['one digit changed', `t=${t},v1=${good.startsWith('0') ? '1' : '0'}${good.slice(1)}`, BODY],
  ])('%s is not genuine', (_what, header, body) => {
    expect(check(header, { body })).toEqual({ ok: false, code: 'signature_wrong' });
  });

  it.each([
    ['no timestamp', `v1=${good}`],
    ['two timestamps', `t=${t},t=${t},v1=${good}`],
    ['a timestamp that is no number', `t=now,v1=${good}`],
    ['only a scheme that proves nothing', `t=${t},v0=${good}`],
    ['upper-case digits', `t=${t},v1=${good.toUpperCase()}`],
    ['a short signature', `t=${t},v1=${good.slice(2)}`],
    ['an empty header', ''],
    ['a header without end', `t=${t},v1=${good},${'x'.repeat(5_000)}`],
  ])('%s is malformed', (_what, header) => {
    expect(check(header)).toEqual({ ok: false, code: 'signature_malformed' });
  });

  it('without a header, or without a secret, nothing is genuine', () => {
    expect(check(undefined)).toEqual({ ok: false, code: 'signature_missing' });
    expect(check(`t=${t},v1=${good}`, { secrets: [] })).toEqual({ ok: false, code: 'signature_wrong' });
    expect(check(`t=${t},v1=${stripeV1('', t, BODY)}`, { secrets: [''] })).toEqual({ ok: false, code: 'signature_wrong' });
  });
});

describe('standard webhooks', () => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const contract = { scheme: 'standard', toleranceSeconds: 300 } as const;
  const id = 'msg_1';
  const t = NOW_SECONDS;
  const good = standardV1(secret, { id, timestamp: t, body: BODY });
  const named = (family: string, signature: string, more: { readonly id?: string; readonly timestamp?: string } = {}): SignedDelivery['headers'] => ({
    [`${family}-id`]: more.id ?? id,
    [`${family}-timestamp`]: more.timestamp ?? String(t),
    [`${family}-signature`]: signature,
  });
  const check = (headers: SignedDelivery['headers'], more: { readonly body?: string; readonly secrets?: readonly string[] } = {}): Verification =>
    verify(contract, more.secrets ?? [secret], { headers, body: more.body ?? BODY }, NOW_SECONDS * 1000 + 999);

  it.each(['webhook', 'svix'])('a signature over id, timestamp and raw body is genuine under the names %s-*', (family) => {
    expect(check(named(family, good))).toEqual({ ok: true, deliveryId: id });
  });

  it('the published example of the scheme is genuine', () => {
    const headers = named('svix', 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=', { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: '1614265330' });
    const delivery = { headers, body: '{"test": 2432232314}' };
    expect(verify(contract, ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], delivery, 1_614_265_330_000)).toMatchObject({ ok: true });
  });

  it('one genuine signature among several is enough, while a secret is being rotated', () => {
    const other = standardV1(`whsec_${Buffer.alloc(24, 8).toString('base64')}`, { id, timestamp: t, body: BODY });
    expect(check(named('webhook', `${other} v1a,${good.slice(3)} ${good}`))).toMatchObject({ ok: true });
    expect(check(named('webhook', good), { secrets: ['whsec_AAAA', secret] })).toMatchObject({ ok: true });
  });

  it.each(AGES)('aged %i s: genuine is %s', (age, ok, code) => {
    const timestamp = String(t - age);
    expect(check(named('svix', standardV1(secret, { id, timestamp, body: BODY }), { timestamp }))).toMatchObject(ok ? { ok } : { ok, code });
  });

  it.each<[string, SignedDelivery['headers'], string]>([
    ['another body', named('webhook', good), `${BODY}\n`],
    ['another id', named('webhook', good, { id: 'msg_2' }), BODY],
    ['another timestamp', named('webhook', good, { timestamp: String(t - 1) }), BODY],
    ['another version of the scheme', named('webhook', `v1,${good.slice(3).replace(/^./, (c) => (c === 'A' ? 'B' : 'A'))}`), BODY],
    ['the whole secret as the key', named('webhook', standardV1(Buffer.from(secret).toString('base64'), { id, timestamp: t, body: BODY })), BODY],
  ])('%s is not genuine', (_what, headers, body) => {
    expect(check(headers, { body })).toEqual({ ok: false, code: 'signature_wrong' });
  });

  it.each(['whsec_', 'whsec_not base64!', 'whsec_AAA', 'whsec_AAAA====', secret.slice('whsec_'.length), ''])('the secret %j never verifies', (unusable) => {
    const signed = standardV1(unusable, { id, timestamp: t, body: BODY });
    expect(check(named('webhook', signed), { secrets: [unusable] })).toEqual({ ok: false, code: 'signature_wrong' });
  });

  it('a secret under another prefix never verifies', () => {
    expect(check(named('webhook', good), { secrets: [secret.replace('whsec_', 'wrong_')] })).toEqual({ ok: false, code: 'signature_wrong' });
  });

  it.each<[string, SignedDelivery['headers']]>([
    ['an empty id', named('webhook', good, { id: '' })],
    ['a dot in the id, which separates what is signed', named('webhook', standardV1(secret, { id: 'msg.1', timestamp: t, body: BODY }), { id: 'msg.1' })],
    ['a timestamp that is no number', named('webhook', good, { timestamp: '1e9' })],
    ['no version', named('webhook', good.slice(3))],
    ['a version that proves nothing', named('webhook', good.replace('v1,', 'v2,'))],
    ['a signature that is no base64', named('webhook', 'v1,***')],
  ])('%s is malformed', (_what, headers) => {
    expect(check(headers)).toEqual({ ok: false, code: 'signature_malformed' });
  });

  it('a header that is missing is not taken from the other family', () => {
    const { 'webhook-id': _id, ...rest } = named('webhook', good);
    expect(check({ ...rest, 'svix-id': id })).toEqual({ ok: false, code: 'signature_missing' });
    expect(check({})).toEqual({ ok: false, code: 'signature_missing' });
  });
});
