import { expect, test } from 'vitest';
import { idxFile, weekdays, type IdxDay } from '#support/markets/idx-archive.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { testImporter } from '#support/services/test-importer.ts';

const own = testImporter();
const DAYS = weekdays('2021-11-01', 44);
const [first, second, third] = DAYS as [string, string, string];
const AFTER = '2022-01-03';
const RETRIEVED_AT = new Date('2026-11-19T12:00:00Z');
const VENDOR = { by: 'vendor', retrievedAt: RETRIEVED_AT, rank: 1 };
const EXCHANGE = { by: 'exchange', retrievedAt: RETRIEVED_AT, rank: 0 };

const exchangeDay = (date: string, close = 1_000): IdxDay => ({
  ...{ date, close, previous: close - 5, open_price: close, frequency: 40, listed_shares: 5_000_000 },
  ...{ foreign_buy: 300, foreign_sell: 100, bid: close - 1 },
  ...{ non_regular_volume: 50, non_regular_value: 49_000, non_regular_frequency: 2 },
});
/** A day of a vendor who has prices alone. */
const vendorDay = (date: string, close = 1_000): IdxDay => ({
  ...{ date, close, previous: '', open_price: '', frequency: '', listed_shares: '', bid: '' },
  ...{ foreign_buy: '', foreign_sell: '' },
  ...{ non_regular_volume: '', non_regular_value: '', non_regular_frequency: '' },
});

/** The bars of BBBB by day, with their sources by group. With `mayRestate`, the source may restate these days. */
async function afterAdding(days: IdxDay[], said: typeof VENDOR, { adds = true, mayRestate = false } = {}) {
  const restates = mayRestate ? { from: first, to: days.at(-1)!.date } : undefined;
  const files = { 'bars/BBBB.csv': idxFile(days) };
  const { dataset, unchanged } = await own.import(files, { adds, said, restates });
  const bars = (await own.bars(dataset!)).filter(({ ticker }) => ticker === 'BBBB');
  const origins = await clickhouseRows<{ date: string; said: [string, string][] }>(
    own.sql,
    `SELECT date, groupArray((group_name, source)) AS said FROM market.daily_bar AS bar
     INNER JOIN market.bar_origin AS origin USING (dataset_version, origin)
     WHERE dataset_version = {version:String} AND ticker = 'BBBB' GROUP BY date`,
    { version: dataset!.version },
  );
  const of = (day: string) => ({
    ...bars.find(({ date }) => date === day),
    said: Object.fromEntries(origins.find(({ date }) => date === day)!.said) as Record<string, string>,
  });
  return { of, unchanged, all: await own.bars(dataset!) };
}

test('an empty field is not said, and a written zero is zero', async () => {
  const half = { date: third, close: 100, foreign_buy: '', foreign_sell: 10, non_regular_value: '' };
  const { all } = await afterAdding([{ date: first, close: 100 }, vendorDay(second), half], VENDOR, {
    adds: false,
  });
  const unsaid = {
    foreign_buy: null,
    foreign_sell: null,
    nego_volume: null,
    nego_value: null,
    nego_frequency: 0,
  };
  expect(all).toMatchObject([
    { foreign_buy: 0, foreign_sell: 0, nego_volume: 0, nego_value: 0, nego_frequency: 0 },
    { ...unsaid, previous: 0, listed_shares: 0, frequency: 0, bid: null },
    { ...unsaid, previous: 100 },
  ]);
});

test('a source of prices alone keeps what a richer one said, and each value names its source', async () => {
  const file = idxFile(DAYS.map((day) => exchangeDay(day)));
  const files = Object.fromEntries(['AAAA', 'BBBB', 'CCCC'].map((ticker) => [`bars/${ticker}.csv`, file]));
  const { dataset } = await own.import(files, { adds: false, said: EXCHANGE });
  const before = await own.bars(dataset!);
  const added = await afterAdding(
    [...DAYS, AFTER].map((day) => vendorDay(day, 990)),
    VENDOR,
  );
  expect(added.all.filter(({ date }) => date !== AFTER)).toEqual(before);
  expect(added.of(first).said).toMatchObject({ prices: 'exchange', foreign: 'exchange', bid: 'exchange' });
  expect(added.of(AFTER)).toMatchObject({ close: 990, previous: 0, foreign_buy: null });
  expect(added.of(AFTER).said).toEqual({ prices: 'vendor' });

  const asHigh = await afterAdding([vendorDay(second, 980)], { ...VENDOR, rank: 0 }, { mayRestate: true });
  const rest = { previous: 995, frequency: 40, foreign_buy: 300, nego_value: 49_000, bid: 999 };
  expect(asHigh.of(second)).toMatchObject({ close: 980, ...rest, listed_shares: 5_000_000 });
  expect(asHigh.of(second).said).toMatchObject({
    prices: 'vendor',
    previous: 'exchange',
    foreign: 'exchange',
  });

  // Only a source that ranks higher needs no leave to say something else.
  const newest = { close: 1_000, previous: 995, foreign_buy: 300 };
  expect((await afterAdding([exchangeDay(AFTER)], EXCHANGE)).of(AFTER)).toMatchObject(newest);
  const lower = await afterAdding([vendorDay(AFTER, 970)], VENDOR);
  expect(lower.unchanged).toBe(true);
  expect(lower.of(AFTER)).toMatchObject(newest);
});

test('what two sources say must be possible together', async () => {
  await afterAdding([{ ...exchangeDay(first), foreign_buy: 900 }, exchangeDay(second)], EXCHANGE, {
    adds: false,
  });
  const days = [
    { ...vendorDay(first), volume: 500 },
    { ...vendorDay(second), volume: 0 },
  ];
  expect((await afterAdding(days, EXCHANGE, { mayRestate: true })).all).toMatchObject([
    { volume: 500, foreign_buy: null, foreign_sell: null, frequency: 40 },
    { volume: 0, foreign_buy: null, frequency: 0 },
  ]);
});

test('a split is recognised by the listed shares said last, across days of prices alone', async () => {
  const split = { ...exchangeDay(third, 505), previous: 500, listed_shares: 10_000_000 };
  const half = { factor: 0.5, share_factor: 0.5 };
  const days = [exchangeDay(first), vendorDay(second)];
  expect((await afterAdding([...days, split], EXCHANGE, { adds: false })).of(third)).toMatchObject(half);
  await afterAdding(days, EXCHANGE, { adds: false });
  expect((await afterAdding([split], EXCHANGE)).of(third)).toMatchObject(half);
});
