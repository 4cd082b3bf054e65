import { beforeAll, expect, test } from 'vitest';
import { ownTenant } from '#support/fleets/contract.ts';
import { errorCode } from '#support/fleets/rest.ts';

const tenant = ownTenant();
const PATH = '/api/v1/data/compare';
const compare = (tickers: string[], days?: number) =>
  tenant.client.data.compare(tickers, days === undefined ? {} : { days });

/** Picks of a recent run, which are certainly traded. */
let traded: string[];
beforeAll(async () => {
  const job = await tenant.client.runAndWait('confluence_filter', { params: { min_signals: 1 } });
  traded = job.summary!.tickers.slice(0, 3);
  expect(traded.length).toBeGreaterThan(1);
});

test('stocks come in the requested order, in upper case, each once', async () => {
  const body = await compare([...traded.map((ticker) => ticker.toLowerCase()), traded[0]!]);
  expect(body).toMatchObject({ tickers: traded, days: 20, missing: [] });
  expect(body.snapshots.map(({ ticker }) => ticker)).toEqual(traded);
  expect(body.dataset_version).toMatch(/^synthetic-/);
});

test('each stock has the features of its own snapshot, but no bars', async () => {
  const body = await compare(traded, 5);
  for (const stock of body.snapshots) {
    const snapshot = await tenant.client.data.stock(stock.ticker, { days: 1 });
    expect(stock.features).toEqual(snapshot.features);
    expect([stock.date, stock.close]).toEqual([snapshot.date, snapshot.ohlcv[0]!.close]);
    expect(stock).not.toHaveProperty('ohlcv');
  }
});

test('a one-day period equals that day’s change, and longer ones follow from the bars', async () => {
  const [ticker] = traded as [string];
  const snapshot = await tenant.client.data.stock(ticker, { days: 11 });
  const [before, ...bars] = snapshot.ohlcv;
  const body = await compare([ticker], 10);
  const { period } = body.snapshots[0]!;
  expect(body.date).toBe(snapshot.date);
  expect(period.return_pct).toBeCloseTo(100 * (bars.at(-1)!.close / before!.close - 1), 2);
  expect(period.avg_value).toBeCloseTo(bars.reduce((sum, bar) => sum + bar.value, 0) / 10, 0);
  expect(period.high).toBeCloseTo(Math.max(...bars.map((bar) => bar.high)), 2);
  expect(period.low).toBeCloseTo(Math.min(...bars.map((bar) => bar.low)), 2);
  expect(period.max_drawdown_pct).toBeLessThanOrEqual(Math.min(0, period.return_pct!));
  const oneDay = await compare([ticker], 1);
  expect(oneDay.snapshots[0]!.period.return_pct).toBeCloseTo(bars.at(-1)!.change_pct, 2);
});

test('rankings list the same tickers, highest first, also by net buying of local institutions', async () => {
  const body = await compare(traded);
  const returns = new Map(body.snapshots.map(({ ticker, period }) => [ticker, period.return_pct!]));
  const ranked = body.ranking.return_pct;
  expect(ranked.toSorted()).toEqual(traded.toSorted());
  expect(ranked.map((ticker) => returns.get(ticker))).toEqual(
    [...returns.values()].toSorted((a, b) => b - a),
  );
  const bought = body.snapshots.toSorted(
    (a, b) => b.features.bandar_net_value_5d! - a.features.bandar_net_value_5d!,
  );
  expect(body.ranking.bandar_net_value_5d).toEqual(bought.map(({ ticker }) => ticker));
  for (const { features, period } of body.snapshots) {
    expect(period.bandar_net_value).toBe(features.bandar_net_value_20d);
    expect(period.foreign_net_value).toBeTypeOf('number');
  }
  expect(body.broker_data).toBe('synthetic');
});

test('unknown tickers are listed as missing; if all are unknown the answer is 404 not_found', async () => {
  const { tickers, missing } = await compare(['zzzz9', traded[0]!, 'ZZZZ8']);
  expect([tickers, missing]).toEqual([[traded[0]], ['ZZZZ9', 'ZZZZ8']]);
  await expect(compare(['ZZZZ9', 'ZZZZ8'])).rejects.toMatchObject({ status: 404, code: 'not_found' });
});

test('ten tickers are allowed, eleven are 422 too_many_tickers, and duplicates count once', async () => {
  const codes = Array.from({ length: 10 }, (_, i) => `T${i}`);
  const [known] = traded as [string];
  expect((await compare([...codes.slice(1), known])).tickers).toEqual([known]);
  expect((await compare([...codes.slice(1), known, 't1', 'T2'])).tickers).toEqual([known]);
  await expect(compare([...codes, known])).rejects.toMatchObject({
    status: 422,
    code: 'too_many_tickers',
    detail: [expect.anything()],
  });
});

test.each([1, 250])('%i days are allowed', async (days) => {
  expect((await compare([traded[0]!], days)).days).toBe(days);
});

test.each([
  ['no tickers', {}],
  ['an empty list', { tickers: [] }],
  ['an empty ticker', { tickers: [''] }],
  ['a blank ticker', { tickers: [' '] }],
  ['tickers as text', { tickers: 'BBCA' }],
  ['tickers that are null', { tickers: null }],
  ['a ticker that is a number', { tickers: [1] }],
  ['a ticker of absurd length', { tickers: ['A'.repeat(65)] }],
  ['0 days', { tickers: ['AAAA'], days: 0 }],
  ['251 days', { tickers: ['AAAA'], days: 251 }],
  ['half a day', { tickers: ['AAAA'], days: 1.5 }],
  ['days as text', { tickers: ['AAAA'], days: '20' }],
  ['days that are null', { tickers: ['AAAA'], days: null }],
  ['an unknown field', { tickers: ['AAAA'], surprise: 1 }],
  ['a list as its body', ['AAAA']],
  ['malformed JSON', '{"tickers":["AAAA"]'],
])('a comparison with %s is 422 invalid_request', async (_name, body) => {
  const response = await tenant.rest.post(PATH, body);
  expect([response.status, errorCode(response)]).toEqual([422, 'invalid_request']);
});
