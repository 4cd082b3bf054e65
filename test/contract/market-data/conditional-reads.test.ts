import { beforeAll, expect, inject, test } from 'vitest';
import { newTenant, ownTenant } from '#support/fleets/contract.ts';
import { errorCode, Rest } from '#support/rest/rest.ts';

const tenant = ownTenant();
const conditional = (etag: string) => ({ headers: { 'if-none-match': etag } });

/** A ticker with negotiated trades on the latest day, and a broker that traded it. */
let ticker: string;
let broker: string;
beforeAll(async () => {
  const { body } = await tenant.rest.get<{ items: { ticker: string; regular_value: number }[] }>(
    '/api/v1/data/nego?min_val=0&top_n=100',
  );
  ticker = body.items.find(({ regular_value }) => regular_value > 0)!.ticker;
  const { body: day } = await tenant.rest.get<{ top_buyers: { broker: string }[] }>(
    `/api/v1/data/stocks/${ticker}/brokers`,
  );
  broker = day.top_buyers[0]!.broker;
});

/** Whether a path is of market data. One below `data` tells of the caller's screens. */
function isMarketData(path: string): boolean {
  return path.startsWith('/api/v1/data/') && !path.endsWith('/screens');
}

/** Every market-data GET of the reference, with the inputs that it needs to succeed. */
async function marketDataPaths(): Promise<string[]> {
  const { body } = await tenant.rest.get<{ paths: Record<string, Record<string, object>> }>(
    '/api/openapi.json',
  );
  return Object.entries(body.paths)
    .filter(([path, methods]) => isMarketData(path) && methods['get'])
    .map(([path]) => path.replace('{ticker}', ticker).replace('{broker_code}', broker))
    .map((path) => (path.endsWith('/quotes') ? `${path}?tickers=${ticker}` : path));
}

test('every market-data read names its dataset version, and a conditional repeat is 304 without a body', async () => {
  const paths = await marketDataPaths();
  expect(paths.length).toBeGreaterThanOrEqual(5);
  for (const path of paths) {
    const full = await tenant.rest.get<{ dataset_version: string }>(path);
    expect(full.status, path).toBe(200);
    expect(full.headers.get('x-dataset-version'), path).toBe(full.body.dataset_version);
    const etag = full.headers.get('etag')!;
    expect(etag, path).toMatch(/^W\/"[\w-]+"$/);
    const again = await tenant.rest.get(path, conditional(etag));
    expect([again.status, again.body], path).toEqual([304, undefined]);
    expect(again.headers.get('etag')).toBe(etag);
    expect(again.headers.get('x-dataset-version')).toBe(full.body.dataset_version);
    expect(again.headers.get('x-request-id')).toMatch(/^req_/);
    expect(again.headers.get('cache-control')).toBe('private, no-cache');
  }
});

test('the API document declares the condition, the 304 without a body and the headers', async () => {
  const { body } = await tenant.rest.get<{ paths: Record<string, Record<string, Operation>> }>(
    '/api/openapi.json',
  );
  interface Operation {
    parameters: { name: string; in: string }[];
    responses: Record<string, { headers: object; content?: object }>;
  }
  for (const [path, { get, post }] of Object.entries(body.paths)) {
    const declares = get?.parameters.some(({ name }) => name === 'If-None-Match') ?? false;
    const isLarge = path.endsWith('/model') || path === '/api/v1/fields/values';
    const restsOnADataset = isMarketData(path) || isLarge;
    expect(declares, path).toBe(restsOnADataset && get !== undefined);
    if (isMarketData(path))
      expect((get ?? post)!.responses['200']!.headers, path).toHaveProperty('X-Data-Behind-Trading-Days');
    if (restsOnADataset)
      expect((get ?? post)!.responses['200']!.headers, path).toHaveProperty('X-Dataset-Version');
    if (!declares) continue;
    expect(get!.responses['304'], path).toHaveProperty('headers.ETag');
    expect(get!.responses['304'], path).not.toHaveProperty('content');
  }
});

test('a conditional request still checks authentication, scope, validity and existence', async () => {
  const any = conditional('*');
  const path = `/api/v1/data/stocks/${ticker}`;
  const refused = [
    await new Rest(inject('baseUrl')).get(path, any),
    await new Rest(inject('baseUrl'), 'sar_unknown').get(path, any),
    await (await newTenant('models:read')).rest.get(path, any),
    await tenant.rest.get(`${path}?days=0`, any),
    await tenant.rest.get('/api/v1/data/stocks/ZZZZ9', any),
  ];
  expect(refused.map((response) => [response.status, errorCode(response)])).toEqual([
    [401, 'missing_api_key'],
    [401, 'invalid_api_key'],
    [403, 'insufficient_scope'],
    [422, 'invalid_request'],
    [404, 'not_found'],
  ]);
});

test('304 answers count against the rate limit, and exceeding it is 429', async () => {
  const { rest } = await newTenant('data:read', 2);
  const path = `/api/v1/data/stocks/${ticker}`;
  const etag = (await rest.get(path)).headers.get('etag')!;
  expect((await rest.get(path, conditional(etag))).status).toBe(304);
  const over = await rest.get(path, conditional(etag));
  expect([over.status, errorCode(over)]).toEqual([429, 'rate_limited']);
});
