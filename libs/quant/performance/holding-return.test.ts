import fc from 'fast-check';
import { expect, test } from 'vitest';
import { arbitraryBars, panelOf } from '../panel/panel-fixture.ts';
import { holdingReturn } from './holding-return.ts';

const bar = (day: number, close: number, factor = 1) => ({
  ticker: 'AAAA',
  date: `2024-07-0${day}`,
  close,
  factor,
  share_factor: factor,
});

test('a dividend belongs to whoever held the stock at the close before its ex-day', () => {
  const panel = panelOf([bar(1, 1_000), bar(2, 950), bar(3, 1_045)]);
  const dividends = new Map([[1, 50]]);
  const held = holdingReturn(panel, 0, 2, dividends);
  expect(held.price).toBeCloseTo(0.045, 12);
  expect(held.total).toBeCloseTo(1.045 * (1 + 50 / 950) - 1, 12);
  expect(held.dividends).toBe(50);
  expect(holdingReturn(panel, 1, 2, dividends)).toEqual({
    price: expect.closeTo(0.1, 9) as number,
    total: expect.closeTo(0.1, 9) as number,
    dividends: 0,
  });
});

test('a later split restates the sum of dividends and no return', () => {
  const panel = panelOf([bar(1, 1_000), bar(2, 1_000), bar(3, 200, 0.2)]);
  expect(holdingReturn(panel, 0, 2, new Map([[1, 50]]))).toEqual({
    price: expect.closeTo(0, 9) as number,
    total: expect.closeTo(0.05, 9) as number,
    dividends: expect.closeTo(10, 9) as number,
  });
});

test('property: without dividends both returns are one; with them the total is larger, and periods chain', () => {
  const cases = arbitraryBars.chain((bars) => {
    const panel = panelOf(bars);
    const rows = fc.tuple(fc.nat(), fc.nat(), fc.nat()).map((draws) => {
      const [first, count] = [panel.firstRow(0), panel.endRow(0, panel.dayCount - 1) - panel.firstRow(0)];
      return draws.map((draw) => first + (draw % count)).toSorted((a, b) => a - b) as [
        number,
        number,
        number,
      ];
    });
    const paid = fc.array(
      fc.tuple(fc.nat({ max: panel.rowCount - 1 }), fc.double({ min: 0.1, max: 500, noNaN: true })),
    );
    return fc.record({ panel: fc.constant(panel), rows, paid: paid.map((pairs) => new Map(pairs)) });
  });
  fc.assert(
    fc.property(cases, ({ panel, rows: [a, b, c], paid }) => {
      const none = holdingReturn(panel, a, c, new Map());
      expect(none.total).toBe(none.price);
      const [whole, first, second] = [
        holdingReturn(panel, a, c, paid),
        holdingReturn(panel, a, b, paid),
        holdingReturn(panel, b, c, paid),
      ];
      expect(whole.price).toBe(none.price);
      expect(whole.total).toBeGreaterThanOrEqual(whole.price);
      const chained = (1 + first.total) * (1 + second.total);
      expect((1 + whole.total) / chained).toBeCloseTo(1, 9);
    }),
  );
});
