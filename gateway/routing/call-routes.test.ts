import { expect, test } from 'vitest';
import { CsvResponse } from '../responses/csv.ts';
import type { GatewayConfig } from '../config.ts';
import { startGatewayUnderTest } from '../testing/gateway-under-test.ts';
import { codeOf, testGateway } from '../testing/test-gateway.ts';
import { routes } from '../routes/index.ts';

const own = testGateway();
const BARS = '/api/v1/data/stocks/bbca/bars';
const PATHS = ['/api/v1/data/stocks', BARS, '/api/v1/data/bars', '/api/v1/fields/values'];
const DECLARED = routes.filter(({ handsOutMarket }) => handsOutMarket).map(({ path }) => path);

/** A response that need not be JSON. */
async function text(path: string, headers: Record<string, string> = {}) {
  const response = await fetch(own.gateway.baseUrl + path, {
    headers: { authorization: 'Bearer all-scopes', ...headers },
  });
  return { status: response.status, headers: response.headers, body: await response.text() };
}

test('a CSV carries the cursor of the next page, its dataset version and an ETag in headers', async () => {
  const { headers } = await text(`${BARS}?format=csv`);
  expect(headers.get('x-next-cursor')).toBe('next');
  const again = await text(`${BARS}?format=csv`, { 'if-none-match': headers.get('etag')! });
  expect([again.status, again.body]).toEqual([304, '']);
  const last = await text(`${BARS}?format=csv&cursor=next`);
  expect([last.status, last.headers.get('x-next-cursor')]).toEqual([200, null]);
});

test('cells are quoted where RFC 4180 demands it', () => {
  const page = { dataset_version: 'v1', next_cursor: null };
  const rows = [
    { a: 'x, "y"', b: null },
    { a: 'line\nline', b: 1.5 },
  ];
  expect(new CsvResponse(['b', 'a'], rows, page).text).toBe('b,a\r\n,"x, ""y"""\r\n1.5,"line\nline"\r\n');
});

test('no text of a CSV runs as a formula, and negative numbers stay numbers', () => {
  const rows = [{ name: '=1+1,2', change: -1.5 }];
  const page = { dataset_version: 'v1', next_cursor: null };
  expect(new CsvResponse(['name', 'change'], rows, page).text).toBe('name,change\r\n"\'=1+1,2",-1.5\r\n');
});

test('an error is JSON also with format=csv, and another format is refused', async () => {
  expect(codeOf(await own.request(`${BARS}?format=csv&limit=0`, 'all-scopes'))).toBe('422 invalid_request');
  expect(codeOf(await own.request(`${BARS}?format=xml`, 'all-scopes'))).toBe('422 invalid_request');
  expect(codeOf(await own.request('/api/v1/data/stocks?format=csv', 'all-scopes'))).toBe(
    '422 invalid_request',
  );
});

test.each<[settings: Partial<GatewayConfig>, isServed: boolean]>([
  [{ BARS_API: true }, true],
  [{ BARS_API: false }, false],
])(
  'with %o, lists of stocks and bars and values of fields are served and documented: %s',
  async (settings, isServed) => {
    const gateway = await startGatewayUnderTest(own.services.address, undefined, settings);
    for (const path of PATHS) {
      expect(codeOf(await gateway.request(path))).toBe('401 missing_api_key');
      const response = await gateway.request(path, 'all-scopes');
      expect(codeOf(response)).toBe(isServed ? '200 ok' : '404 not_found');
      if (!isServed) expect(response.body.error!.message).toContain('BARS_API');
    }
    expect(codeOf(await gateway.request('/api/v1/data/stocks/bbca', 'all-scopes'))).toBe('200 ok');
    const { paths } = (await gateway.request('/api/openapi.json')).body as { paths?: object };
    const documented = Object.keys(paths!).filter((path) => DECLARED.includes(path));
    expect(documented.toSorted()).toEqual(isServed ? DECLARED.toSorted() : []);
    await gateway.stop();
  },
);
