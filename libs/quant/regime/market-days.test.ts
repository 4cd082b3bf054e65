import { describe, expect, test } from 'vitest';
import { panelOf, dailyBars, type BarFixture } from '../panel/panel-fixture.ts';
import { averageDailyValue } from '../panel/windows.ts';
import { LIQUID_VALUE_IDR, TrailingValue } from '../universe/liquidity.ts';
import { marketDays } from './market-days.ts';
import { syntheticBars } from '../panel/generated-bars-fixture.ts';

const BILLION = 1e9;

/** A stock with `closes` on consecutive days. It is liquid unless `special` sets a value. */
function stock(ticker: string, closes: number[], special: (day: number) => Partial<BarFixture> = () => ({})) {
  const bar = (day: number) => ({ close: closes[day]!, value: 2 * BILLION, ...special(day) });
  return dailyBars(closes.length, bar, { ticker });
}

const constant = (days: number, close: number): number[] => Array.from({ length: days }, () => close);

describe('the index', () => {
  test('weights each return by listed shares times the previous close', () => {
    const { indexReturn } = marketDays(
      panelOf([
        ...stock('BIGG', [...constant(20, 100), 110], () => ({ listed_shares: 3_000 })),
        ...stock('TINY', [...constant(20, 200), 190], () => ({ listed_shares: 500 })),
      ]),
    );
    expect(indexReturn[20]).toBeCloseTo((300_000 * 0.1 + 100_000 * -0.05) / 400_000, 12);
    expect([...indexReturn.slice(0, 20)]).toEqual(constant(20, 0));
  });

  test('includes a name by its value up to the previous day, so a surge day does not count', () => {
    const surging = stock('SRGE', [...constant(20, 100), 125, 150], (day) => ({
      value: day === 20 ? 100 * BILLION : 1_000,
    }));
    const { indexReturn } = marketDays(panelOf(surging));
    expect(indexReturn[20]).toBe(0);
    expect(indexReturn[21]).toBeCloseTo(0.2, 12);
  });

  test('ignores corporate actions and skips suspended names', () => {
    const split = stock('SPLT', [...constant(20, 1_000), 200, 210], (day) =>
      day === 20 ? { factor: 0.2, share_factor: 0.2 } : {},
    );
    const idle = stock('IDLE', constant(22, 50), (day) => (day >= 20 ? { volume: 0, value: 0 } : {}));
    const { indexReturn } = marketDays(panelOf([...idle, ...split]));
    expect(indexReturn[20]).toBeCloseTo(0, 12);
    expect(indexReturn[21]).toBeCloseTo(0.05, 12);
  });
});

describe('breadth', () => {
  test('counts liquid names that traded and have enough history, and those above their average', () => {
    const { withMa20, aboveMa20, withMa50, aboveMa50 } = marketDays(
      panelOf([
        ...stock('DOWN', [...constant(50, 100), 90]),
        ...stock('FLAT', constant(51, 100)),
        ...stock('IDLE', constant(51, 100), (day) => (day === 50 ? { volume: 0, value: 0 } : {})),
        ...stock('POOR', [...constant(50, 100), 110], () => ({ value: 0.9 * BILLION })),
        ...stock('RISE', [...constant(50, 100), 110]),
      ]),
    );
    expect([withMa20[18], withMa20[19], withMa50[48], withMa50[49]]).toEqual([0, 4, 0, 4]);
    expect([withMa20[50], aboveMa20[50]]).toEqual([3, 1]);
    expect([withMa50[50], aboveMa50[50]]).toEqual([3, 1]);
    expect(aboveMa20[49]).toBe(0);
  });
});

test('the trailing value matches the average daily value on every day', () => {
  const panel = panelOf(syntheticBars({ seed: 3, tickers: 8, days: 60 }));
  let liquid = 0;
  for (let ticker = 0; ticker < panel.tickerCount; ticker++) {
    const trailing = new TrailingValue(panel, ticker);
    for (let day = 0; day < panel.dayCount; day++) {
      const average = trailing.upTo(day);
      if (average >= LIQUID_VALUE_IDR) liquid++;
      expect(average).toBeCloseTo(averageDailyValue(panel, ticker, day, 20) ?? -1, 6);
    }
  }
  expect(liquid).toBeGreaterThan(0);
});
