import { beforeAll, expect, test } from 'vitest';
import { ownTenant } from '#support/fleets/contract.ts';

const tenant = ownTenant();
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

test('unknown tickers are listed as missing; if all are unknown the answer is 404 not_found', async () => {
  const { tickers, missing } = await compare(['zzzz9', traded[0]!, 'ZZZZ8']);
  expect([tickers, missing]).toEqual([[traded[0]], ['ZZZZ9', 'ZZZZ8']]);
  await expect(compare(['ZZZZ9', 'ZZZZ8'])).rejects.toMatchObject({ status: 404, code: 'not_found' });
});
