import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryBars, dailyBars, panelOf } from '../panel/panel-fixture.ts';
import { snapshotFeatures, NO_BROKER_FEATURES } from './snapshot-features.ts';

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

  test('money sums cover exchange days, including suspended ones', () => {
    const bars = dailyBars(30, (i) => ({ close: 100, volume: i % 2 === 0 ? 0 : 1_000, nego_value: 7 }));
    expect(snapshotFeatures(panelOf(bars), 0, 29)).toMatchObject({
      avg_value_20d: 50_000,
      nego_value_5d: 35,
    });
  });

  test('foreign net value is net shares at the average price of each day', () => {
    const bars = dailyBars(30, (i) => ({
      close: 100,
      volume: 1_000,
      value: 105_000,
      foreign_buy: 300,
      foreign_sell: i === 29 ? 400 : 100,
    }));
    expect(snapshotFeatures(panelOf(bars), 0, 29)).toMatchObject({
      foreign_net_value_1d: -100 * 105,
      foreign_net_value_5d: (4 * 200 - 100) * 105,
      foreign_net_value_20d: (19 * 200 - 100) * 105,
    });
  });

  test('on a suspended day there are no returns, and the foreign net value is 0', () => {
    const bars = dailyBars(30, (i) => ({
      close: 100 + i,
      volume: i === 29 ? 0 : 10,
      foreign_buy: i === 29 ? 0 : 5,
    }));
    bars[29]!.close = 128;
    const features = snapshotFeatures(panelOf(bars), 0, 29);
    expect(features.ret_1d_pct).toBeNull();
    expect(features.foreign_net_value_1d).toBe(0);
  });

  test('broker features are null unless given', () => {
    const panel = panelOf(dailyBars(1, () => ({ close: 100 })));
    expect(snapshotFeatures(panel, 0, 0)).toMatchObject(NO_BROKER_FEATURES);
    const broker = { ...NO_BROKER_FEATURES, accum_score: 3 };
    expect(snapshotFeatures(panel, 0, 0, broker).accum_score).toBe(3);
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
