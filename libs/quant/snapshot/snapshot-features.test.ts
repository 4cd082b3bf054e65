import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryBars, dailyBars, panelOf } from '../panel/panel-fixture.ts';
import { snapshotFeatures } from './snapshot-features.ts';

describe('snapshotFeatures', () => {
  test('the 52-week range covers 364 calendar days and is adjusted for splits', () => {
    const bars = dailyBars(400, (i) => ({ close: i === 35 ? 5000 : i === 36 ? 2400 : 1000 }));
    bars[100] = { ...bars[100]!, factor: 0.5, share_factor: 0.5 };
    const features = snapshotFeatures(panelOf(bars), 0, 399);
    expect(features.high_52w).toBe(1200);
    expect(features.low_52w).toBe(500);
    expect(features.dist_52w_high_pct).toBeCloseTo(100 * (1000 / 1200 - 1), 10);
  });

  test('features that need more history than exists are null', () => {
    const features = snapshotFeatures(panelOf(dailyBars(6, (i) => ({ close: 100 + i }))), 0, 5);
    expect(features).toMatchObject({ ma5: 103, high_52w: 105, confluence_signals: 0 });
    expect(features.ret_5d_pct).toBeCloseTo(5, 6);
    expect(features).toMatchObject({
      ma10: null,
      rsi14: null,
      macd: null,
      ret_20d_pct: null,
      avg_value_20d: null,
    });
  });

  test('before the listing everything is null', () => {
    const panel = panelOf([
      { ticker: 'AAAA', date: '2024-01-02', close: 100 },
      { ticker: 'BBBB', date: '2024-01-03', close: 100 },
    ]);
    expect(Object.values(snapshotFeatures(panel, 1, 0)).every((value) => value === null)).toBe(true);
  });

  test('no row after the as-of day changes a value', () => {
    fc.assert(
      fc.property(arbitraryBars, fc.nat(40), (bars, wantedDay) => {
        const whole = panelOf(bars);
        const day = Math.min(wantedDay, whole.dayCount - 1);
        const cut = panelOf(bars.filter((bar) => bar.date <= whole.columns.dates[day]!));
        for (const ticker of cut.columns.tickers) {
          const known = snapshotFeatures(cut, cut.tickerIndex(ticker), day);
          expect(snapshotFeatures(whole, whole.tickerIndex(ticker), day)).toEqual(known);
        }
      }),
    );
  });
});
