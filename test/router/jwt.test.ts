// JWTs in place of keys: believed only from the configured issuer, for the configured audience, by a listed algorithm, and only for what their claims allow.
import { SignJWT, exportJWK, generateKeyPair } from 'jose';
import type { CryptoKey, JWTPayload } from 'jose';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectProblem } from './expect-problem.ts';
import { Deployment, openDesk } from './fakes.ts';
import type { Answer, Desk } from './fakes.ts';

const issuer = 'https://login.example';
const audience = 'world-runtime';
const algorithms = ['RS256', 'ES256', 'EdDSA'] as const;

interface Pair {
  readonly privateKey: CryptoKey;
  readonly jwk: Readonly<Record<string, unknown>>;
}
const pairs = new Map<string, Pair>();
let desk: Desk;

beforeAll(async () => {
  for (const alg of [...algorithms, 'PS256', 'stranger']) {
    const { privateKey, publicKey } = await generateKeyPair(alg === 'stranger' ? 'ES256' : alg, { extractable: true });
    pairs.set(alg, { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: alg } });
  }
});

beforeEach(async () => {
  const keys = [...algorithms, 'PS256'].map((alg) => pairs.get(alg)?.jwk);
  desk = await openDesk(new Deployment({ JWT_ISSUER: issuer, JWT_AUDIENCE: audience, JWT_JWKS: JSON.stringify({ keys }) }));
});

const claims = { tenant: 'acme', actor: 'Agent:jwt', roles: ['agent'] };

interface Making {
  readonly alg?: string;
  readonly kid?: string;
  readonly by?: string;
  readonly exp?: number | null;
  readonly iss?: string;
  readonly aud?: string;
}

function sign(payload: JWTPayload, { alg = 'ES256', by = alg, kid = by, exp = 60, iss = issuer, aud = audience }: Making = {}): Promise<string> {
  const pair = pairs.get(by);
  if (pair === undefined) throw new Error(by);
  const token = new SignJWT(payload).setProtectedHeader({ alg, kid }).setIssuer(iss).setAudience(aud).setIssuedAt();
  const now = Math.floor(Date.now() / 1000);
  return (exp === null ? token : token.setExpirationTime(now + exp)).sign(pair.privateKey);
}

const get = (key: string, path = '/v1/worlds/alpha'): Promise<Answer> => desk.at.call('GET', path, { key });

describe('a JWT', () => {
  test.each(algorithms)('signed with %s stands for the actor of its claims', async (alg) => {
    expect((await get(await sign(claims, { alg }))).status).toBe(200);
    expect(desk.at.asked.at(-1)?.with[0]).toEqual(claims);
  });

  test('may be narrowed to worlds', async () => {
    expectProblem(await get(await sign({ ...claims, worlds: ['elsewhere'] })), 404);
    expect((await get(await sign({ ...claims, worlds: ['alpha'] }))).status).toBe(200);
    expect((await get(await sign({ ...claims, worlds: [] }), '/v1/worlds')).json).toEqual({ worlds: [] });
  });

  test('carries the rights of its role, within its tenant', async () => {
    const operator = await sign({ ...claims, actor: 'Operator:jwt', roles: ['operator'] });
    expect((await desk.at.call('PUT', '/v1/worlds/fresh', { key: operator, body: { manifest: 'desk' } })).status).toBe(201);
    expectProblem(await desk.at.call('PUT', '/v1/worlds/other', { key: await sign(claims), body: { manifest: 'desk' } }), 403);
    expectProblem(await desk.at.call('POST', '/v1/tenants', { key: operator, body: { tenant: 'mine' } }), 403);
  });

  const unbelieved: readonly [string, () => Promise<string>][] = [
    ['of another issuer', () => sign(claims, { iss: 'https://evil.example' })],
    ['for another audience', () => sign(claims, { aud: 'somebody-else' })],
    ['that has expired', () => sign(claims, { exp: -60 })],
    ['that never expires', () => sign(claims, { exp: null })],
    ['signed by a stranger', () => sign(claims, { by: 'stranger', alg: 'ES256', kid: 'ES256' })],
    ['signed with an algorithm that is not listed', () => sign(claims, { alg: 'PS256' })],
    [
      'whose claims were changed',
      async () => {
        const [head, , signature] = (await sign(claims)).split('.');
        const body = btoa(JSON.stringify({ ...claims, actor: 'Operator:me', roles: ['operator'], iss: issuer, aud: audience, exp: 9_999_999_999 })).replaceAll(
          '=',
          '',
        );
        return `${head}.${body}.${signature}`;
      },
    ],
    [
      'without signature',
      async () => {
        const [, body] = (await sign(claims)).split('.');
        return `${btoa('{"alg":"none"}').replaceAll('=', '')}.${body}.AA`;
      },
    ],
    ["of an agent with a person's role", () => sign({ ...claims, roles: ['human'] })],
    ['with a role that nobody knows', () => sign({ ...claims, roles: ['agent', 'wizard'] })],
    ['with no role', () => sign({ ...claims, roles: [] })],
    ['of the clock', () => sign({ ...claims, actor: 'Clock:world' })],
    ['without tenant', () => sign({ actor: claims.actor, roles: claims.roles })],
    ['of a tenant that cannot be', () => sign({ ...claims, tenant: 'acme/alpha' })],
    ['of a tenant that was never created', () => sign({ ...claims, tenant: 'nobody' })],
  ];
  test.each(unbelieved)('%s is 401', async (_, make) => {
    const token = await make();
    for (const path of ['/v1/worlds/alpha', '/v1/worlds', '/v1/manifests']) expectProblem(await get(token, path), 401);
  });

  test('is 401 where issuer, audience or keys are not configured', async () => {
    const jwks = desk.at.env.JWT_JWKS ?? '';
    for (const configured of [
      {},
      { JWT_JWKS: jwks },
      { JWT_ISSUER: issuer, JWT_JWKS: jwks },
      { JWT_AUDIENCE: audience, JWT_JWKS: jwks },
      { JWT_ISSUER: issuer, JWT_AUDIENCE: audience },
      { JWT_ISSUER: issuer, JWT_AUDIENCE: audience, JWT_JWKS: 'no json' },
    ]) {
      const { at } = await openDesk(new Deployment(configured));
      expectProblem(await at.call('GET', '/v1/worlds/alpha', { key: await sign(claims) }), 401);
    }
  });

  test('leaves keys as they are', async () => {
    expect((await get(desk.agent)).status).toBe(200);
  });
});
