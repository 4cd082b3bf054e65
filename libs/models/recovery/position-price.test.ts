import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { positionPrice } from './positions.ts';

const price = fc.integer({ min: 50, max: 100_000 });
const cents = (min: number, max: number) =>
  fc.integer({ min: min * 100, max: max * 100 }).map((c) => c / 100);

describe('profit or loss and average price', () => {
  test('are each derived from the other, up to rounding to two decimals', () => {
    fc.assert(
      fc.property(price, cents(-90, 500), (current, pnl_input) => {
        const { pnlPct, avgPrice } = positionPrice({ ticker: 'A', pnl_input }, current);
        expect(pnlPct).toBe(pnl_input);
        const back = positionPrice({ ticker: 'A', avg_price_input: avgPrice }, current);
        expect(back.avgPrice).toBe(avgPrice);
        const ofHalfACent = (100 * current * 0.005) / avgPrice ** 2;
        expect(Math.abs(back.pnlPct - pnl_input)).toBeLessThan(0.0051 + 1.1 * ofHalfACent);
      }),
    );
  });

  test('return the submitted number unchanged', () => {
    expect(positionPrice({ ticker: 'A', pnl_input: -12.3456 }, 1_000).pnlPct).toBe(-12.3456);
    expect(positionPrice({ ticker: 'A', avg_price_input: 1234.5678 }, 1_000).avgPrice).toBe(1234.5678);
  });

  test('are finite, with a positive average, at the extremes that the parameters allow', () => {
    fc.assert(
      fc.property(price, fc.constantFrom(-99.999999, -50, 0, 100_000), (current, pnl_input) => {
        const { avgPrice } = positionPrice({ ticker: 'A', pnl_input }, current);
        expect(avgPrice).toBeGreaterThan(0);
        expect(avgPrice).toBeLessThan(Infinity);
      }),
    );
    for (const avg_price_input of [0.01, 1e15]) {
      const { pnlPct } = positionPrice({ ticker: 'A', avg_price_input }, 100_000);
      expect(Number.isFinite(pnlPct)).toBe(true);
    }
  });
});

test.each([
  [2, 'winner'],
  [1.99, 'neutral'],
  [-1.99, 'neutral'],
  [-2, 'loser'],
])('a position of %d percent is a %s', (pnl_input, bucket) => {
  expect(positionPrice({ ticker: 'A', pnl_input }, 1_000).bucket).toBe(bucket);
});
