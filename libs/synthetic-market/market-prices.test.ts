import { describe, expect, test } from 'vitest';
import { confluenceSeries, readConfluence } from '#quant/indicators/confluence.ts';
import { correlation, lagged, LIQUID, logReturnsOf, mean, median } from './market-fixture.ts';

/**
 * Habits the invented market must share with the real one, within bounds that held for every seed tried
 * (1 to 11). Reference values: daily bars of the real exchange, 2019-2025.
 */
describe('prices of a synthetic market of default size', () => {
  test('have fat tails', () => {
    const kurtosis = LIQUID.map(({ bars: { close } }) => {
      const returns = logReturnsOf(close);
      const square = mean(returns.map((value) => value ** 2));
      return mean(returns.map((value) => value ** 4)) / square ** 2;
    });
    expect(median(kurtosis)).toBeGreaterThan(5);
  });

  test('have clustered volatility but no trend from one day to the next', () => {
    const returns = LIQUID.map(({ bars: { close } }) => logReturnsOf(close));
    const sizes = returns.map((values) => values.map(Math.abs));
    expect(median(sizes.map((values) => lagged(values, 1)))).toBeGreaterThan(0.06);
    expect(median(sizes.map((values) => lagged(values, 5)))).toBeGreaterThan(0.02);
    expect(Math.abs(median(returns.map((values) => lagged(values, 1))))).toBeLessThan(0.045);
  });

  test('move together, and more so within a sector', () => {
    const byDay = LIQUID.map(({ bars: { date, close }, sector }) => {
      const returns = logReturnsOf(close);
      return { sector, of: new Map(returns.map((value, i) => [date[i + 1]!, value])) };
    });
    const pairs: { same: boolean; value: number }[] = [];
    for (let i = 0; i < byDay.length; i++) {
      for (let j = 0; j < i; j++) {
        const [a, b] = [byDay[i]!, byDay[j]!];
        const days = [...a.of.keys()].filter((day) => b.of.has(day));
        const value = correlation(
          days.map((day) => a.of.get(day)!),
          days.map((day) => b.of.get(day)!),
        );
        pairs.push({ same: a.sector === b.sector, value });
      }
    }
    const meanOf = (same: boolean) =>
      mean(pairs.filter((pair) => pair.same === same).map((pair) => pair.value));
    expect(meanOf(false)).toBeGreaterThan(0.05);
    expect(meanOf(false)).toBeLessThan(0.25);
    expect(meanOf(true)).toBeGreaterThan(meanOf(false) + 0.02);
  });

  test('come with more trading on days that move more', () => {
    const values = LIQUID.map(({ bars: { close, value } }) =>
      correlation(
        logReturnsOf(close).map(Math.abs),
        Array.from(value.subarray(1), (amount) => Math.log(amount)),
      ),
    );
    expect(median(values)).toBeGreaterThan(0.3);
  });

  test('give 15 to 27 % of liquid names two or more confluence signals in five days, like the real 23 %', () => {
    let [names, withTwo] = [0, 0];
    for (const { bars: series } of LIQUID) {
      const confluence = confluenceSeries(series);
      for (let bar = 120; bar < series.close.length; bar++) {
        names++;
        if (readConfluence(confluence, bar, 5).count >= 2) withTwo++;
      }
    }
    expect(withTwo / names).toBeGreaterThan(0.15);
    expect(withTwo / names).toBeLessThan(0.27);
  });
});
