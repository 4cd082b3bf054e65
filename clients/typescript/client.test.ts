import { expect, test } from 'vitest';
import { routes } from '#gateway/routes/index.ts';
import { SaringClient } from './index.ts';
import { made, sharedCases, type NamedCall } from './testing/shared-cases.ts';

const BASE_URL = 'http://saring.test';

const EVENTS = new Response('data: {"status":"failed"}\n\n', {
  headers: { 'content-type': 'text/event-stream' },
});

interface Endpoints {
  answer: object;
  calls: (NamedCall & { request: string })[];
}

const { answer, calls } = sharedCases<Endpoints>('endpoints.json');

test.each(calls)('$call is $request', async (call) => {
  const requests: string[] = [];
  const fetch = async ({ method, url }: Request) => {
    requests.push(`${method} ${url.slice(BASE_URL.length)}`);
    return url.endsWith('/jobs/j/events') ? EVENTS.clone() : Response.json(answer);
  };
  await made(new SaringClient({ baseUrl: BASE_URL, apiKey: 'sar_test', fetch }), call);
  expect(requests).toEqual([call.request]);
});

test('every endpoint has exactly one client method, and every client method an endpoint', () => {
  const used = calls.map(({ request }) => request.replace(/\?.*/, ''));
  const declared = routes.map(
    ({ method, path }) => new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`, 'i'),
  );
  for (const [i, pattern] of declared.entries()) {
    const { method, path } = routes[i]!;
    expect(
      used.filter((use) => pattern.test(use)),
      `clients/cases/endpoints.json has one call of ${method} ${path}`,
    ).toHaveLength(1);
  }
  expect(used).toHaveLength(declared.length);
});
