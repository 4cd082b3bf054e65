import { expect, test } from 'vitest';
import { ownTenant } from '#support/fleets/contract.ts';

const tenant = ownTenant();

const BROKER_FEATURES = [
  ...(['bandar_net_value_1d', 'bandar_net_value_5d', 'bandar_net_value_20d'] as const),
  ...(['retail_net_value_1d', 'retail_net_value_5d'] as const),
  ...(['smart_money_divergence', 'top5_buyer_share_pct', 'accum_score'] as const),
];

/** Picks of a recent run, which are certainly traded. */
async function tradedTickers(): Promise<string[]> {
  const job = await tenant.client.runAndWait('confluence_filter', { params: { min_signals: 1 } });
  return job.summary!.tickers;
}

test('quotes accept tickers in any case, merge duplicates and omit unknown tickers', async () => {
  const [first, second] = await tradedTickers();
  const { quotes } = await tenant.client.data.quotes([first!.toLowerCase(), first!, second!, 'ZZZZ9']);
  expect(Object.keys(quotes).toSorted()).toEqual([first, second].toSorted());
  const quote = quotes[first!]!;
  expect(quote.close).toBeGreaterThan(0);
  expect(quote.change_pct).toBeTypeOf('number');
  expect(quote.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});

test.each([
  ['quotes', 50],
  ['compare', 10],
  ['turning-points', 50],
])('%s takes %i different tickers, each as often as it is sent', async (path, most) => {
  const [known] = await tradedTickers();
  const different = [known!, ...Array.from({ length: most - 1 }, (_, i) => `T${i}`)];
  const tickers = [...different, known!.toLowerCase(), 't0'];
  const url = `/api/v1/data/${path}`;
  const response =
    path === 'quotes'
      ? await tenant.rest.get(`${url}?tickers=${tickers.join()}`)
      : await tenant.rest.post(url, { tickers });
  expect(response.status).toBe(200);
});

test('a snapshot has the requested number of bars, oldest first, and the computed features', async () => {
  const [ticker] = await tradedTickers();
  const body = await tenant.client.data.stock(ticker!.toLowerCase(), { days: 30 });
  expect(body.ticker).toBe(ticker);
  expect(body.ohlcv).toHaveLength(30);
  expect(body.ohlcv.map((bar) => bar.date)).toEqual(body.ohlcv.map((bar) => bar.date).toSorted());
  expect(body.ohlcv.at(-1)!.date).toBe(body.date);
  for (const bar of body.ohlcv) expect(bar.low <= bar.close && bar.close <= bar.high).toBe(true);
  expect(Object.keys(body.features).length).toBeGreaterThanOrEqual(40);
  expect(body.features.rsi14).toBeGreaterThanOrEqual(0);
  expect(body.features.rsi14).toBeLessThanOrEqual(100);
  for (const feature of BROKER_FEATURES) expect(body.features[feature], feature).toBeTypeOf('number');
  expect(Math.abs(body.features.accum_score!)).toBeLessThanOrEqual(100);
  expect(body.broker_data).toBe('synthetic');
  const five = body.ohlcv.slice(-5).reduce((sum, bar) => sum + bar.close, 0) / 5;
  expect(body.features.ma5).toBeCloseTo(five, 3);
});

test('a snapshot has twenty bars by default', async () => {
  const [ticker] = await tradedTickers();
  expect((await tenant.client.data.stock(ticker!)).ohlcv).toHaveLength(20);
});

test('a ticker with the suffix .JK is 404 not_found, and the message says how to write it', async () => {
  const [ticker] = await tradedTickers();
  const response = tenant.client.data.stock(`${ticker}.JK`);
  const message = expect.stringContaining(`without “.JK”, such as ${ticker} for`) as string;
  await expect(response).rejects.toMatchObject({ status: 404, code: 'not_found', message });
});
