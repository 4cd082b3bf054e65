import { afterEach, expect, test, vi } from 'vitest';
import { routes } from '#gateway/routes/index.ts';
import { endpointCases, type EndpointCase } from '../generator/endpoint-cases.ts';
import { snakeCase } from '../generator/words.ts';
import { SaringClient } from './index.ts';
import { made, sharedCases, type NamedCall } from './testing/shared-cases.ts';

const BASE_URL = 'http://saring.test';

function answerOf({ answer }: EndpointCase): Response {
  return typeof answer === 'string' ? new Response(answer) : Response.json(answer);
}

function unavailable(): Response {
  const error = { code: 'data_unavailable', message: 'Not now.' };
  return Response.json({ error }, { status: 503, headers: { 'retry-after': '0' } });
}

/** A client whose requests are answered by these responses, in order. */
function answered(...responses: Response[]) {
  const requests: Request[] = [];
  const fetch = async (request: Request) => responses[requests.push(request) - 1]!;
  return { client: new SaringClient({ baseUrl: BASE_URL, apiKey: 'sar_test', fetch }), requests };
}

const cases = endpointCases();

test.each(cases)('$call is $request, with all its inputs', async (one) => {
  const { client, requests } = answered(answerOf(one));
  expect(await made(client, one)).toEqual(one.result);
  const [{ method, url, headers, body }] = requests as [Request];
  const { pathname, searchParams } = new URL(url);
  expect(`${method} ${pathname}`).toBe(one.request);
  expect(Object.fromEntries(searchParams)).toEqual(one.query);
  expect(body === null ? null : await new Response(body).json()).toEqual(one.body);
  expect(headers.has('idempotency-key')).toBe(one.is_keyed);
  expect(requests).toHaveLength(1);
});

afterEach(() => void vi.restoreAllMocks());

test.each(cases)('$call is sent again exactly if that cannot do anything twice', async (one) => {
  // No extra wait.
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { client, requests } = answered(unavailable(), answerOf(one));
  const outcome = made(client, one);
  if (one.is_repeatable) expect(await outcome).toEqual(one.result);
  else await expect(outcome).rejects.toMatchObject({ code: 'data_unavailable' });
  expect(requests).toHaveLength(one.is_repeatable ? 2 : 1);
});

test('every endpoint has a method of the clients, and every method a case', () => {
  const files = ['requests', 'retries', 'lists', 'following'].map((name) => `${name}.json`);
  const all = [...cases, ...files.flatMap((file) => sharedCases<NamedCall[]>(file))];
  const called = new Set(all.map(({ call }) => call));
  const names = routes.map(({ client = '' }) => client.split('.').map(snakeCase).join('.'));
  expect(names.filter((name) => !called.has(name))).toEqual([]);
});
