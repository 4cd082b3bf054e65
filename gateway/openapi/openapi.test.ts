import type { TObject } from 'typebox';
import { expect, test } from 'vitest';
import { routes } from '../routes/index.ts';
import { openApiDocument } from './openapi.ts';
import { newAjv } from '#platform/wire/field-errors.ts';

interface Operation {
  parameters: { required: boolean }[];
  requestBody?: { required: boolean };
  responses: Record<string, { headers: object }>;
}

const document = openApiDocument(routes) as {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, object>>;
};
const operationOf = ({ path, method }: (typeof routes)[number]) => document.paths[path]![method]!;

test('every default of a query is a valid value', () => {
  const ajv = newAjv({});
  for (const { query } of routes) {
    for (const property of Object.values(query?.properties ?? {})) {
      const { default: byDefault, ...limits } = property as { default?: unknown };
      if (byDefault !== undefined) expect(ajv.validate(limits, byDefault)).toBe(true);
    }
  }
});

test('only fields without a default are required', () => {
  const { requestBody, parameters } = operationOf(
    routes.find((route) => route.operationId === 'compareStocks')!,
  );
  expect(requestBody!.required).toBe(true);
  expect(document.components['schemas']!['CompareRequest']).toMatchObject({ required: ['tickers'] });
  expect(parameters.filter(({ required }) => required)).toEqual([]);
  const run = operationOf(routes.find((route) => route.operationId === 'submitRun')!);
  expect(run.requestBody!.required).toBe(false);
});

test('every reference in the document resolves to a component, and every component is referenced', () => {
  const text = JSON.stringify(document);
  const references = new Set(
    [...text.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)].map(([, kind, name]) => `${kind}/${name}`),
  );
  const components = Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, members]) => Object.keys(members).map((name) => `${kind}/${name}`));
  expect([...references].toSorted()).toEqual(components.toSorted());
});

test('two different schemas with the same name are refused', async () => {
  const { SchemaCollector } = await import('./openapi.ts');
  const { named } = await import('#foundation/schema.ts');
  const schemas = new SchemaCollector();
  schemas.reference(named('Twice', { type: 'string' }));
  expect(() => schemas.reference(named('Twice', { type: 'number' }))).toThrow('two schemas are called Twice');
});

test('run endpoints declare X-Dataset-Version only for answers that can contain a result', () => {
  const headersOf = (operationId: string) => {
    const { responses } = operationOf(routes.find((route) => route.operationId === operationId)!);
    return Object.entries(responses).map(([status, { headers }]) => [status, 'X-Dataset-Version' in headers]);
  };
  expect(headersOf('submitRun').slice(0, 2)).toEqual([
    ['200', true],
    ['202', false],
  ]);
  expect(headersOf('getJob')[0]).toEqual(['200', true]);
  expect(headersOf('listJobs')[0]).toEqual(['200', false]);
});

const accepting = routes.filter(({ responses }) => responses[202]);

test.each(accepting.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s declares where its accepted work is polled: an endpoint whose id is in the response',
  (_name, route) => {
    const { schema, polling } = route.responses[202]!;
    const [, id] = /\{(\w+)\}$/.exec(polling.path)!;
    expect(Object.keys((schema as TObject).properties)).toContain(id);
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toContain(`get ${polling.path}`);
    expect(Object.keys(operationOf(route).responses['202']!.headers)).toEqual(
      expect.arrayContaining(['Location', 'Retry-After']),
    );
  },
);
