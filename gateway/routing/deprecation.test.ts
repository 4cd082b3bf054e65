import type { AddressInfo } from 'node:net';
import express from 'express';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SaringClient } from '#client/index.ts';
import { randomId } from '#foundation/ids.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { Backend } from '../backend/backend.ts';
import { openApiDocument } from '../openapi/openapi.ts';
import { sendErrors } from '../responses/errors.ts';
import { routes } from '../routes/index.ts';
import { requestContext } from '../request/request-context.ts';
import { bodyReader } from '../validation/read-body.ts';
import { defineRoute, type Route } from './define-route.ts';
import { announceDeprecations, DEPRECATION_POLICY } from './deprecation.ts';
import { mountRoutes } from './mount-routes.ts';
import type { RouteDescription } from '../declarations/route.ts';

const COMMON = {
  method: 'get',
  tag: 'System',
  summary: 'Some things',
  description: 'Things.',
  access: 'anybody',
  responses: { 200: { description: 'Things.', schema: Type.Object({ ok: Type.Boolean() }) } },
  errors: [],
} satisfies Partial<RouteDescription>;

const SINCE = '2026-01-01';
const SUNSET = '2027-01-01';

const OWN: Route[] = [
  defineRoute({
    ...COMMON,
    path: '/api/v1/things/new',
    operationId: 'listNewThings',
    handler: () => ({ ok: true }),
  }),
  defineRoute({
    ...COMMON,
    path: '/api/v1/things/{name}',
    operationId: 'getThing',
    deprecated: { since: SINCE, sunset: SUNSET, instead: 'Use `GET /api/v1/things/new`.' },
    params: Type.Object({ name: Type.String({ description: 'Its name.' }) }),
    handler: ({ params }) => {
      if (params.name === 'lost') throw new ServiceError('not_found', 'It is lost.');
      return { ok: true };
    },
  }),
  defineRoute({
    ...COMMON,
    path: '/api/v1/others',
    operationId: 'listOthers',
    deprecatedQuery: { depth: { since: SINCE, instead: 'Leave it out.' } },
    query: Type.Object({
      depth: Type.Optional(Type.String({ description: 'How deep.' })),
      size: Type.Optional(Type.String({ description: 'How large.' })),
    }),
    handler: () => ({ ok: true }),
  }),
];

const BACKEND = { ofMarket: () => ({}) as Backend } as unknown as Backend;
/** A gateway with these routes alone, which refuses one address before any route is known. */
const app = express()
  .set('query parser', 'simple')
  .use(requestContext(randomId, () => performance.now()))
  .use(announceDeprecations(OWN, DEPRECATION_POLICY))
  .use('/api/v1/things/refused', () => {
    throw new ServiceError('missing_api_key', 'No key.');
  })
  .use(mountRoutes(OWN, bodyReader(1_000), BACKEND))
  .use(sendErrors(createLogger('gateway', 'silent'), { nameRefusal: () => {} }));

let server: ReturnType<typeof app.listen>;
let baseUrl: string;
beforeAll(async () => {
  server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

async function announced(path: string, method = 'GET') {
  const response = await fetch(baseUrl + path, { method });
  await response.arrayBuffer();
  const { status, headers } = response;
  return [status, ...['deprecation', 'sunset', 'link'].map((name) => headers.get(name))];
}

const TOLD = [
  '@1767200400',
  'Thu, 31 Dec 2026 17:00:00 GMT',
  '</docs/api-decisions#versions>; rel="deprecation"',
];
const NOTHING = [null, null, null];

describe('responses', () => {
  test.each([
    ['GET', '/api/v1/things/a', 200],
    ['HEAD', '/api/v1/things/a', 200],
    ['GET', '/api/v1/things/lost', 404],
    ['GET', '/api/v1/things/a?unknown=1', 422],
    ['GET', '/api/v1/things/refused', 401],
  ])('%s %s of a deprecated endpoint has the headers with status %i', async (method, path, status) => {
    expect(await announced(path, method)).toEqual([status, ...TOLD]);
  });

  test('those of an endpoint whose path fits a deprecated one have none', async () => {
    expect(await announced('/api/v1/things/new')).toEqual([200, ...NOTHING]);
  });

  test('only those to requests with a deprecated parameter have the headers, without a day of removal', async () => {
    expect(await announced('/api/v1/others?size=1')).toEqual([200, ...NOTHING]);
    const [since, , page] = TOLD;
    expect(await announced('/api/v1/others?depth=1')).toEqual([200, since, null, page]);
  });
});

describe('the OpenAPI document', () => {
  const { paths, components } = openApiDocument(OWN) as {
    paths: Record<
      string,
      { get: { deprecated?: true; description: string; parameters: object[] } & Answers }
    >;
    components: { headers: object };
  };
  interface Answers {
    responses: Record<string, { headers: object }>;
  }
  const DECLARED = ['Deprecation', 'Sunset', 'Link'];

  test('says of a deprecated endpoint since when, until when and what to use instead', () => {
    const { deprecated, description, responses } = paths['/api/v1/things/{name}']!.get;
    expect(deprecated).toBe(true);
    expect(description).toMatch(
      /^\*\*Deprecated\*\* since 2026-01-01, and gone from 2027-01-01 at the earliest\. Use `GET \/api/,
    );
    for (const [status, { headers }] of Object.entries(responses))
      expect(Object.keys(headers), status).toEqual(expect.arrayContaining(DECLARED));
    expect(Object.keys(components.headers)).toEqual(expect.arrayContaining(DECLARED));
  });

  test('says so of a parameter, and of no other', () => {
    const [depth, size] = paths['/api/v1/others']!.get.parameters;
    expect(depth).toMatchObject({
      deprecated: true,
      description: '**Deprecated** since 2026-01-01. Leave it out.\n\nHow deep.',
    });
    expect(size).not.toHaveProperty('deprecated');
    expect(paths['/api/v1/things/new']!.get).not.toHaveProperty('deprecated');
  });

  test('names no such headers while no route is deprecated', () => {
    const whole = openApiDocument(routes.filter((route) => !route.deprecated && !route.deprecatedQuery));
    for (const name of DECLARED) expect(JSON.stringify(whole)).not.toContain(`/headers/${name}"`);
  });
});

test('every deprecation of a route leaves twelve months, and names only parameters that the route has', () => {
  for (const { deprecated, deprecatedQuery = {}, query } of routes) {
    for (const { since, sunset } of [
      ...(deprecated ? [deprecated] : []),
      ...Object.values(deprecatedQuery),
    ]) {
      const [year, ...day] = since.split('-');
      if (sunset !== undefined) expect(sunset >= [Number(year) + 1, ...day].join('-')).toBe(true);
    }
    for (const name of Object.keys(deprecatedQuery)) expect(query?.properties).toHaveProperty(name);
  }
});

test('the client tells of each deprecated endpoint once', async () => {
  const told: object[] = [];
  const client = new SaringClient({
    baseUrl,
    apiKey: 'sar_test',
    onDeprecation: (notice) => told.push(notice),
  });
  const rest = client.rest as unknown as { get: (path: string, input?: object) => Promise<unknown> };
  for (const name of ['a', 'b', 'lost'])
    await rest.get('/api/v1/things/{name}', { path: { name } }).catch(() => undefined);
  await rest.get('/api/v1/things/new');
  await rest.get('/api/v1/others', { query: { depth: '1' } });
  const documentation = `${baseUrl}/docs/api-decisions#versions`;
  const since = new Date('2026-01-01T00:00:00+07:00');
  expect(told).toEqual([
    {
      endpoint: 'GET /api/v1/things/{name}',
      since,
      sunset: new Date('2027-01-01T00:00:00+07:00'),
      documentation,
    },
    { endpoint: 'GET /api/v1/others', since, sunset: undefined, documentation },
  ]);
});
