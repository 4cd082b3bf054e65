import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '#services/market-data/store/migrations/index.ts';
import { HeldPanel, type LoadedPanel } from '#services/model-worker/held-panel.ts';
import { connectClickHouse, type ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { migrateClickHouse } from '#shared/clickhouse/migrate.ts';
import { weekdays } from '#support/markets/idx-archive.ts';
import { PrivateServer } from '#support/servers/private-server.ts';

const DATES = weekdays('2024-01-01', 65);
const LAST = DATES.length - 1;
const SEGMENTS = ['2024-01.a', '2024-02.a', '2024-03.a'];
const DATASET = {
  version: 'real-20240329-1',
  kind: 'real',
  broker_data: 'real',
  bars: DATES.length,
  broker_segments: SEGMENTS,
};

const NEXT = 'real-20240329-2';

function barsOf(dataset_version: string) {
  const prices = { open: 100, high: 100, low: 100, close: 100, previous: 100, factor: 1, share_factor: 1 };
  return DATES.map((date) => ({
    ...prices,
    dataset_version,
    ticker: 'AAAA',
    volume: 10,
    value: 1_000,
    date,
  }));
}

let server: PrivateServer;
let client: ClickHouseClient;
let held: HeldPanel;
let loaded: LoadedPanel;

beforeAll(async () => {
  server = await PrivateServer.clickhouse();
  client = connectClickHouse(server.url);
  await migrateClickHouse(client, 'market', migrations);
  const bars = [DATASET.version, NEXT].flatMap(barsOf);
  const sides = { buy_shares: 10, buy_value: 1_000, sell_shares: 10, sell_value: 1_000 };
  const trade = { ticker: 'AAAA', broker: 'AK', mode: 'gross', ...sides };
  const rows = DATES.flatMap((date) =>
    ['REG', 'NEGO'].map((market) => ({ ...trade, market, date, segment: `${date.slice(0, 7)}.a` })),
  );
  const otherVersions = rows.map((row) => ({
    ...row,
    broker: 'ZZ',
    buy_value: 2_000,
    sell_value: 2_000,
    segment: row.segment.replace('.a', '.b'),
  }));
  await client.insert({ table: 'market.daily_bar', values: bars, format: 'JSONEachRow' });
  const values = [...rows, ...otherVersions];
  await client.insert({ table: 'market.broker_flow', values, format: 'JSONEachRow' });
  held = new HeldPanel(client);
  loaded = await held.load(DATASET);
});
afterAll(async () => {
  await client?.close();
  await server?.remove();
});

const daysOf = async (firstDay: number, lastDay: number) => {
  const flow = await held.flowOf(loaded, { firstDay, lastDay });
  const days = Array.from({ length: LAST + 1 }, (_, day) => day);
  return days.filter((day) => flow.rows('REG', 0, day).to > flow.rows('REG', 0, day).from);
};
const RECENT = Array.from({ length: 30 }, (_, i) => LAST - 29 + i);

test('a loaded panel holds its version’s broker rows of the regular market for the newest thirty days', async () => {
  const { recentFlow, dataset } = loaded;
  expect(dataset).toEqual({ version: DATASET.version, kind: 'real', broker_data: 'real' });
  expect([recentFlow.rowCount, recentFlow.columns.brokers.codes]).toEqual([30, ['AK']]);
  expect(await daysOf(LAST - 4, LAST)).toEqual(RECENT);
  expect(await held.flowOf(loaded, undefined)).toBe(recentFlow);
});

test('older days are read on demand, and no others', async () => {
  expect(await daysOf(10, 14)).toEqual([10, 11, 12, 13, 14]);
  expect(await daysOf(RECENT[0]! - 2, RECENT[0]! + 1)).toEqual([33, 34, 35, 36]);
});

test('a dataset without broker rows is never queried for older ones', async () => {
  const without = await new HeldPanel(client).load({ ...DATASET, broker_data: 'none', broker_segments: [] });
  expect(without.recentFlow.rowCount).toBe(0);
  expect(await held.flowOf(without, { firstDay: 0, lastDay: 5 })).toBe(without.recentFlow);
});

test('without ClickHouse the newest days remain available, and older ones are an error', async () => {
  await server.kill9();
  try {
    expect(await daysOf(LAST - 1, LAST)).toEqual(RECENT);
    await expect(held.flowOf(loaded, { firstDay: 0, lastDay: 5 })).rejects.toThrow();
  } finally {
    await server.start();
  }
});

test('broker summaries of shared segments outlive their version', async () => {
  const panels = new HeldPanel(client);
  const whole = { firstDay: 0, lastDay: LAST };
  const turnovers = async ({ brokerDays }: LoadedPanel) => {
    const days = await brokerDays.of(whole);
    return [0, LAST].map((day) => days.value('turnover', 0, day));
  };
  expect(await turnovers(await panels.load(DATASET))).toEqual([1_000, 1_000]);
  const broker_segments = [...SEGMENTS.slice(0, 2), '2024-03.b'];
  const next = await panels.load({ ...DATASET, version: NEXT, broker_segments });
  await client.command({ query: `ALTER TABLE market.broker_flow DROP PARTITION '${SEGMENTS[0]}'` });
  expect(await turnovers(next)).toEqual([1_000, 2_000]);
});
