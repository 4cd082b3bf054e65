import { expect, test } from 'vitest';
import { panelOf, dailyBars } from '../panel/panel-fixture.ts';
import { shareBelowFloor } from './forward-path.ts';

const DAYS = 60;

/** Stocks at the floor, of which some fall to 40 after a number of days. */
function market(fallers: number, fallsAfter: number) {
  const bars = Array.from({ length: 10 }, (_, stock) =>
    dailyBars(DAYS, (day) => ({ close: stock < fallers && day >= fallsAfter ? 40 : 51 }), {
      ticker: `Q${stock}`,
    }),
  );
  return panelOf(bars.flat());
}

test('is the share of days near the floor after which a stock closed below it', () => {
  // Two of ten stocks fall on day 30: of the 41 days whose 20-day horizon is over, their days 10 to 29 end below.
  const panel = market(2, 30);
  const near = 8 * 40 + 2 * 30;
  expect(shareBelowFloor(panel, DAYS - 1, 20)).toBeCloseTo((2 * 20) / near, 1);
  expect(shareBelowFloor(market(0, 30), DAYS - 1, 20)).toBe(0);
});

test('reads no later day, and is 0 with too few days', () => {
  const panel = market(5, 30);
  expect(shareBelowFloor(panel, 29, 5)).toBe(shareBelowFloor(market(0, 30), 29, 5));
  expect(shareBelowFloor(panel, 20, 15)).toBe(0);
});
