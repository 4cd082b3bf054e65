import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryBars, panelOf } from './panel-fixture.ts';
import { tradedSeries } from './traded-series.ts';

describe('tradedSeries', () => {
  test('leaves out days without trades but keeps a split that fell on one', () => {
    const panel = panelOf([
      { ticker: 'AAAA', date: '2024-01-02', close: 1000, volume: 300 },
      { ticker: 'AAAA', date: '2024-01-03', close: 200, volume: 0, factor: 0.2, share_factor: 0.2 },
      { ticker: 'AAAA', date: '2024-01-04', close: 210, high: 215, low: 195, open: 205, volume: 700 },
    ]);
    const series = tradedSeries(panel, 0, 2);
    expect([...series.day]).toEqual([0, 2]);
    expect([...series.row]).toEqual([0, 2]);
    expect([...series.close]).toEqual([200, 210]);
    expect([...series.high]).toEqual([200, 215]);
    expect([...series.low]).toEqual([200, 195]);
    expect([...series.open]).toEqual([200, 205]);
    expect([...series.volume]).toEqual([1500, 700]);
    expect([...series.value]).toEqual([300_000, 147_000]);
  });

  test('is empty before the listing', () => {
    const panel = panelOf([
      { ticker: 'AAAA', date: '2024-01-02', close: 100 },
      { ticker: 'BBBB', date: '2024-01-03', close: 100 },
    ]);
    expect(tradedSeries(panel, 1, 0).close).toHaveLength(0);
  });

  test('no row after the as-of day changes a byte', () => {
    fc.assert(
      fc.property(arbitraryBars, fc.nat(40), (bars, wantedDay) => {
        const whole = panelOf(bars);
        const day = Math.min(wantedDay, whole.dayCount - 1);
        const date = whole.columns.dates[day]!;
        const cut = panelOf(bars.filter((bar) => bar.date <= date));
        for (const ticker of cut.columns.tickers) {
          const known = tradedSeries(cut, cut.tickerIndex(ticker), day);
          const seen = tradedSeries(whole, whole.tickerIndex(ticker), day);
          expect({ ...seen, row: null }).toEqual({ ...known, row: null });
        }
      }),
    );
  });
});
