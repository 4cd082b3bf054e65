import { Table, Utf8, vectorFromArray, type RecordBatch } from 'apache-arrow';
import { describe, expect, test } from 'vitest';
import { barBatch } from '#quant/panel/panel-fixture.ts';
import {
  BARS_SQL,
  COUNT_SQL,
  LATE_FACTORS_SQL,
  LISTING_SQL,
  loadPanel,
  MISSING_DAYS_SQL,
} from './read-panel.ts';
import { ROW_COLUMN_NAMES } from '#quant/panel/panel-columns.ts';

const BARS = [
  { ticker: 'AAAA', date: '2024-01-02', close: 100 },
  { ticker: 'BBBB', date: '2024-01-02', close: 700 },
  { ticker: 'BBBB', date: '2024-01-03', close: 710 },
];

const WITH_HOLES = ['2024-01-03', '2024-01-08', '2024-01-10'].map((date) => ({
  ticker: 'AAAA',
  date,
  close: 1,
}));

const TEXT = new Utf8();
const LISTING = new Table({
  ticker: vectorFromArray(['AAAA', 'BBBB'], TEXT),
  name: vectorFromArray(['A Tbk', 'B Tbk'], TEXT),
  sector: vectorFromArray(['Energy', ''], TEXT),
  board: vectorFromArray(['Utama', 'Utama'], TEXT),
  listed_on: vectorFromArray(['2001-02-03', null], TEXT),
});

const ANSWERS: Record<string, RecordBatch[]> = {
  [COUNT_SQL]: new Table({ row_count: vectorFromArray(Uint32Array.of(3)) }).batches,
  [BARS_SQL]: [barBatch(BARS.slice(0, 2)), barBatch(BARS.slice(2))],
  [LISTING_SQL]: LISTING.batches,
};

describe('loadPanel', () => {
  test('uses one version in every query and joins bars with listing', async () => {
    const versions: unknown[] = [];
    const panel = await loadPanel(async function* (sql, params) {
      versions.push(params);
      yield* ANSWERS[sql] ?? [];
    }, '2024-01-03.1');
    expect(versions).toEqual(Array(5).fill({ version: '2024-01-03.1', until: '2149-06-06' }));
    expect(panel.columns.tickers).toEqual(['AAAA', 'BBBB']);
    expect([...panel.columns.close]).toEqual([100, 700, 710]);
    expect(panel.columns.listing.name).toEqual(['A Tbk', 'B Tbk']);
    expect(panel.columns.listing.listed_on).toEqual(['2001-02-03', null]);
  });

  test('reads what applied on a bar before its action was known, and the first day of the dataset that knew it', async () => {
    const late = (date: string, known_on: string) =>
      new Table({
        ticker: vectorFromArray(['BBBB'], TEXT),
        date: vectorFromArray([date], TEXT),
        known_on: vectorFromArray([known_on], TEXT),
        factor: vectorFromArray(Float64Array.of(0.5)),
        share_factor: vectorFromArray(Float64Array.of(0.25)),
      }).batches;
    const knownDayOf = async (date: string, known_on: string) => {
      const answers: typeof ANSWERS = { ...ANSWERS, [LATE_FACTORS_SQL]: late(date, known_on) };
      const panel = await loadPanel(async function* (sql) {
        yield* answers[sql] ?? [];
      }, 'v1');
      return panel.columns.late_factors;
    };
    const was = { row: 1, factor: 0.5, share_factor: 0.25 };
    expect(await knownDayOf('2024-01-02', '2024-01-03')).toEqual([{ ...was, knownDay: 1 }]);
    expect(await knownDayOf('2024-01-02', '2024-01-08')).toEqual([{ ...was, knownDay: 2 }]);
  });

  test('says before which days the exchange had days that no row is of, and nothing where there are none', async () => {
    const gapsOf = async (...days: string[]) => {
      const missing = new Table({ day: vectorFromArray(days, TEXT) }).batches;
      const answers: typeof ANSWERS = {
        ...ANSWERS,
        [BARS_SQL]: [barBatch(WITH_HOLES)],
        [MISSING_DAYS_SQL]: missing,
      };
      const panel = await loadPanel(async function* (sql) {
        yield* answers[sql] ?? [];
      }, 'v1');
      return panel.columns.gaps;
    };
    expect(await gapsOf('2024-01-04', '2024-01-05', '2024-01-09')).toEqual([1, 2]);
    expect(await gapsOf()).toBeUndefined();
  });

  test('returns a panel without rows for an unknown version', async () => {
    const panel = await loadPanel(async function* () {}, 'none');
    expect([panel.tickerCount, panel.dayCount, panel.rowCount]).toEqual([0, 0, 0]);
  });

  test('reads every column the panel holds', () => {
    for (const name of [...ROW_COLUMN_NAMES, 'factor', 'share_factor']) {
      if (name !== 'day') expect(BARS_SQL).toMatch(new RegExp(`\\b${name}\\b`));
    }
  });
});
