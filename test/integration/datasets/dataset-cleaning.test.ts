import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadPanel } from '#market-reader/read-panel.ts';
import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { readArrow } from '#platform/clickhouse/clickhouse-arrow.ts';
import { anybody } from '#support/services/dataset-client.ts';
import { REPOSITORY } from '#support/repository.ts';
import { idxDayFile, idxFile, weekdays, type IdxDay } from '#support/markets/idx-archive.ts';
import { testMarketData } from '#support/services/test-market-data.ts';
import { needing, THE_REAL_MARKET } from '#support/needing.ts';

const REAL_ARCHIVE = path.join(REPOSITORY, '../shared/data/idx-daily.tar.gz');

/** Stock, ex-day, and the day on which the new shares were listed. */
const LISTED_LATE = [
  'FMII 2023-07-07 2023-07-28',
  'FMII 2023-11-07 2023-11-20',
  'IMPC 2023-06-19 2023-07-07',
  'LIFE 2019-09-16 2019-09-26',
  'LPGI 2022-07-11 2022-08-03',
  'MEGA 2022-03-10 2022-03-24',
  'SGER 2021-08-26 2021-09-06',
  'SGER 2022-06-30 2022-07-15',
  'SGER 2023-11-09 2023-12-01',
  'SGER 2024-05-28 2024-06-14',
];

const own = testMarketData();

describe('a valid archive', () => {
  const [first, second] = weekdays('2024-03-04', 2) as [string, string];

  test('may have dates in both formats, and empty fields', async () => {
    const { bars } = await own.published([
      { date: first, close: 100 },
      { date: `${second}T00:00:00`, close: 101, previous: 100, foreign_buy: '', non_regular_value: '' },
    ]);
    expect(bars.map(({ date }) => date)).toEqual([first, second]);
  });

  test('keeps a suspended day with its carried-over close and its negotiated trades', async () => {
    const { bars } = await own.published([
      { date: first, close: 100 },
      {
        date: second,
        close: 100,
        volume: 0,
        high: 0,
        low: 0,
        non_regular_volume: 500,
        non_regular_value: 45_000,
      },
    ]);
    const carried = { open: 100, high: 100, low: 100, close: 100, volume: 0, value: 0 };
    expect(bars[1]).toMatchObject({ date: second, ...carried, nego_volume: 500, nego_value: 45_000 });
    expect((await own.market.getQuotes({ tickers: ['AAAA'] }, anybody)).quotes).toEqual({});
  });

  test('may have the noise of binary fractions, which is not stored, while half a rupiah is', async () => {
    const { bars, rejections } = await own.published([
      { date: '2024-03-04', close: 9_950, high: '9949.999999999998', low: '9925.000000000002' },
      { date: '2024-03-05', close: 100, high: 100, low: '100.00000000000001', bid: '98.99999999999999' },
      { date: '2024-03-06', close: '100.5', high: '100.49999999999999', low: '100.50000000000001' },
      { date: '2024-03-07', close: 100, volume: '999.9999999999', foreign_buy: '1000.0000000001' },
      { date: '2024-03-08', close: 100, volume: '1e-12', value: '1e-9', frequency: 0, high: 0, low: 0 },
    ]);
    expect(rejections).toEqual([]);
    expect(bars).toMatchObject([
      { high: 9_950, low: 9_925, close: 9_950 },
      { high: 100, low: 100, close: 100, bid: 99 },
      { high: 100.5, low: 100.5, close: 100.5 },
      { volume: 1_000, foreign_buy: 1_000 },
      { volume: 0, value: 0 },
    ]);
  });

  test('gets a missing open from the reference price, clamped to the day’s range', async () => {
    const day = { high: 110, low: 90, close: 100 };
    const { bars } = await own.published([
      { date: '2024-03-04', ...day, previous: 95 },
      { date: '2024-03-05', ...day, previous: 120 },
      { date: '2024-03-06', ...day, previous: 80 },
      { date: '2024-03-07', ...day, previous: 80, open_price: 105 },
    ]);
    expect(bars.map(({ open }) => open)).toEqual([95, 110, 90, 105]);
  });
});

test('bids are what the source says: a price, 0 where nobody bid, and nothing where it says nothing', async () => {
  const [first, second, third] = weekdays('2024-03-04', 3) as [string, string, string];
  const day = { close: 100 };
  const { version } = await own.published(
    [
      { date: first, ...day, bid: 99 },
      { date: second, ...day, bid: 0 },
      { date: third, ...day, bid: 0 },
    ],
    {
      'bars/BBBB.csv': idxFile(
        [first, second, third].map((date) => ({ date, ...day, ...(date === second && { bid: 95 }) })),
      ),
    },
  );
  const bids = async (of: string, on = version) => {
    const panel = await loadPanel((sql, params) => readArrow(own.sql, sql, params), on);
    const ticker = panel.tickerIndex(of);
    return [...panel.columns.bid.subarray(panel.firstRow(ticker), panel.endRow(ticker, panel.dayCount))];
  };
  // Nobody bids for anything on the third day, so the source does not say.
  expect(await bids('AAAA')).toEqual([99, 0, NaN]);
  expect(await bids('BBBB')).toEqual([NaN, 95, NaN]);
  const added = await own.addFiles({
    'days/next.csv': idxDayFile([{ ticker: 'AAAA', date: '2024-03-07', ...day, bid: 98 }]),
  });
  expect(await bids('AAAA', added.dataset!.version)).toEqual([99, 0, NaN, 98]);
});

describe('corporate actions', () => {
  const days = weekdays('2024-01-08', 6);

  test('a split adjusts earlier prices and volumes, but not values', async () => {
    const { bars } = await own.published([
      { date: days[0]!, close: 36_600, listed_shares: 1_000_000 },
      { date: days[1]!, close: 7_500, previous: 7_325, listed_shares: 5_000_000 },
      { date: days[2]!, close: 7_500, previous: 7_500, listed_shares: 5_000_000 },
    ]);
    expect(bars.map(({ factor }) => factor)).toEqual([1, 0.2, 1]);
    expect(bars.map(({ share_factor }) => share_factor)).toEqual([1, 0.2, 1]);
    const { ohlcv } = await own.market.getSnapshot({ ticker: 'AAAA', days: 3 }, anybody);
    expect(ohlcv[0]).toMatchObject({ close: 7_320, volume: 5_000, value: 36_600_000 });
    expect(ohlcv[1]).toMatchObject({ close: 7_500, volume: 1_000, value: 7_500_000, change_pct: 2.3891 });
  });

  test.each([
    ['BBNI', 10_375, 5_200, 2],
    ['BMRI', 10_525, 5_250, 2],
    ['MITI', 51, 127, 0.4],
    ['ERAA', 2_610, 520, 5],
  ])(
    'the split of %s has the ratio of the shares, and the day’s change is against the rounded reference price',
    async (_, close, previous, ratio) => {
      const { bars } = await own.published([
        { date: days[0]!, close, listed_shares: 1_000_000 },
        { date: days[1]!, close: previous + 5, previous, listed_shares: 1_000_000 * ratio },
      ]);
      expect(bars[1]).toMatchObject({ previous, factor: 1 / ratio, share_factor: 1 / ratio });
      const { ohlcv } = await own.market.getSnapshot({ ticker: 'AAAA', days: 2 }, anybody);
      expect(ohlcv[0]!.close * ohlcv[0]!.volume).toBeCloseTo(ohlcv[0]!.value, 6);
      expect(ohlcv[1]!.change_pct).toBeCloseTo((100 * 5) / previous, 4);
    },
  );

  test.each([
    [
      'a split together with rights restates prices by what the reference price says',
      1_000,
      460,
      [0.46, 0.5],
    ],
    ['a rights issue adjusts prices only, even when the listed shares grow', 1_000, 800, [0.8, 1]],
  ])('%s', async (_, close, previous, [factor, share_factor]) => {
    const { bars } = await own.published([
      { date: days[0]!, close, listed_shares: 1_000_000 },
      { date: days[1]!, close: previous, previous, listed_shares: 2_000_000 },
    ]);
    expect(bars[1]).toMatchObject({ factor, share_factor });
  });

  test('a price change over missing days is no corporate action, unless the shares confirm a split', async () => {
    const other = idxFile(days.map((date) => ({ date, close: 10 })));
    const { bars } = await own.published(
      [
        { date: days[0]!, close: 400 },
        { date: days[2]!, close: 460, previous: 466 },
        { date: days[4]!, close: 240, previous: 240, listed_shares: 2_000_000 },
      ],
      { 'bars/OTHR.csv': other },
    );
    expect(bars.map(({ factor }) => factor)).toEqual([1, 1, 0.5]);
    expect(bars.map(({ share_factor }) => share_factor)).toEqual([1, 1, 0.5]);
  });

  describe('around a trading day of which no stock has a row', () => {
    const HOLE = '2024-07-03';
    const DAYS = ['2024-07-01', '2024-07-02', HOLE, '2024-07-04', '2024-07-05'];
    const previous = [1_000, 1_000, 1_050, 1_150, 1_160];
    const closes = [1_000, 1_050, 1_150, 1_160, 1_170];
    /** What the exchange says of three stocks: one that moves, one that stands, and one that is split on the missing day. */
    const stocks: Record<string, (i: number) => Omit<IdxDay, 'date'>> = {
      AAAA: (i) => ({ close: closes[i]!, previous: previous[i]! }),
      BBBB: () => ({ close: 500 }),
      CCCC: (i) => (i < 2 ? { close: 800 } : { close: 400, listed_shares: 2_000_000 }),
    };
    const filesOf = (days: string[]) =>
      Object.fromEntries(
        Object.entries(stocks).map(([ticker, of]) => [
          `bars/${ticker}.csv`,
          idxFile(days.map((date) => ({ date, ...of(DAYS.indexOf(date)) }))),
        ]),
      );
    const without = filesOf(DAYS.filter((day) => day !== HOLE));
    const add = async (files: Record<string, string>) => (await own.addFiles(files)).dataset!;
    const restatedIn = ({ version }: Dataset) =>
      own.select(
        `SELECT ticker, date, factor, share_factor FROM market.daily_bar
         WHERE dataset_version = {version:String} AND (factor != 1 OR share_factor != 1)`,
        { version },
      );
    const SPLIT = [{ ticker: 'CCCC', date: '2024-07-04', factor: 0.5, share_factor: 0.5 }];

    test('nothing is restated but a split that the shares confirm, and a finding names the day', async () => {
      const { dataset, findings } = await own.importFiles(without);
      expect(dataset).toMatchObject({ trading_days: 4, missing_days: [HOLE] });
      const { freshness } = await own.datasets.getCurrentDataset({}, anybody);
      expect(freshness).toMatchObject({ missing_days: [HOLE], missing_day_count: 1 });
      expect(findings).toEqual([
        { finding: 'trading day of the exchange without any row', count: 1, first_at: HOLE },
      ]);
      expect(await restatedIn(dataset!)).toEqual(SPLIT);
      const { ohlcv } = await own.market.getSnapshot({ ticker: 'AAAA', days: 4 }, anybody);
      expect(ohlcv.map(({ close }) => close)).toEqual([1_000, 1_050, 1_160, 1_170]);
      expect((await own.market.listActions({ ticker: 'AAAA', limit: 9 }, anybody)).actions).toEqual([]);
    });

    test('everything is as if the day had never been missing once it has arrived', async () => {
      const whole = (await own.importFiles(filesOf(DAYS))).dataset!;
      await own.importFiles(without);
      const filled = await add(filesOf([HOLE]));
      expect(filled).toMatchObject({ trading_days: 5, missing_days: [] });
      expect(await own.barsOf(filled)).toEqual(await own.barsOf(whole));
    });

    test('rows that an earlier release took for neighbours are judged again with the next day', async () => {
      const { version } = (await own.importFiles(without)).dataset!;
      const change = (table: string, column: string, value: string, where: string) =>
        own.sql.command({
          query: `ALTER TABLE market.${table} UPDATE ${column} = ${value} WHERE ${where} SETTINGS mutations_sync = 2`,
        });
      await change('dataset', 'missing_days', '[]', `version = '${version}'`);
      await change('daily_bar', 'factor', '1.1', `dataset_version = '${version}' AND date = '2024-07-04'`);
      const next = await add({ 'bars/AAAA.csv': idxFile([{ date: '2024-07-08', close: 1_170 }]) });
      expect(next.missing_days).toEqual([HOLE]);
      expect(await restatedIn(next)).toEqual(SPLIT);
    });
  });

  test('an implausible reference price is ignored', async () => {
    const { bars } = await own.published([
      { date: days[0]!, close: 100 },
      { date: days[1]!, close: 100, previous: 1 },
    ]);
    expect(bars[1]).toMatchObject({ factor: 1, previous: 1 });
  });
});

/** The stocks that are restated on the next day if a day is missing for all of them, and were not before. */
async function restatedWithout(date: string, { version }: Dataset) {
  const bars = await own.select<{ ticker: string }>(
    'SELECT ticker FROM market.daily_bar WHERE dataset_version = {version:String} AND date = {date:Date}',
    { version, date },
  );
  // A day on which nothing trades is refused, and the rows that were there are dropped.
  const silent = bars.map(({ ticker }) => ({ ticker, date, close: 1, volume: 0 }));
  const other = { ticker: 'ZZZZ', date: '2024-06-28', close: 100 };
  const { dataset } = await own.addFiles({ 'day.csv': idxDayFile([...silent, other]) });
  expect(dataset!.missing_days).toEqual([date]);
  return own.select(
    `SELECT ticker FROM market.daily_bar
     WHERE dataset_version = {next:String} AND date > {date:Date} AND factor != 1 AND (ticker, date) NOT IN (
       SELECT ticker, date FROM market.daily_bar WHERE dataset_version = {version:String} AND factor != 1)`,
    { date, version, next: dataset!.version },
  );
}

describe('the real archive', needing(THE_REAL_MARKET, existsSync(REAL_ARCHIVE)), () => {
  test('is read completely: two system tests are rejected, known splits are found', async () => {
    const { dataset, rejections, elapsed_ms } = await own.importBytes(readFileSync(REAL_ARCHIVE));
    console.log(`926,216 rows in ${Math.round(elapsed_ms)} ms`);
    expect(dataset).toMatchObject({
      version: expect.stringMatching(/^real-20240628-\d+$/) as string,
      first_date: '2019-07-29',
      last_date: '2024-06-28',
      trading_days: 1_193,
      tickers: 931,
      bars: 925_488,
      rejected_rows: 728,
    });
    expect(rejections).toMatchObject([{ reason: 'not a trading day: a weekend', rows: 728 }]);
    const { version } = dataset!;
    const splits = await own.select<{ what: string; factor: number; share_factor: number }>(
      `SELECT concat(ticker, ' ', toString(date)) AS what, factor, share_factor FROM market.daily_bar
       WHERE dataset_version = {version:String} AND share_factor != 1`,
      { version },
    );
    // Of 19 the shares were listed 5 to 18 trading days after the ex-day.
    expect(splits).toHaveLength(57 + 19);
    expect(splits.filter(({ factor, share_factor }) => factor !== share_factor)).toEqual([]);
    const byName = Object.fromEntries(splits.map(({ what, share_factor }) => [what, share_factor]));
    for (const [what, ratio] of Object.entries({
      'BBCA 2021-10-13': 1 / 5,
      'BMRI 2023-04-04': 1 / 2,
      'BBNI 2023-10-06': 1 / 2,
      'UNVR 2020-01-02': 1 / 5,
      'BYAN 2022-12-02': 1 / 10,
      'BEKS 2020-12-10': 10,
      'IMPC 2023-06-19': 1 / 11,
      'LIFE 2019-09-16': 1 / 2,
      'LPGI 2022-07-11': 1 / 2,
      'SGER 2024-05-28': 7 / 25,
    })) {
      expect(byName[what], what).toBeCloseTo(ratio, 6);
    }
    const listed = await own.select<{ what: string }>(
      `SELECT concat(ticker, ' ', toString(date), ' ', toString(known_on)) AS what FROM market.late_factor
         WHERE dataset_version = {version:String} AND ticker IN ('FMII', 'IMPC', 'LIFE', 'LPGI', 'MEGA', 'SGER') ORDER BY what`,
      { version },
    );
    expect(listed.map(({ what }) => what)).toEqual(LISTED_LATE);
    const echoes = await own.select(
      `SELECT ticker FROM market.daily_bar
       WHERE dataset_version = {version:String} AND date IN ('2021-05-24', '2024-01-08') AND factor != 1`,
      { version },
    );
    expect(echoes).toEqual([]);
    const snapshot = await own.market.getSnapshot({ ticker: 'bbca', days: 250 }, anybody);
    expect(snapshot).toMatchObject({ date: '2024-06-28', is_partial: false, sector: 'Financials' });
    expect(snapshot.ohlcv).toHaveLength(250);
    expect(dataset!.missing_days).toEqual([]);
    expect(await restatedWithout('2021-11-30', dataset!)).toEqual([]);
  });
});
