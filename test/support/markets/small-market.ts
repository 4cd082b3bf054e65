import { beforeAll } from 'vitest';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { weekdays } from './idx-archive.ts';
import { ownClickHouse } from '../servers/own-clickhouse.ts';

const DATES = weekdays('2024-01-02', 58);

/** The only dataset, as a worker receives it. */
export const SMALL_DATASET = {
  version: 'real-20240328-1',
  kind: 'real',
  broker_data: 'none',
  fingerprint: 'f00d',
  bars: DATES.length,
  broker_segments: [],
};

/** A version with one more trading day than the previous one. */
export interface AddedDay {
  version: string;
  date: string;
}

/** A ClickHouse server that only one test file uses. */
export interface SmallMarket {
  url: string;
  /** Publishes such a version. `change` overrides the number of bars in its label. */
  publishDay: (day: AddedDay, change?: { bars: number }) => Promise<void>;
}

/**
 * Gives a test file a ClickHouse with a published dataset of one stock whose price never changes. Call at the top level of the
 * file.
 */
export function smallMarket(): SmallMarket {
  const own = ownClickHouse();
  const days = [...DATES];
  const market: SmallMarket = {
    url: '',
    publishDay: ({ version, date }, change) => {
      days.push(date);
      return publish(own.client, { version, bars: days.length, ...change }, days);
    },
  };
  beforeAll(async () => {
    market.url = own.server.url;
    await publish(own.client, SMALL_DATASET, days);
  });
  return market;
}

async function publish(
  client: ClickHouseClient,
  { version, bars }: { version: string; bars: number },
  days: readonly string[],
): Promise<void> {
  const prices = { open: 100, high: 100, low: 100, close: 100, previous: 100, factor: 1, share_factor: 1 };
  const bar = { ...prices, dataset_version: version, ticker: 'AAAA', volume: 10, value: 1_000 };
  const values = days.map((date) => ({ ...bar, date }));
  await client.insert({ table: 'market.daily_bar', values, format: 'JSONEachRow' });
  const { broker_segments: _, ...label } = SMALL_DATASET;
  const span = { first_date: days[0], last_date: days.at(-1), trading_days: days.length, tickers: 1 };
  const published = { source: 'test', published_at: days.length };
  const dataset = { ...label, version, bars, ...span, ...published };
  await client.insert({ table: 'market.dataset', values: [dataset], format: 'JSONEachRow' });
  const served = { version, served_at: days.length };
  await client.insert({ table: 'market.served', values: [served], format: 'JSONEachRow' });
}
