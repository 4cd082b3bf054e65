import { beforeAll, describe, expect, test } from 'vitest';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { idxDayFile, tarGzOf } from '#support/markets/idx-archive.ts';
import { operator, outcomeOf } from '#support/services/dataset-client.ts';
import { testMarketData } from '#support/services/test-market-data.ts';

const own = testMarketData();
const SIZE = { tickers: 25, days: 60, last_date: '2024-06-12', may_shrink: true };

const sample = async (seed: number) =>
  (await outcomeOf(own.datasets.generateSample({ seed, ...SIZE }, operator))).outcome.dataset!;
const goOn = async (continue_from: string, days_more: number) =>
  (await outcomeOf(own.datasets.continueSample({ continue_from, days_more }, operator))).outcome;
const serve = (version: string) => own.datasets.useDataset({ version, reason: '' }, operator);

const listingOf = ({ version }: Dataset) =>
  own.select(
    `SELECT * EXCEPT dataset_version FROM market.listing WHERE dataset_version = {version:String} ORDER BY ticker`,
    { version },
  );

describe('a generated market that ends in the past', () => {
  let base: Dataset;
  beforeAll(async () => {
    base = await sample(1);
  });

  test('goes on by one labelled day and keeps every earlier row', async () => {
    await serve(base.version);
    const { dataset, unchanged } = await goOn(base.version, 1);
    expect(unchanged).toBe(false);
    expect(dataset).toMatchObject({
      version: 'synthetic-20240613-1',
      kind: 'synthetic',
      source: `generator seed 1, 1 more day, added to ${base.version}`,
      first_date: base.first_date,
      trading_days: SIZE.days + 1,
      broker_data: 'synthetic',
      broker_last_date: '2024-06-13',
      generated: { edition: expect.any(Number) as number, seed: 1, tickers: 25, planned_days: 60 },
    });
    expect(await own.barsOf(dataset!, base.last_date)).toEqual(await own.barsOf(base));
    expect(await own.brokerRowsOf(dataset!, base.last_date)).toEqual(await own.brokerRowsOf(base));
    expect((await own.brokerRowsOf(dataset!)).length).toBeGreaterThan(base.broker_rows);
  });

  test('is the same whether days come one by one or at once, across the end of a month', async () => {
    await serve(base.version);
    let last = base;
    for (const days of [1, 7, 1, 6]) last = (await goOn(last.version, days)).dataset!;
    await serve(base.version);
    const atOnce = (await goOn(base.version, 15)).dataset!;
    expect(atOnce.last_date > '2024-07-01').toBe(true);
    expect(await own.barsOf(last)).toEqual(await own.barsOf(atOnce));
    expect(await own.brokerRowsOf(last)).toEqual(await own.brokerRowsOf(atOnce));
    expect(await listingOf(last)).toEqual(await listingOf(atOnce));
  });

  test('is not continued twice when a request is repeated', async () => {
    await serve(base.version);
    const { dataset } = await goOn(base.version, 2);
    expect(await goOn(base.version, 2)).toMatchObject({ dataset, unchanged: true });
    const { served_version } = await own.datasets.listDatasets({}, operator);
    expect(served_version).toBe(dataset!.version);
  });

  test('stays as long as it is when it is sampled again with the same settings', async () => {
    await serve(base.version);
    const { dataset } = await goOn(base.version, 3);
    expect((await sample(1)).version).toBe(dataset!.version);
  });
});

describe('what cannot be continued', () => {
  test('is a version that is not served', async () => {
    const older = await sample(2);
    const served = await sample(3);
    await expect(goOn(older.version, 1)).rejects.toMatchObject({
      code: 'import_rejected',
      message: `${older.version} cannot be continued, because ${served.version} is served. Continue that one.`,
    });
  });

  test('is a version that is not published', async () => {
    await expect(goOn('synthetic-20200101-9', 1)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('is a market with bars from a file', async () => {
    const base = await sample(4);
    const [{ ticker } = {}] = await own.select<{ ticker: string }>(
      `SELECT ticker FROM market.daily_bar WHERE dataset_version = {version:String} LIMIT 1`,
      { version: base.version },
    );
    const day = await tarGzOf({
      'day.csv': idxDayFile([{ ticker: ticker!, close: 500, date: '2024-06-13' }]),
    });
    const added = await own.importBytes(day, { kind: 'synthetic', header: { adds: true } });
    expect(added.dataset!.generated).toBeUndefined();
    await expect(goOn(added.dataset!.version, 1)).rejects.toMatchObject({
      code: 'import_rejected',
      message: expect.stringContaining('not all of its bars are generated') as string,
    });
  });
});

test('a market still continues after its broker rows were generated with another seed', async () => {
  await sample(6);
  const { outcome } = await outcomeOf(own.datasets.synthesizeBrokers({ seed: 9 }, operator));
  const { dataset } = await goOn(outcome.dataset!.version, 1);
  expect(dataset).toMatchObject({ broker_seed: 9, broker_last_date: dataset!.last_date });
  expect(await own.brokerRowsOf(dataset!, SIZE.last_date)).toEqual(await own.brokerRowsOf(outcome.dataset!));
});
