import fc from 'fast-check';
import { expect, test } from 'vitest';
import { floorPrice, roundToTick, tickSize } from '../exchange/exchange.ts';
import { priceLevels, stopToTick, targetToTick, tickPrices } from './price-levels.ts';

test('a stop is rounded down and a target up, but not by the error of binary fractions', () => {
  expect([stopToTick(8_122.5), targetToTick(8_122.5)]).toEqual([8_100, 8_125]);
  expect([stopToTick(100 * (1 - 0.07)), targetToTick(100 * (1 + 0.1))]).toEqual([93, 110]);
});

test('levels are free of binary rounding errors', () => {
  expect(priceLevels(2_620, { target_gain: 0.1, stop_loss: 0.05 })).toEqual({
    entry_low: 2_593.8,
    entry_high: 2_646.2,
    stop: 2_489,
    target: 2_882,
  });
});

test('tick prices are valid orders: entries within the range, target and stop no nearer than their levels', () => {
  const closes = fc.integer({ min: 50, max: 100_000 }).map(roundToTick);
  const barriers = fc.record({
    target_gain: fc.double({ min: 0.03, max: 0.3, noNaN: true }),
    stop_loss: fc.double({ min: 0.02, max: 0.15, noNaN: true }),
  });
  fc.assert(
    fc.property(closes, barriers, (close, barriers) => {
      const levels = priceLevels(close, barriers);
      const { entry_low, entry_high, stop, target } = tickPrices(levels, close, '2024-06-28');
      for (const price of [entry_low, entry_high, stop ?? 50, target]) {
        expect(price % tickSize(price)).toBe(0);
        expect(price).toBeGreaterThanOrEqual(floorPrice(close));
      }
      expect(entry_low).toBeLessThanOrEqual(close);
      expect(entry_high).toBeGreaterThanOrEqual(close);
      expect(entry_low).toBeGreaterThanOrEqual(levels.entry_low);
      expect(entry_high).toBeLessThanOrEqual(levels.entry_high);
      expect(target).toBeGreaterThanOrEqual(levels.target);
      expect(target - levels.target).toBeLessThan(tickSize(target));
      if (stop !== null) expect(stop).toBeLessThanOrEqual(levels.stop);
      else expect(levels.stop).toBeLessThan(50);
    }),
  );
});

test('tick prices are those of the analysed day', () => {
  const levels = priceLevels(300, { target_gain: 0.1, stop_loss: 0.05 });
  // A tick of 1 until May 2016, and of 2 since.
  expect(tickPrices(levels, 300, '2016-04-29')).toEqual({
    entry_low: 297,
    entry_high: 303,
    stop: 285,
    target: 330,
  });
  expect(tickPrices(levels, 300, '2016-05-02')).toEqual({
    entry_low: 298,
    entry_high: 302,
    stop: 284,
    target: 330,
  });
});
