import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Freshness } from '#proto/saring/market_data/v1/datasets.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { RenderedResponse } from '../responses/rendered-response.ts';
import { routes } from '../routes/index.ts';
import { startGatewayUnderTest, type GatewayUnderTest } from '../testing/gateway-under-test.ts';
import { LAST_DAY, MarketBehindGateway, numberOf } from '../testing/market-behind-gateway.ts';
import { codeOf } from '../testing/test-gateway.ts';
import { rawResponse } from '../testing/raw-response.ts';
import { startFakes, type Fakes } from '../testing/fake-services.ts';
import { responseCache } from './followed-dataset.ts';
import { DatasetResponses } from './dataset-responses.ts';
import { IN_TIME } from '#support/hangs.ts';

const market = new MarketBehindGateway();
let services: Fakes;
let gateway: GatewayUnderTest;
/** A gateway to the same services that caches no answers. */
let forgetful: GatewayUnderTest;

beforeAll(async () => {
  await market.publish();
  services = await startFakes(market.handlers);
  const log = createLogger('gateway', 'silent');
  gateway = await startGatewayUnderTest(services.address, log);
  forgetful = await startGatewayUnderTest(services.address, log, { ANSWER_CACHE_BYTES: 0 });
  await untilKept();
});
afterAll(async () => {
  await Promise.all([gateway.stop(), forgetful.stop()]);
  await services.stop();
});
beforeEach(() => void market.calls.splice(0));

const LEAST_REQUESTS = 400;
const STOCK = '/api/v1/data/stocks/AAAA?days=20';
const QUOTES = '/api/v1/data/quotes?tickers=AAAA';
const get = (path: string, key = 'all-scopes') => gateway.request(path, key);
const post = (path: string, body: object) =>
  gateway.request(path, 'all-scopes', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** How many calls for data the work causes. */
async function callsOf(work: () => Promise<unknown>): Promise<number> {
  const before = market.calls.length;
  await work();
  return market.calls.length - before;
}

let unasked = 0;
/** Returns once a repeated request is answered from memory. Each attempt uses a new request. */
async function untilKept(): Promise<void> {
  const isKept = async () => {
    const path = `/api/v1/data/nego/window?min_val=${++unasked}`;
    const calls = [await callsOf(() => get(path)), await callsOf(() => get(path))];
    expect(calls).toEqual([1, 0]);
  };
  await vi.waitFor(isKept, IN_TIME);
}

describe('the cache of market-data answers', () => {
  test.each([STOCK, QUOTES, '/api/v1/data/market-overview', '/api/v1/data/nego', '/api/v1/data/nego/window'])(
    'answers a repeated GET %s without a call',
    async (path) => {
      expect(await callsOf(() => get(path))).toBe(1);
      expect(await callsOf(() => get(path))).toBe(0);
    },
  );

  test('answers a repeated POST without a call', async () => {
    for (const path of ['/api/v1/data/compare', '/api/v1/data/turning-points']) {
      const ask = () => post(path, { tickers: ['AAAA', 'BBBB'] });
      const [first, again] = [await ask(), await ask()];
      expect(market.calls.splice(0)).toHaveLength(1);
      expect(again.body).toEqual(first.body);
    }
  });

  test('ignores ticker case, parameter order and explicit defaults, but no other difference', async () => {
    const nego = '/api/v1/data/nego';
    await get(`/api/v1/data/stocks/bbbb`);
    await get('/api/v1/data/quotes?tickers=bbbb,cccc');
    await get(`${nego}?top_n=7&min_val=5`);
    await post('/api/v1/data/compare', { tickers: ['cccc'] });
    market.calls.splice(0);
    await get('/api/v1/data/stocks/BBBB?days=20');
    await get('/api/v1/data/quotes?tickers=BbBb,CCCC');
    await get(`${nego}?min_val=5.0&top_n=7&date=today`);
    await post('/api/v1/data/compare', { days: 20, tickers: ['CCCC'] });
    expect(market.calls).toEqual([]);
    await get('/api/v1/data/stocks/BBBB?days=21');
    await get('/api/v1/data/quotes?tickers=CCCC,BBBB');
    await get(`${nego}?min_val=5&top_n=8`);
    await post('/api/v1/data/compare', { tickers: ['CCCC'], days: 21 });
    expect(market.calls).toEqual(['getSnapshot', 'getQuotes', 'scanNego', 'compare']);
  });

  test('never keeps failures, and ignores case only in tickers', async () => {
    await get('/api/v1/data/nego?date=today');
    const failing = ['/api/v1/data/stocks/ZZZZ', '/api/v1/data/nego?date=2024-01-01'];
    for (const path of [...failing, ...failing]) expect(codeOf(await get(path))).toBe('404 not_found');
    expect(market.calls.filter((name) => name !== 'scanNego')).toHaveLength(2);
    expect(codeOf(await get('/api/v1/data/nego?date=TODAY'))).toBe('422 invalid_request');
  });
});

test('an answer of a version other than the edition’s is returned but not kept', async () => {
  const edition = { version: 'v1', today: LAST_DAY, freshness: undefined, answers: responseCache(100_000) };
  const responses = new DatasetResponses({ edition, answered: () => {} });
  const route = routes.find(({ operationId }) => operationId === 'getQuotes')!;
  const ask = async (dataset_version: string) => {
    const made = new RenderedResponse(route, { quotes: {}, dataset_version });
    const given = await responses.get(route, { params: {}, query: {}, body: undefined }, async () => made);
    return given.datasetVersion;
  };
  expect([await ask('v2'), await ask('v1'), await ask('v2')]).toEqual(['v2', 'v1', 'v1']);
});

describe('a request with a cached answer', () => {
  test('is still checked for key, scope, validity and rate limit', async () => {
    await get(STOCK);
    market.calls.splice(0);
    const codes = [
      await get(STOCK, 'unknown'),
      await get(STOCK, 'disabled'),
      await get(STOCK, 'models-only'),
    ];
    expect(codes.map(codeOf)).toEqual(['401 invalid_api_key', '403 key_disabled', '403 insufficient_scope']);
    expect(codeOf(await get(`${STOCK}&unknown=1`))).toBe('422 invalid_request');
    const limited = [];
    for (let i = 0; i < 3; i++) limited.push(await get(STOCK, 'two-a-minute'));
    expect(limited.map(codeOf)).toEqual(['200 ok', '200 ok', '429 rate_limited']);
    expect(limited.map(({ headers }) => headers.get('x-ratelimit-remaining'))).toEqual(['1', '0', '0']);
    expect(market.calls).toEqual([]);
  });

  test('gets its own request id', async () => {
    const ids = [await get(STOCK), await get(STOCK)].map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(2);
  });
});

/** The response without the parts that differ between requests. */
const comparable = ({ status, headers, bytes }: Awaited<ReturnType<typeof rawResponse>>) => {
  const { date, 'x-request-id': id, ratelimit, ...rest } = headers;
  const names = Object.keys(headers).filter((name) => !name.startsWith('x-ratelimit'));
  const kept = Object.fromEntries(Object.entries(rest).filter(([name]) => names.includes(name)));
  expect([date, id, ratelimit].every((value) => value !== undefined)).toBe(true);
  return { status, headers: kept, bytes: bytes.toString('base64') };
};

describe('an answer from memory', () => {
  const etagOf = async (path: string) => (await rawResponse(forgetful, path)).headers['etag'] as string;

  test.each([
    ['a short one', QUOTES, {}],
    ['a long one', STOCK, {}],
    ['a compressed one', STOCK, { 'accept-encoding': 'gzip' }],
    ['a short one that could be compressed', QUOTES, { 'accept-encoding': 'gzip' }],
  ])('equals a fresh answer byte for byte and header for header: %s', async (_name, path, headers) => {
    const made = comparable(await rawResponse(forgetful, path, headers));
    await rawResponse(gateway, path, headers);
    market.calls.splice(0);
    for (let i = 0; i < 2; i++) expect(comparable(await rawResponse(gateway, path, headers))).toEqual(made);
    expect(market.calls).toEqual([]);
    const condition = { ...headers, 'if-none-match': await etagOf(path) };
    const unchanged = await rawResponse(gateway, path, condition);
    expect(unchanged.status).toBe(304);
    expect(comparable(unchanged)).toEqual(comparable(await rawResponse(forgetful, path, condition)));
  });

  test('is plain for a client without gzip, even if it was first sent compressed', async () => {
    const path = '/api/v1/data/stocks/CCCC?days=19';
    const zipped = await rawResponse(gateway, path, { 'accept-encoding': 'gzip' });
    const plain = await rawResponse(gateway, path);
    expect(market.calls).toHaveLength(1);
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(gunzipSync(zipped.bytes)).toEqual(plain.bytes);
  });
});

describe('when something changes', () => {
  const isPartial = async () => ((await get(STOCK)).body as { is_partial?: boolean }).is_partial;

  test('each new dataset version replaces the cached answers and is cached in turn', async () => {
    for (let i = 0; i < 2; i++) {
      await get(STOCK);
      const number = await market.publish();
      await expect
        .poll(async () => numberOf((await get(STOCK)).headers.get('x-dataset-version')!))
        .toBe(number);
      await untilKept();
    }
  });

  test('a cached partial day is replaced at midnight in Jakarta', async () => {
    market.now = new Date(`${LAST_DAY}T23:59:59.800+07:00`);
    await expect.poll(isPartial).toBe(true);
    await untilKept();
    await get(STOCK);
    expect(await callsOf(isPartial)).toBe(0);
    market.now = new Date('2024-06-29T00:00:00.000+07:00');
    await expect.poll(isPartial).toBe(false);
    await untilKept();
  });

  test('a cached answer shows how fresh the market is at the moment of the answer', async () => {
    const shown = async (path: string) => {
      const { headers } = await get(path);
      return [headers.get('x-data-as-of'), headers.get('x-data-behind-trading-days')];
    };
    const ofOverview = async (language: string) => {
      const { body } = await gateway.request('/api/v1/data/market-overview', 'all-scopes', {
        headers: { 'accept-language': language },
      });
      return (body as { freshness: Freshness }).freshness;
    };
    // The morning of a Monday whose day is due in the evening. The day in Jakarta, and with it the edition, stays the same.
    market.now = new Date('2024-07-01T00:00:00.000+07:00');
    const number = await market.publish();
    await expect
      .poll(async () => numberOf((await get(STOCK)).headers.get('x-dataset-version')!))
      .toBe(number);
    await expect.poll(() => shown(STOCK)).toEqual([LAST_DAY, '0']);
    expect(await ofOverview('id')).toMatchObject({ behind_trading_days: 0, cause: null, reason: null });
    await untilKept();
    await get(STOCK);
    expect(
      await callsOf(async () => {
        market.now = new Date('2024-07-01T18:35:00.000+07:00');
        await expect.poll(() => shown(STOCK)).toEqual([LAST_DAY, '1']);
      }),
    ).toBe(0);
    const behind = {
      behind_trading_days: 1,
      behind_since: '2024-07-01T18:35:00.000+07:00',
      cause: 'no_feed',
    };
    expect(await ofOverview('id')).toMatchObject({
      ...behind,
      reason: expect.stringMatching(/^Layanan/) as string,
    });
    expect(await ofOverview('en')).toMatchObject({
      ...behind,
      reason: expect.stringMatching(/^The service/) as string,
    });
    market.sources = [{ name: 's', format: 'idx_summary', state: 'failing', reason: 'It answered 403.' }];
    await expect.poll(async () => (await ofOverview('en')).cause).toBe('failing');
  });

  test('a broken watch disables the cache, and earlier answers are gone when it recovers', async () => {
    const ofBefore = '/api/v1/data/stocks/BBBB';
    for (const path of [STOCK, ofBefore]) await get(path);
    expect(await callsOf(() => get(ofBefore))).toBe(0);
    market.mute();
    await expect.poll(() => callsOf(() => get(STOCK))).toBe(1);
    expect(await callsOf(() => get(STOCK))).toBe(1);
    market.unmute();
    await untilKept();
    expect(await callsOf(() => get(ofBefore))).toBe(1);
  });

  test('no client gets an older version after a newer one, even under load and with a late watch', async () => {
    market.tellsAfterMs = 40;
    const until = performance.now() + 3_000;
    const first = await market.publish();
    await untilKept();
    let [newest, requests] = [first, 0];
    // On a slow machine few requests would fall into the time, most of them after a change of version.
    const goesOn = () => performance.now() < until || requests < LEAST_REQUESTS;
    const client = async (seed: number) => {
      for (let i = seed; goesOn(); i++) {
        const knownBefore = newest;
        // Requests that were not made before are the first to have the new version.
        const path = i % 3 === 0 ? `/api/v1/data/nego/window?min_val=${++unasked}` : [STOCK, QUOTES][i % 2]!;
        const { headers } = await get(path, 'under-load');
        const number = numberOf(headers.get('x-dataset-version')!);
        expect(number).toBeGreaterThanOrEqual(knownBefore);
        newest = Math.max(newest, number);
        requests++;
      }
    };
    const publisher = async () => {
      while (goesOn()) {
        await sleep(700);
        await market.publish();
      }
    };
    await Promise.all([publisher(), ...Array.from({ length: 8 }, (_, seed) => client(seed))]);
    market.tellsAfterMs = 0;
    expect(newest).toBeGreaterThan(first + 1);
    expect(market.calls.length).toBeLessThan(0.8 * requests);
  });
});
