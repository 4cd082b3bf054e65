import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryBars, panelOf } from './panel-fixture.ts';

const SPLIT = panelOf([
  { ticker: 'AAAA', date: '2024-01-02', close: 1000 },
  { ticker: 'AAAA', date: '2024-01-03', close: 1100 },
  { ticker: 'AAAA', date: '2024-01-05', close: 230, previous: 220, factor: 0.2, share_factor: 0.2 },
  { ticker: 'AAAA', date: '2024-01-08', close: 200, previous: 207, factor: 0.9 },
  { ticker: 'BBBB', date: '2024-01-04', close: 60 },
]);

describe('Panel', () => {
  test('prices before a 5:1 split and a rights issue are restated to the as-of day', () => {
    const [first, afterSplit, afterRights] = [0, 2, 3];
    expect(1000 * SPLIT.priceScale(first, first)).toBe(1000);
    expect(1000 * SPLIT.priceScale(first, afterSplit)).toBeCloseTo(200, 10);
    expect(1000 * SPLIT.priceScale(first, afterRights)).toBeCloseTo(180, 10);
    expect(SPLIT.shareScale(first, afterSplit)).toBeCloseTo(5, 10);
    expect(SPLIT.shareScale(first, afterRights)).toBeCloseTo(5, 10);
  });

  test('a date without trading resolves to the trading day before it', () => {
    expect(SPLIT.dayOnOrBefore('2024-01-07')).toBe(3);
    expect(SPLIT.dayOnOrBefore('2024-01-05')).toBe(3);
    expect(SPLIT.dayOnOrBefore('2030-01-01')).toBe(4);
    expect(SPLIT.dayOnOrBefore('2024-01-01')).toBe(-1);
  });

  test('unknown tickers and days before the listing give -1', () => {
    expect(SPLIT.tickerIndex('BBBB')).toBe(1);
    expect(SPLIT.tickerIndex('NONE')).toBe(-1);
    expect(SPLIT.lastRow(1, 1)).toBe(-1);
    expect([...SPLIT.rowsOn(2)]).toEqual([-1, 4]);
  });

  test('row look-ups agree with a scan of all rows', () => {
    fc.assert(
      fc.property(arbitraryBars, fc.nat(40), (bars, wantedDay) => {
        const panel = panelOf(bars);
        const day = Math.min(wantedDay, panel.dayCount - 1);
        const date = panel.columns.dates[day]!;
        panel.columns.tickers.forEach((ticker, index) => {
          const upTo = bars.filter((bar) => bar.ticker === ticker && bar.date <= date);
          expect(panel.endRow(index, day) - panel.firstRow(index)).toBe(upTo.length);
          const last = panel.lastRow(index, day);
          expect(last < 0 ? undefined : panel.columns.close[last]).toBe(upTo.at(-1)?.close);
          const exact = panel.rowAt(index, day);
          expect(exact >= 0).toBe(upTo.at(-1)?.date === date);
        });
      }),
    );
  });
});
