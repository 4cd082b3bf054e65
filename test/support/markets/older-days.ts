import { brokerFlowOf } from '#quant/broker-rows/flow-fixture.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { loadedOf } from '#services/market-data/in-memory/loaded-fixture.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { weekdays } from './idx-archive.ts';

const VERSION = 'real-20240329-1';
/** January to March 2024. Only the rows of the last four days are in memory. */
export const DATES = weekdays('2024-01-02', 58);
export const FIRST_HELD = DATES.length - 4;
const SEGMENTS = ['2024-01.a', '2024-02.b', '2024-03.c'];
export const TICKERS = ['AAAA', 'BBBB'];
const panel = panelOf(
  TICKERS.flatMap((ticker) =>
    DATES.map((date) => ({ ticker, date, close: 100, nego_volume: 5, nego_value: 500, nego_frequency: 1 })),
  ),
);
const table = [{ code: 'AK', name: 'UBS', is_foreign: true }];
const held = brokerFlowOf(panel, [], table, { firstDay: FIRST_HELD, lastDay: DATES.length - 1 });
/** A dataset with broker rows for every day but the first. */
export const loaded = loadedOf(
  panel,
  {
    version: VERSION,
    broker_data: 'real',
    broker_segments: SEGMENTS,
    broker_first_date: DATES[1]!,
    broker_last_date: DATES.at(-1)!,
  },
  held,
);

/** Stores the broker rows of the dataset. */
export async function storeOlderDays(client: ClickHouseClient): Promise<void> {
  const row = (date: string, ticker: string, market: string, broker: string, share: number) => ({
    segment: SEGMENTS.find((segment) => segment.startsWith(date.slice(0, 7))),
    ticker,
    date,
    market,
    broker,
    mode: 'gross',
    buy_shares: share,
    buy_value: 100 * share,
    sell_shares: 1_000 - share,
    sell_value: 100 * (1_000 - share),
  });
  const days = DATES.slice(1).flatMap((date, i) =>
    TICKERS.flatMap((ticker) => [
      row(date, ticker, 'REG', 'AK', 600 + i),
      row(date, ticker, 'REG', 'ZZ', 400 - i),
      row(date, ticker, 'NEGO', ticker === 'AAAA' ? 'AK' : 'ZZ', 500),
    ]),
  );
  await client.insert({ table: 'market.broker_flow', values: days, format: 'JSONEachRow' });
  const broker = { dataset_version: VERSION, code: 'AK', name: 'UBS', is_retail: 0, is_foreign: 1 };
  await client.insert({ table: 'market.broker', values: [broker], format: 'JSONEachRow' });
}
