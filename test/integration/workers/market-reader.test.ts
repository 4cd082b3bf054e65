import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { BrokerDays } from '#quant/broker-measures/broker-days.ts';
import { BrokerFlow, type FlowColumns } from '#quant/broker-rows/broker-flow.ts';
import { Panel } from '#quant/panel/panel.ts';
import { MarketLoader } from '#services/market-data/in-memory/load-market.ts';
import { ComputedCache } from '#services/model-worker/cache/computed-cache.ts';
import { MarketReader } from '#services/model-worker/market/market-reader.ts';
import { MarketSource } from '#services/model-worker/market/market-source.ts';
import type { SharedMarket } from '#services/model-worker/market/shared-market.ts';
import { mapColumns } from '#services/model-worker/cache/shared-memory.ts';
import { connectClickHouse } from '#platform/clickhouse/clickhouse.ts';
import { createLogger } from '#platform/operations/logger.ts';
import { weekdays } from '#support/markets/idx-archive.ts';
import { ClickHouseProxy } from '#support/servers/clickhouse-proxy.ts';
import { ownClickHouse } from '#support/servers/own-clickhouse.ts';
import { IN_TIME } from '#support/hangs.ts';

const DATES = weekdays('2024-01-02', 58);
const LAST = DATES.length - 1;
const SEGMENTS = ['2024-01.a', '2024-02.a', '2024-03.a'];
const DATASET = {
  version: 'real-20240329-1',
  kind: 'real',
  broker_data: 'real',
  fingerprint: 'f00d',
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

const own = ownClickHouse();
let reader: MarketReader;
let market: SharedMarket;

beforeAll(async () => {
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
  await own.client.insert({ table: 'market.daily_bar', values: bars, format: 'JSONEachRow' });
  const values = [...rows, ...otherVersions];
  await own.client.insert({ table: 'market.broker_flow', values, format: 'JSONEachRow' });
  reader = new MarketReader(own.client);
  market = await reader.read(DATASET);
});

const daysIn = (columns: FlowColumns) => {
  const flow = new BrokerFlow(columns);
  const days = Array.from({ length: LAST + 1 }, (_, day) => day);
  return days.filter((day) => flow.rows('REG', 0, day).to > flow.rows('REG', 0, day).from);
};
const RECENT = Array.from({ length: 30 }, (_, i) => LAST - 29 + i);

test('a market holds its version’s broker rows of the regular market for the newest thirty days', () => {
  const { recentFlow, dataset } = market;
  expect(dataset).toEqual({ version: DATASET.version, kind: 'real', broker_data: 'real' });
  expect([recentFlow.broker.length, recentFlow.brokers.codes]).toEqual([30, ['AK']]);
  expect(daysIn(recentFlow)).toEqual(RECENT);
});

test('older days are read on demand, and no others', async () => {
  const read = async (firstDay: number, lastDay: number) =>
    daysIn(await reader.flowOf(DATASET.version, { firstDay, lastDay }));
  expect(await read(10, 14)).toEqual([10, 11, 12, 13, 14]);
  expect(await read(RECENT[0]! - 2, RECENT[0]! + 1)).toEqual([26, 27, 28, 29]);
});

test('nothing of a partial day is read, and it comes once it is whole, also when earlier bars are copied', async () => {
  const fresh = new MarketReader(own.client);
  const until = (whole_until: string, version = DATASET.version) =>
    fresh.read({ ...DATASET, version, whole_until, last_date: DATES[LAST]! });
  expect((await until(DATES[LAST - 1]!)).panel.dates).toEqual(DATES.slice(0, -1));
  expect((await until(DATES[LAST - 3]!, NEXT)).panel.dates).toEqual(DATES.slice(0, -3));
  const monthOf = async (version: string, day: number) =>
    (await fresh.monthsOf(version, { firstDay: day, lastDay: day })).at(-1)!.dates.at(-1);
  expect(await monthOf(NEXT, LAST - 3)).toBe(DATES[LAST - 3]);
  const whole = await until(DATES[LAST]!);
  expect(whole.panel).toEqual(market.panel);
  expect(await monthOf(DATASET.version, LAST)).toBe(DATES[LAST]);
});

test('a dataset without broker rows has none', async () => {
  const dataset = { ...DATASET, broker_data: 'none', broker_segments: [] };
  expect((await new MarketReader(own.client).read(dataset)).recentFlow.broker.length).toBe(0);
});

test('a version with another number of bars than it says is refused', async () => {
  const wrong = { ...DATASET, bars: DATASET.bars + 1 };
  await expect(new MarketReader(own.client).read(wrong)).rejects.toThrow('has 58 bars instead of 59');
});

test('all large columns lie in shared memory, so that threads get them without a copy', async () => {
  const large = mapColumns(
    { ...market, regime: undefined, recentFlow: { ...market.recentFlow, brokers: undefined } },
    ({ buffer }) => buffer instanceof SharedArrayBuffer,
  );
  expect(JSON.stringify(large)).not.toContain('false');
});

describe('the loader of market-data', () => {
  const dataset = { ...DATASET, broker_rows: 2 * DATES.length } as Dataset;
  /** Loads through a proxy that lets each query pass only after `onQuestion`. */
  async function load(onQuestion: () => Promise<void>, stalledAfterMs: number): Promise<number> {
    const proxy = await ClickHouseProxy.start(own.server.url);
    proxy.onQuestion = onQuestion;
    const loader = new MarketLoader({ url: proxy.url }, () => {}, stalledAfterMs);
    try {
      return (await loader.load(dataset, undefined)).panel.rowCount;
    } finally {
      await loader.stop();
      proxy.stop();
    }
  }

  test('takes any time while rows come, and gives up when none have come for too long', async () => {
    const [pauseMs, stalledAfterMs] = [2_200, 20_000];
    let queries = 0;
    const slowly = async () => {
      queries++;
      await sleep(pauseMs);
    };
    expect(await load(slowly, stalledAfterMs)).toBe(DATASET.bars);
    expect(queries * pauseMs).toBeGreaterThan(stalledAfterMs);
    await expect(load(() => new Promise(() => {}), 200)).rejects.toThrow('nothing was loaded for 0.2 s');
  });
});

describe('with a cache', () => {
  let folder: string;
  const problems: string[] = [];
  const cachedReader = () =>
    new MarketReader(own.client, new ComputedCache(folder, 'markets', (problem) => problems.push(problem)));
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'saring-market-cache-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const whole = { firstDay: 0, lastDay: LAST };
  /** One for the market and one for each month. */
  const FILES = 1 + SEGMENTS.length;

  test('the next process reads the same market and months without ClickHouse', async () => {
    const first = cachedReader();
    const read = [await first.read(DATASET), await first.monthsOf(DATASET.version, whole)];
    const written = async () => (await readdir(folder)).filter((name) => !name.endsWith('.tmp'));
    await vi.waitFor(async () => expect(await written()).toHaveLength(FILES), IN_TIME);
    const unavailable = connectClickHouse('http://user:password@127.0.0.1:9');
    const second = new MarketReader(
      unavailable,
      new ComputedCache(folder, 'markets', (problem) => problems.push(problem)),
    );
    const again = await second.read(DATASET);
    expect(again).toEqual(read[0]);
    // The classes of brokers belong to the version, so months cannot be named without it.
    await expect(second.monthsOf(DATASET.version, whole)).rejects.toThrow();
    const months = await cachedReaderOf(again).monthsOf(DATASET.version, whole);
    expect(months.map(({ dates }) => dates[0]).toSorted()).toEqual([
      '2024-01-02',
      '2024-02-01',
      '2024-03-01',
    ]);
    expect(problems).toEqual([]);
    await unavailable.close();
  });

  test('another fingerprint, or another number of bars, is another market', async () => {
    const changed = { ...DATASET, fingerprint: 'beef', bars: DATASET.bars + 1 };
    await expect(cachedReader().read(changed)).rejects.toThrow('bars instead of');
  });

  function cachedReaderOf(known: SharedMarket): MarketReader {
    const third = cachedReader();
    third.hold(known);
    return third;
  }
});

test('the reading thread ends when nothing is read, and the next one has the same months in the same memory', async () => {
  const ends: Promise<unknown>[] = [];
  const onWorker = (thread: Worker) => void ends.push(once(thread, 'exit'));
  process.on('worker', onWorker);
  const source = new MarketSource(
    { clickhouseAt: { url: own.server.url }, cacheDir: '' },
    createLogger('test', 'silent'),
    1,
  );
  try {
    const whole = { firstDay: 0, lastDay: LAST };
    await source.read(DATASET);
    const before = await source.monthsOf(DATASET.version, whole);
    await Promise.all(ends);
    const after = await source.monthsOf(DATASET.version, whole);
    expect(after).toEqual(before);
    expect(ends.length).toBeGreaterThan(1);
    before.forEach(({ values }) => values.fill(7));
    expect(after).toEqual(before);
    expect(daysIn(await source.flowOf(DATASET.version, { firstDay: 0, lastDay: 1 }))).toEqual([0, 1]);
  } finally {
    process.off('worker', onWorker);
    await source.stop();
  }
});

test('without ClickHouse the market in memory remains, and older days are an error', async () => {
  await own.server.kill9();
  try {
    expect(daysIn(market.recentFlow)).toEqual(RECENT);
    await expect(reader.flowOf(DATASET.version, { firstDay: 0, lastDay: 5 })).rejects.toThrow();
  } finally {
    await own.server.start();
  }
});

test('broker summaries of shared segments outlive their version', async () => {
  const reading = new MarketReader(own.client);
  const whole = { firstDay: 0, lastDay: LAST };
  const turnovers = async (of: SharedMarket) => {
    const days = new BrokerDays(new Panel(of.panel), await reading.monthsOf(of.dataset.version, whole));
    return [0, LAST].map((day) => days.value('turnover', 0, day));
  };
  expect(await turnovers(await reading.read(DATASET))).toEqual([1_000, 1_000]);
  const broker_segments = [...SEGMENTS.slice(0, 2), '2024-03.b'];
  const next = await reading.read({ ...DATASET, version: NEXT, broker_segments });
  await own.client.command({ query: `ALTER TABLE market.broker_flow DROP PARTITION '${SEGMENTS[0]}'` });
  expect(await turnovers(next)).toEqual([1_000, 2_000]);
});
