import { expect, test } from 'vitest';
import { loadBrokerFlow } from '#market-reader/read-broker-flow.ts';
import { loadBrokerMonth } from '#market-reader/read-broker-month.ts';
import { loadPanel } from '#market-reader/read-panel.ts';
import { MAX_STOCKS } from '#services/market-data/import/merging/kept-bars.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { brokerFile, tradeBetween } from '#support/markets/broker-rows.ts';
import { idxDayFile } from '#support/markets/idx-archive.ts';
import { ownDatasets } from '#support/services/test-datasets.ts';

const own = ownDatasets();
const DATE = '2024-03-04';
/** Tickers of the greatest length. */
const tickerOf = (i: number) => `LONGEST${String(i).padStart(5, '0')}`;
const bars = (count: number) =>
  idxDayFile(Array.from({ length: count }, (_, i) => ({ ticker: tickerOf(i), date: DATE, close: 100 })));

test('a market with more stocks than the bound is refused, with both numbers', async () => {
  await expect(own.importFiles({ 'bars.csv': bars(MAX_STOCKS + 1) })).rejects.toThrow(
    'The market would have 5001 stocks, and may have at most 5000. Leave out what is no stock of the exchange.',
  );
});

test('a market with as many stocks as the bound is loaded with its broker rows', async () => {
  const last = tickerOf(MAX_STOCKS - 1);
  const rows = tradeBetween(['AK', 'YP'], 500, 100, { ticker: last, date: DATE });
  const files = { 'bars.csv': bars(MAX_STOCKS), 'rows.csv': brokerFile(rows) };
  const { version, tickers, broker_segments } = (await own.importFiles(files)).dataset!;
  expect(tickers).toBe(MAX_STOCKS);
  const read = (query: string, params: Record<string, unknown>) => readArrow(own.sql, query, params);
  const panel = await loadPanel(read, version);
  const span = { panel, version, segments: broker_segments, firstDay: 0, lastDay: 0 };
  expect((await loadBrokerFlow(read, span)).rowCount).toBe(2);
  const month = await loadBrokerMonth(read, panel, broker_segments[0]!, { retail: ['YP'], foreign: ['AK'] });
  expect(month.tickers.at(-1)).toBe(last);
  expect(month.values.some((value) => value === 50_000)).toBe(true);
});
