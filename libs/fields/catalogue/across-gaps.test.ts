import { beforeAll, describe, expect, test } from 'vitest';
import { Panel } from '#quant/panel/panel.ts';
import type { BarFixture } from '#quant/panel/panel-fixture.ts';
import { Random } from '#quant/random.ts';
import { snapshotFeatures } from '#quant/snapshot/snapshot-features.ts';
import { valueAt, type MarketColumns } from '../evaluation/market-columns.ts';
import { marketColumns } from './columns.ts';
import { FACT_FIELDS, inputsOf, listedPanel, marketBars, SNAPSHOT_FIGURES } from './market-fixture.ts';
import type { FieldInputs } from '../values/stock.ts';

const NAMES = [...FACT_FIELDS.keys()];
const SAYS_SO = /window reaches across a trading day/;
const WINDOWS = NAMES.filter((name) => SAYS_SO.test(FACT_FIELDS.get(name)!.nullMeans.en));
/** A missing day changes them for ever a little, since they never forget. */
const RECURSIVE = /^(ema_|rsi_|macd|atr_|confluence_|turning_)/;
const SEED = 11;
/** Columns begin here, and one and two days are missing at random places after it. */
const FIRST_DAY = 230;

describe('where days are missing', () => {
  let bars: BarFixture[];
  let missing: Set<string>;
  let gapped: FieldInputs;
  /** The rule, the same rows without it, and the market with the days that are missing. */
  let [aware, unaware, whole]: MarketColumns[] = [];
  /** For each day of the columns: the day of those of the whole market. */
  let dayInWhole: number[];

  const columnsOf = (of: FieldInputs) =>
    marketColumns(NAMES, of, { firstDay: FIRST_DAY, lastDay: of.panel.dayCount - 1 }, FACT_FIELDS);

  beforeAll(() => {
    bars = marketBars({ seed: SEED, tickers: 7, days: 330 });
    const dates = [...new Set(bars.map(({ date }) => date))].sort();
    const actions = new Set(bars.filter(({ factor }) => factor !== 1).map(({ date }) => date));
    const random = new Random(SEED);
    const runs = [1, 2].map((days) => {
      const at = FIRST_DAY + 30 * days - 25 + (random.uint32() % 20);
      return dates.slice(at, at + days).filter((date) => !actions.has(date));
    });
    missing = new Set(runs.flat());
    const kept = bars.filter(({ date }) => !missing.has(date));
    const known = dates.filter((date) => !missing.has(date));
    const gaps = [...new Set(Array.from(missing, (day) => known.findIndex((date) => date > day)))];
    gapped = inputsOf(kept, new Panel({ ...listedPanel(kept).columns, gaps }));
    [aware, unaware, whole] = [gapped, inputsOf(kept), inputsOf(bars)].map(columnsOf);
    dayInWhole = known.slice(FIRST_DAY).map((date) => dates.indexOf(date) - FIRST_DAY);
  });

  /** What each of the three says of a field, for every stock on every day. */
  function said(name: string) {
    const stocks = aware!.tickers.length;
    return Array.from({ length: dayInWhole.length * stocks }, (_, at) => {
      const [day, stock] = [Math.floor(at / stocks), at % stocks];
      const atInWhole = dayInWhole[day]! * stocks + stock;
      const [value, without] = [aware, unaware].map((columns) => valueAt(columns!.fields[name]!, at));
      const ofWhole = valueAt(whole!.fields[name]!, atInWhole);
      return { day, stock, value, without, ofWhole, atInWhole, isNulled: value === null && without !== null };
    });
  }

  test('a value is null, or that of a market that has the days; what no window makes stays', () => {
    expect(WINDOWS.length).toBeGreaterThan(90);
    const wrong = NAMES.filter((name) =>
      said(name).some(({ value, without, ofWhole, isNulled }) => {
        if (isNulled) return !WINDOWS.includes(name);
        const isExact = WINDOWS.includes(name) && !RECURSIVE.test(name);
        return value !== without || (isExact && value !== null && value !== ofWhole);
      }),
    );
    expect(wrong).toEqual([]);
  });

  test('a value is null no longer than the missing days would have had a part in it', () => {
    const altered = [
      { volume: 0, value: 0, foreign_buy: 0, foreign_sell: 0, nego_value: 0 },
      { close: 7, high: 9, low: 5, volume: 9e9, value: 6e12, foreign_buy: 8e9, nego_value: 9e12 },
      { close: 9e5, high: 9e5, low: 9e5, volume: 2, value: 18e5, foreign_buy: 0, foreign_sell: 1 },
    ].map((other) =>
      columnsOf(inputsOf(bars.map((bar) => (missing.has(bar.date) ? { ...bar, ...other } : bar)))),
    );
    // A streak reads 30 days at most, and few bars change how many of four signals there are.
    const names = WINDOWS.filter((name) => !/^(bandar_streak_days|confluence_signals)$/.test(name));
    const tooLong = names.filter((name) => {
      const nulled = said(name).filter(({ isNulled }) => isNulled);
      const onLastDay = nulled.filter(({ day }) => day === nulled.at(-1)!.day);
      const isPart = (of: (typeof nulled)[number]) =>
        altered.some(({ fields }) => valueAt(fields[name]!, of.atInWhole) !== of.ofWhole);
      return !onLastDay.some(isPart);
    });
    expect(tooLong).toEqual([]);
  });

  test('the snapshot follows the same rule', () => {
    for (const [figure, name] of SNAPSHOT_FIGURES) {
      if (FACT_FIELDS.get(name)!.needs.includes('broker_days')) continue;
      for (const { day, stock, value } of said(name).filter((_, at) => at % 23 === 0)) {
        const features = snapshotFeatures(gapped.panel, stock, FIRST_DAY + day);
        expect(features[figure] === null, name).toBe(value === null);
      }
    }
  });
});
