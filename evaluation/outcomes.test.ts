import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_SALE_WAIT_DAYS } from '#quant/labels/triple-barrier.ts';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { candidates } from '#quant/universe/candidates.ts';
import { derivedMarket } from '#models/inputs/market-in-memory.ts';
import { syntheticBars } from '#quant/panel/generated-bars-fixture.ts';
import { ClassFrequencies } from './recovery-study.ts';
import { picksOutcome } from '#quant/labels/picks-outcome.ts';
import { universeOf } from '#quant/statistics/pick-figures.ts';
import { dayOutcomes } from './day-outcomes.ts';

const DAYS = 260;
const BARRIERS = { targetGain: 0.1, stopLoss: 0.05, horizonDays: 20 };
/** The last day whose positions must have been sold. */
const LAST_JUDGED = DAYS - 1 - BARRIERS.horizonDays - MAX_SALE_WAIT_DAYS;
const tableOf = (bars: readonly BarFixture[]) => derivedMarket(panelOf(bars)).features();

let bars: BarFixture[];
let table: ReturnType<typeof tableOf>;
beforeAll(() => {
  bars = syntheticBars({ seed: 5, tickers: 40, days: DAYS });
  table = tableOf(bars);
});

describe('the outcomes of a day', () => {
  test('cover every name that a model could pick at the lowest floors', () => {
    const day = LAST_JUDGED;
    const names = candidates(table.panel, day).filter(
      ({ close, averageValue }) => close >= 50 && averageValue >= 100_000_000,
    );
    expect(names.length).toBeGreaterThan(5);
    expect(dayOutcomes(table, day, BARRIERS).map(({ code }) => code)).toEqual(names.map(({ code }) => code));
  });

  test('count a name as won when it reaches the target before the stop', () => {
    const day = LAST_JUDGED;
    for (const { code, close, won } of dayOutcomes(table, day, BARRIERS)) {
      const later = bars.filter((bar) => bar.ticker === code && bar.date > table.panel.columns.dates[day]!);
      const isRestated = later.some(({ factor }) => factor !== 1);
      if (isRestated) continue;
      const [first] = later.filter(
        ({ high, low, volume }) =>
          volume! > 0 && (high! >= close * 1.1 * (1 - 1e-9) || low! <= close * 0.95 * (1 + 1e-9)),
      );
      expect(won, code).toBe(first !== undefined && first.low! > close * 0.95 * (1 + 1e-9));
    }
  });

  test('are refused while a position may be open', () => {
    expect(() => dayOutcomes(table, LAST_JUDGED + 1, BARRIERS)).toThrow('not decided yet');
  });
});

test('the record of past picks gives the same outcomes and blind picks as the evaluation', () => {
  for (let day = 130; day <= LAST_JUDGED; day += 10) {
    const names = dayOutcomes(table, day, BARRIERS);
    // The lowest floors that any model accepts.
    const floors = { min_price: 50, min_daily_val: 100_000_000 };
    const picked = { day, tickers: names.map(({ code }) => code), barriers: BARRIERS, floors };
    const { picks, universe } = picksOutcome(table.panel, picked, DAYS - 1);
    const judged = picks.map(({ state, netReturn }) => ({
      filled: state !== 'unfilled',
      won: state === 'won',
      netReturn: netReturn ?? 0,
    }));
    expect(judged).toEqual(names.map(({ filled, won, netReturn }) => ({ filled, won, netReturn })));
    expect(universe).toEqual(universeOf(names.filter(({ filled }) => filled)));
  }
});

describe('the climatology', () => {
  const DAY = 200;

  test('does not depend on rows after its day', () => {
    const cut = table.panel.columns.dates[DAY]!;
    const poisoned = bars.map((bar) =>
      bar.date <= cut ? bar : { ...bar, high: 1e9, low: 1, close: bar.close * 7, factor: 1 },
    );
    for (const horizonDays of [10, 40]) {
      const known = new ClassFrequencies(table, horizonDays).knownOn(DAY);
      expect(new ClassFrequencies(tableOf(poisoned), horizonDays).knownOn(DAY)).toEqual(known);
      expect(known.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
    }
  });

  test('is the smoothed frequency of each class among liquid names whose horizon had ended', () => {
    const frequencies = new ClassFrequencies(table, 10);
    const came = Array.from({ length: DAY - 10 + 1 }, (_, day) => frequencies.namesOf(day)).flat();
    expect(came.length).toBeGreaterThan(100);
    const counts = [0, 1, 2, 3, 4].map((bucket) => came.filter((name) => name.came === bucket).length);
    const known = frequencies.knownOn(DAY);
    for (const [bucket, count] of counts.entries())
      expect(known[bucket]).toBeCloseTo((count + 1) / (came.length + 5), 12);
  });
});
