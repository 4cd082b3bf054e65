import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { brokerFlowOf } from '#quant/broker-flow/flow-fixture.ts';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import type { ReadArrow } from '#quant/panel/panel-query.ts';
import { brokersOf } from '#services/market-data/answers/brokers.ts';
import { loadedOf } from '#services/market-data/answers/loaded-fixture.ts';
import { negoScanOf } from '#services/market-data/answers/nego-scan.ts';
import { OlderBrokerDays } from '#services/market-data/in-memory/older-broker-days.ts';
import { migrations } from '#services/market-data/store/migrations/index.ts';
import { connectClickHouse, migrateClickHouse, type ClickHouseClient } from '#shared/clickhouse.ts';
import { readArrow } from '#shared/clickhouse-arrow.ts';
import { weekdays } from '#support/idx-archive.ts';
import { PrivateServer } from '#support/private-server.ts';

const TODAY = '2024-12-31';
const VERSION = 'real-20240329-1';
/** January to March 2024, of which the rows of the last ten days are in memory. */
const DATES = weekdays('2024-01-01', 65);
const FIRST_HELD = DATES.length - 10;
const SEGMENTS = ['2024-01.a', '2024-02.b', '2024-03.c'];
const TICKERS = ['AAAA', 'BBBB'];
/** As many readings are kept. */
const MOST_KEPT = 50;

const panel = panelOf(
  TICKERS.flatMap((ticker) =>
    DATES.map((date) => ({ ticker, date, close: 100, nego_volume: 5, nego_value: 500, nego_frequency: 1 })),
  ),
);
const held = brokerFlowOf(panel, [], [], { firstDay: FIRST_HELD, lastDay: DATES.length - 1 });
const loaded = loadedOf(
  panel,
  {
    ...{ version: VERSION, broker_data: 'real', broker_segments: SEGMENTS },
    ...{ broker_first_date: DATES[1]!, broker_last_date: DATES.at(-1)! },
  },
  held,
);

let server: PrivateServer;
let client: ClickHouseClient;
/** Queries that reached the store. */
let queries = 0;
let older: OlderBrokerDays;
const counted: ReadArrow = (sql, params) => {
  queries++;
  return readArrow(client, sql, params);
};

beforeAll(async () => {
  server = await PrivateServer.clickhouse();
  client = connectClickHouse(server.url);
  await migrateClickHouse(client, 'market', migrations);
  const row = (date: string, ticker: string, market: string, broker: string, share: number) => ({
    ...{
      segment: SEGMENTS.find((segment) => segment.startsWith(date.slice(0, 7))),
      ticker,
      date,
      market,
      broker,
    },
    ...{ mode: 'gross', buy_shares: share, buy_value: 100 * share },
    ...{ sell_shares: 1_000 - share, sell_value: 100 * (1_000 - share) },
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
});
beforeEach(() => {
  queries = 0;
  older = new OlderBrokerDays(counted);
});
afterAll(async () => {
  await client?.close();
  await server?.remove();
});

const brokers = (day: number, ticker = 'AAAA', from = older) =>
  brokersOf(
    loaded,
    { ticker, date: DATES[day]!, market: 'REG', top_n: 10, sort_by: 'value' },
    TODAY,
    from.rowsOfDay,
  );

test('a day before those in memory is read from the store, with the names and classes of its version', async () => {
  const { top_buyers, top_sellers, totals, coverage_pct } = await brokers(30);
  const net = 200 + 2 * 29;
  expect(top_buyers).toEqual([
    {
      ...{ broker: 'AK', broker_name: 'UBS', is_retail: false, is_foreign: true },
      ...{ buy_shares: 629, buy_value: 62_900, avg_buy_price: 100, net_shares: net, net_value: 100 * net },
    },
  ]);
  expect(top_sellers).toMatchObject([{ broker: 'ZZ', broker_name: undefined, net_value: -100 * net }]);
  expect(totals).toMatchObject({ buy_value: 100_000, net_value: 0 });
  expect(coverage_pct).toBe(100);
});

test('a scan of such a day tells who bought and sold most', async () => {
  const wanted = { date: DATES[2]!, min_val: 0, top_n: 10 };
  const { items } = await negoScanOf(loaded, wanted, TODAY, older.rowsOfDay);
  expect(items.map(({ ticker, top_buyer, top_seller }) => [ticker, top_buyer, top_seller])).toEqual([
    ['AAAA', 'AK', 'AK'],
    ['BBBB', 'ZZ', 'ZZ'],
  ]);
});

test('days in memory, and days of which the dataset has no rows, are not looked for', async () => {
  await expect(brokers(FIRST_HELD)).rejects.toMatchObject({ code: 'not_found' });
  await expect(brokers(0)).rejects.toMatchObject({ code: 'not_found' });
  expect(queries).toBe(0);
});

test('what has been read is not read again, and who asks meanwhile waits for the same reading', async () => {
  const [first, second] = await Promise.all([brokers(5), brokers(5)]);
  expect(second).toEqual(first);
  const once = queries;
  expect(await brokers(5)).toEqual(first);
  expect(queries).toBe(once);
  await brokers(5, 'BBBB');
  expect(queries).toBe(2 * once);
});

test('of many readings the latest used are kept', async () => {
  await brokers(1);
  const once = queries;
  for (let day = 2; day <= MOST_KEPT; day++) await brokers(day);
  await brokers(1);
  await brokers(1, 'BBBB');
  expect(queries).toBe((MOST_KEPT + 1) * once);
  await brokers(1);
  expect(queries, 'the one used last').toBe((MOST_KEPT + 1) * once);
  await brokers(2);
  expect(queries, 'the one not used for longest').toBe((MOST_KEPT + 2) * once);
});

test('a store that does not answer is data_unavailable within the deadline, and asked again by the next call', async () => {
  const impatient = new OlderBrokerDays(counted, 300);
  server.freeze();
  try {
    const begun = performance.now();
    await expect(brokers(7, 'AAAA', impatient)).rejects.toMatchObject({ code: 'data_unavailable' });
    expect(performance.now() - begun).toBeLessThan(2_000);
  } finally {
    server.thaw();
  }
  expect(await brokers(7)).toMatchObject({ date: DATES[7] });
  await expect
    .poll(() => brokers(7, 'AAAA', impatient), { timeout: 15_000 })
    .toMatchObject({ date: DATES[7] });
});

test('a store that is away is data_unavailable', async () => {
  await server.kill9();
  try {
    await expect(brokers(8)).rejects.toMatchObject({ code: 'data_unavailable' });
  } finally {
    await server.start();
  }
  await expect.poll(() => brokers(8), { timeout: 15_000 }).toMatchObject({ date: DATES[8] });
});
