// The published contract: made from the schemas that validate, and whole.
import { expect, test } from 'vitest';
import { Deployment } from './fakes.ts';

type Operation = {
  readonly operationId: string;
  readonly responses: Record<string, { readonly content?: Record<string, { readonly schema: unknown }> }>;
  readonly security: unknown;
  readonly requestBody?: unknown;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean; readonly schema: Record<string, unknown> }[];
};
interface Contract {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Record<string, unknown>>; readonly securitySchemes: Record<string, unknown> };
}

async function contract(): Promise<Contract> {
  const answer = await new Deployment().call('GET', '/openapi.json');
  expect(answer.status).toBe(200);
  return answer.json as unknown as Contract;
}

const ROUTES = [
  'get /healthz',
  'get /v1/manifests',
  'get /v1/manifests/{hash}',
  'get /v1/tenants/{tenant}/keys',
  'get /v1/worlds',
  'get /v1/worlds/{world}',
  'get /v1/worlds/{world}/objects',
  'get /v1/worlds/{world}/objects/{id}',
  'get /v1/worlds/{world}/observation',
  'get /v1/worlds/{world}/transitions',
  'delete /v1/tenants/{tenant}/keys/{id}',
  'post /v1/hooks/{tenant}/{world}/{integration}',
  'post /v1/tenants',
  'post /v1/tenants/{tenant}/keys',
  'post /v1/worlds/{world}/clock',
  'post /v1/worlds/{world}/proposals',
  'post /v1/worlds/{world}/proposals/preview',
  'put /v1/worlds/{world}',
];

test('it names every route, and none that does not work', async () => {
  const { openapi, paths } = await contract();
  expect(openapi).toBe('3.1.0');
  const named = Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
  expect(named.toSorted()).toEqual(ROUTES.toSorted());
});

test('every operation has a name of its own, problems, and a key where one is needed', async () => {
  const { paths, components } = await contract();
  const operations = Object.entries(paths).flatMap(([path, methods]) => Object.values(methods).map((operation) => ({ path, ...operation })));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  for (const { path, security, responses } of operations) {
    const open = path === '/healthz' || path.startsWith('/v1/hooks/');
    expect(security, path).toEqual(open ? [] : [{ key: [] }]);
    if (path !== '/healthz') expect(responses['401']?.content?.['application/problem+json']?.schema, path).toEqual({ $ref: '#/components/schemas/Problem' });
  }
  expect(components.securitySchemes).toHaveProperty('key');
});

test('the schemas stand there once, are referred to, and no reference is dangling', async () => {
  const document = await contract();
  for (const name of [
    'Proposal',
    'ProposalResult',
    'ActionAttempt',
    'Outcome',
    'WorldObject',
    'ObservationFrame',
    'Transition',
    'Problem',
    'IssueKey',
    'KeyList',
    'PutWorld',
    'WorldSummary',
  ])
    expect(document.components.schemas, name).toHaveProperty(name);
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name ?? '');
  expect(references.length).toBeGreaterThan(20);
  for (const name of references) expect(Object.hasOwn(document.components.schemas, name), name).toBe(true);
});

test('a proposal is closed, and says what it needs', async () => {
  const proposal = (await contract()).components.schemas['Proposal'];
  expect(proposal).toMatchObject({ type: 'object', additionalProperties: false, required: ['action', 'target', 'expectedRevision', 'parameters'] });
});

test('query parameters are described as what they mean', async () => {
  const parameters = (await contract()).paths['/v1/worlds/{world}/objects']?.['get']?.parameters ?? [];
  const limit = parameters.find(({ name }) => name === 'limit');
  expect(limit).toMatchObject({ in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 100 } });
  expect(limit?.required ?? false).toBe(false);
});
