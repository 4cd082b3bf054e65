import fc from 'fast-check';
import { expect, test } from 'vitest';
import { panelOf } from '#quant/panel/panel-fixture.ts';
import { sellersDominate } from './seller-filter.ts';

/** Three days of 1,000 shares at 100 each; foreign trades only on the last. */
function isDropped(foreign_buy: number, foreign_sell: number, dominance: number, days = 1): boolean {
  const dates = ['2024-06-26', '2024-06-27', '2024-06-28'];
  const bars = dates.map((date) => ({ ticker: 'TEST', date, close: 100, volume: 1_000 }));
  const panel = panelOf([...bars.slice(0, 2), { ...bars[2]!, foreign_buy, foreign_sell }]);
  return sellersDominate(panel, 0, 2, { days, dominance });
}

test('net foreign selling of more than a tenth of the value drops a stock, a tenth does not', () => {
  expect(isDropped(0, 101, 1)).toBe(true);
  expect(isDropped(0, 100, 1)).toBe(false);
});

test('two-sided foreign trading needs the dominance too', () => {
  expect(isDropped(300, 450, 1.5)).toBe(true);
  expect(isDropped(300, 449, 1.5)).toBe(false);
});

test('the same selling spread over a longer window weighs less', () => {
  expect(isDropped(0, 250, 1.5, 1)).toBe(true);
  expect(isDropped(0, 250, 1.5, 3)).toBe(false);
});

test('a stock that is not dropped is not dropped at a higher dominance either', () => {
  const shares = fc.integer({ min: 0, max: 1_000 });
  const dominance = fc.double({ min: 1, max: 5, noNaN: true });
  fc.assert(
    fc.property(shares, shares, dominance, dominance, (buy, sell, a, b) => {
      const [lower, higher] = [Math.min(a, b), Math.max(a, b)];
      if (!isDropped(buy, sell, lower)) expect(isDropped(buy, sell, higher)).toBe(false);
    }),
  );
});

test('a stock that did not trade is not dropped', () => {
  const panel = panelOf([{ ticker: 'TEST', date: '2024-06-28', close: 100, volume: 0 }]);
  expect(sellersDominate(panel, 0, 0, { days: 1, dominance: 1 })).toBe(false);
});
