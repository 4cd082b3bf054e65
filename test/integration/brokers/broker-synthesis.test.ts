import { beforeAll, describe, expect, test } from 'vitest';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { defaultBrokers } from '#services/market-data/import/files/broker-table.ts';
import { barsCsv } from '#services/market-data/import/files/idx-format.ts';
import { generateMarket } from '#synthetic-market/generate-market.ts';
import { brokerFile, tradeBetween } from '#support/markets/broker-rows.ts';
import { operator, outcomeOf } from '#support/services/dataset-client.ts';
import { tarGzOf } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();

const sample = async (size: { tickers: number; days: number }, seed = 1) =>
  outcomeOf(own.datasets.generateSample({ seed, ...size, may_shrink: true }, operator));
const synthesize = async (seed: number, signal?: AbortSignal) =>
  outcomeOf(own.datasets.synthesizeBrokers({ seed }, { ...operator, ...(signal ? { signal } : {}) }));

const LAST_DAY = '2024-06-28';
const DAY_BEFORE = '2024-06-27';

/** Files of some stocks in the exchange's form. */
const FILES = Object.fromEntries(
  [...generateMarket({ seed: 3, tickers: 15, days: 60, lastDate: LAST_DAY })].map(({ ticker, rows }) => [
    `bars/${ticker}.csv`,
    barsCsv(rows),
  ]),
);

/** The same files, cut to some days. */
function filesOfDays(isWanted: (date: string) => boolean): Record<string, string> {
  const cut = (csv: string) => {
    const [header, ...lines] = csv.trimEnd().split('\n');
    return [header, ...lines.filter((line) => isWanted(line.slice(0, 10))), ''].join('\n');
  };
  return Object.fromEntries(Object.entries(FILES).map(([path, csv]) => [path, cut(csv)]));
}

/** Stock-days of a version whose broker rows are missing, surplus, or do not add up to the bars on both sides. */
async function wrongStockDays({ version, broker_segments }: Dataset) {
  return own.select(
    `SELECT ticker, date, market, max(volume) AS shares, max(value) AS idr,
       (sum(bs), sum(bv)) AS bought, (sum(ss), sum(sv)) AS sold
     FROM (
       SELECT ticker, date, 'REG' AS market, toUInt64(volume) AS volume, toUInt64(value) AS value,
         0 AS bs, 0 AS bv, 0 AS ss, 0 AS sv
       FROM market.daily_bar WHERE dataset_version = {version:String} AND daily_bar.volume > 0
       UNION ALL
       SELECT ticker, date, 'NEGO', toUInt64(nego_volume), toUInt64(nego_value), 0, 0, 0, 0
       FROM market.daily_bar WHERE dataset_version = {version:String} AND nego_volume > 0
       UNION ALL
       SELECT ticker, date, toString(market), 0, 0, buy_shares, buy_value, sell_shares, sell_value
       FROM market.broker_flow WHERE segment IN {broker_segments:Array(String)}
     )
     GROUP BY ticker, date, market
     HAVING shares = 0 OR bought != (shares, idr) OR sold != (shares, idr)
     ORDER BY ALL LIMIT 5`,
    { version, broker_segments },
  );
}

test('synthesis without a dataset is refused', async () => {
  await expect(synthesize(1)).rejects.toMatchObject({ code: 'import_rejected' });
});

describe('a sample', () => {
  let dataset: Dataset;
  beforeAll(async () => {
    dataset = (await sample({ tickers: 25, days: 60 })).outcome.dataset!;
  });

  test('has broker rows that add up to its bars and are labelled synthetic', async () => {
    expect(await wrongStockDays(dataset)).toEqual([]);
    expect(dataset).toMatchObject({
      version: 'synthetic-20260930-1',
      broker_data: 'synthetic',
      broker_seed: 1,
      broker_first_date: dataset.first_date,
      broker_last_date: dataset.last_date,
    });
    expect(await own.brokerRowsOf(dataset)).toHaveLength(dataset.broker_rows);
    const brokers = await own.select(
      `SELECT code, name, is_retail = 1 AS is_retail, is_foreign = 1 AS is_foreign FROM market.broker
       WHERE dataset_version = {version:String} ORDER BY code`,
      { version: dataset.version },
    );
    expect(brokers).toEqual(
      defaultBrokers().map((broker) => ({
        ...broker,
        is_retail: Number(broker.is_retail),
        is_foreign: Number(broker.is_foreign),
      })),
    );
  });

  test('has one segment of one part per month', async () => {
    const parts = await own.select<{ partition: string; parts: string }>(
      `SELECT partition, toString(count()) AS parts FROM system.parts
       WHERE active AND database = 'market' AND table = 'broker_flow'
         AND partition IN {broker_segments:Array(String)}
       GROUP BY partition ORDER BY partition`,
      { broker_segments: dataset.broker_segments },
    );
    expect(parts).toEqual(dataset.broker_segments.map((partition) => ({ partition, parts: '1' })));
    expect(dataset.broker_segments.map((segment) => segment.slice(0, 7))).toEqual([
      '2026-07',
      '2026-08',
      '2026-09',
    ]);
  });

  test('has the same broker rows when it is generated again', async () => {
    await sample({ tickers: 5, days: 30 }, 2);
    const again = (await sample({ tickers: 25, days: 60 })).outcome.dataset!;
    expect(again.version).not.toBe(dataset.version);
    expect(await own.brokerRowsOf(again)).toEqual(await own.brokerRowsOf(dataset));
  });
});

describe('real bars without broker rows', () => {
  test('get synthetic ones as a new version with the same bars', async () => {
    const { dataset: bare } = await own.importFiles(FILES);
    expect(bare).toMatchObject({ version: 'real-20240628-1', broker_data: 'none', broker_rows: 0 });
    const { outcome } = await synthesize(5);
    const dataset = outcome.dataset!;
    expect(dataset).toMatchObject({
      version: 'real-20240628-2-synthetic-brokers',
      kind: 'real',
      source: bare!.source,
      bars: bare!.bars,
      broker_data: 'synthetic',
      broker_seed: 5,
    });
    expect(await wrongStockDays(dataset)).toEqual([]);
    expect(await own.barsOf(dataset)).toEqual(await own.barsOf(bare!));

    const same = await synthesize(5);
    expect(same.outcome).toMatchObject({ dataset, unchanged: true });
    const other = (await synthesize(6)).outcome.dataset!;
    expect(other.version).toBe('real-20240628-3-synthetic-brokers');
    expect(await wrongStockDays(other)).toEqual([]);
    expect(await own.brokerRowsOf(other)).not.toEqual(await own.brokerRowsOf(dataset));
  });

  test('get synthetic ones during the import on request', async () => {
    const { dataset } = await own.importBytes(await tarGzOf(FILES), { header: { synthesize_brokers: true } });
    expect(dataset).toMatchObject({ broker_data: 'synthetic', broker_seed: 1 });
    expect(dataset!.version).toMatch(/^real-20240628-\d+-synthetic-brokers$/);
    expect(await wrongStockDays(dataset!)).toEqual([]);
  });

  test('get synthetic ones for an added day: only its month changes, earlier days stay the same', async () => {
    const { dataset: bare } = await own.importFiles(filesOfDays((date) => date <= DAY_BEFORE));
    const base = (await synthesize(7)).outcome.dataset!;
    const lastDay = await tarGzOf(filesOfDays((date) => date === LAST_DAY));
    const dataset = (await own.importBytes(lastDay, { header: { adds: true } })).dataset!;
    expect(dataset).toMatchObject({ last_date: LAST_DAY, broker_data: 'synthetic', broker_seed: 7 });
    expect(dataset.bars).toBeGreaterThan(bare!.bars);
    expect(await wrongStockDays(dataset)).toEqual([]);
    expect(await own.brokerRowsOf(dataset, DAY_BEFORE)).toEqual(await own.brokerRowsOf(base));
    const earlier = (segments: string[]) => segments.filter((segment) => segment < '2024-06');
    expect(earlier(base.broker_segments)).not.toEqual([]);
    expect(earlier(dataset.broker_segments)).toEqual(earlier(base.broker_segments));
    expect(dataset.broker_segments.at(-1)).not.toBe(base.broker_segments.at(-1));
  });
});

test('real broker rows are never mixed with synthetic ones', async () => {
  const [path, bars] = Object.entries(FILES)[0]!;
  const ticker = path.slice('bars/'.length, -'.csv'.length);
  const [date, ...fields] = bars
    .trimEnd()
    .split('\n')
    .findLast((line) => Number(line.split(',')[8]) > 0)!
    .split(',');
  const [volume, value] = [Number(fields[7]), Number(fields[8])];
  const rows = brokerFile(tradeBetween(['AK', 'YP'], volume, value / volume, { ticker, date: date! }));
  const { dataset } = await own.importFiles({ [path]: bars, 'brokers.csv': rows });
  expect(dataset).toMatchObject({ broker_data: 'real' });
  const before = await own.state();
  await expect(synthesize(1)).rejects.toMatchObject({
    code: 'import_rejected',
    message: expect.stringContaining('has real broker rows') as string,
  });
  expect(await own.state()).toEqual(before);
});

describe('a running generation', () => {
  const size = { tickers: 100, days: 250 };

  test('reports the number of rows generated so far', async () => {
    const { progress, outcome } = await sample(size, 9);
    const steps = progress.filter(({ step }) => step === 'generating broker rows');
    expect(steps.length).toBeGreaterThan(0);
    const counts = steps.map(({ rows_read }) => rows_read);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBeLessThanOrEqual(outcome.dataset!.broker_rows);
  });

  /** Waits until the service inserts broker rows. */
  const untilInserting = () =>
    expect
      .poll(
        () => own.select(`SELECT 1 FROM system.processes WHERE query LIKE 'INSERT INTO market.broker_flow%'`),
        { interval: 20 },
      )
      .not.toEqual([]);

  test('fails when the store is lost, and leaves nothing once the next import has begun', async () => {
    const before = await own.state();
    const failing = synthesize(10);
    failing.catch(() => {});
    await untilInserting();
    await own.clickhouse.kill9();
    await expect(failing).rejects.toMatchObject({ code: 'data_unavailable' });
    await own.clickhouse.start();
    await expect(own.importBytes(Buffer.alloc(0))).rejects.toMatchObject({ code: 'import_rejected' });
    expect(await own.state()).toEqual(before);
  });

  test('leaves nothing behind when abandoned, and lets the next one start', async () => {
    const before = await own.state();
    const left = new AbortController();
    const abandoned = synthesize(10, left.signal);
    abandoned.catch(() => {});
    await untilInserting();
    left.abort();
    await expect(abandoned).rejects.toBeDefined();
    await expect.poll(() => own.state()).toEqual(before);
    const { dataset } = (await synthesize(10)).outcome;
    expect(await wrongStockDays(dataset!)).toEqual([]);
  });
});
