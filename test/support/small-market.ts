import { afterAll, beforeAll } from 'vitest';
import { migrations } from '#services/market-data/store/migrations/index.ts';
import { connectClickHouse, migrateClickHouse } from '#shared/clickhouse.ts';
import { weekdays } from './idx-archive.ts';
import { PrivateServer } from './private-server.ts';

const DATES = weekdays('2024-01-01', 65);

/** What a screener is told of the only dataset there. */
export const SMALL_DATASET = {
  ...{ version: 'real-20240329-1', kind: 'real', broker_data: 'none' },
  ...{ bars: DATES.length, broker_segments: [] },
};

/** A ClickHouse of one's own. */
export interface SmallMarket {
  url: string;
}

/** Gives a test file a ClickHouse with one stock that never moves, published. Call at the top level of the file. */
export function smallMarket(): SmallMarket {
  const market: SmallMarket = { url: '' };
  let server: PrivateServer | undefined;
  beforeAll(async () => {
    server = await PrivateServer.clickhouse();
    market.url = server.url;
    const client = connectClickHouse(server.url);
    await migrateClickHouse(client, 'market', migrations);
    const prices = { open: 100, high: 100, low: 100, close: 100, previous: 100, factor: 1, share_factor: 1 };
    const bar = {
      ...prices,
      dataset_version: SMALL_DATASET.version,
      ticker: 'AAAA',
      volume: 10,
      value: 1_000,
    };
    const bars = DATES.map((date) => ({ ...bar, date }));
    await client.insert({ table: 'market.daily_bar', values: bars, format: 'JSONEachRow' });
    const { broker_segments: _, ...label } = SMALL_DATASET;
    const span = { first_date: DATES[0], last_date: DATES.at(-1), trading_days: DATES.length, tickers: 1 };
    const dataset = { ...label, ...span, source: 'test', fingerprint: 'f00d', published_at: 1 };
    await client.insert({ table: 'market.dataset', values: [dataset], format: 'JSONEachRow' });
    await client.close();
  });
  afterAll(() => server?.remove());
  return market;
}
