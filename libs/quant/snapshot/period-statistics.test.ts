import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classFlowColumns, ClassFlows } from '../broker-rows/class-flows.ts';
import { brokerFlowOf } from '../broker-rows/flow-fixture.ts';
import { arbitraryBars, panelOf } from '../panel/panel-fixture.ts';
import { maxDrawdownPct, periodStatistics } from './period-statistics.ts';

const day = (number: number) => `2024-01-${String(number).padStart(2, '0')}`;

describe('statistics of a period', () => {
  const panel = panelOf([
    { ticker: 'AAAA', date: day(1), close: 1_000, volume: 10 },
    { ticker: 'AAAA', date: day(2), close: 1_200, high: 1_250, low: 990, volume: 20 },
    {
      ticker: 'AAAA',
      date: day(3),
      close: 180,
      previous: 240,
      factor: 0.2,
      share_factor: 0.2,
      volume: 50,
      low: 175,
    },
    { ticker: 'AAAA', date: day(4), close: 210, high: 220, volume: 40, foreign_buy: 30, foreign_sell: 10 },
    { ticker: 'GONE', date: day(1), close: 70 },
    { ticker: 'IDLE', date: day(2), close: 70 },
    { ticker: 'IDLE', date: day(4), close: 70, volume: 0 },
    { ticker: 'NEWW', date: day(4), close: 130, previous: 100, volume: 4 },
    { ticker: 'ODDD', date: day(4), close: 130, previous: 0 },
  ]);
  const statistics = (ticker: string, days: number, asOf = 3) =>
    periodStatistics(panel, panel.tickerIndex(ticker), asOf, days);

  test('start from the close before the period and are adjusted to its last day across a split', () => {
    const { return_pct, high, low, avg_value, max_drawdown_pct, foreign_net_value } = statistics('AAAA', 3);
    expect(return_pct).toBeCloseTo(5, 10);
    expect([high, low]).toEqual([250, 175]);
    expect(avg_value).toBeCloseTo((24_000 + 9_000 + 8_400) / 3, 10);
    expect(max_drawdown_pct).toBeCloseTo(-25, 10);
    expect(foreign_net_value).toBeCloseTo(20 * 210, 10);
  });

  test('count exchange days, so one day gives the change of that day', () => {
    expect(statistics('AAAA', 1).return_pct).toBeCloseTo(100 * (210 / 180 - 1), 10);
    expect(statistics('AAAA', 1, 2).return_pct).toBeCloseTo(-25, 10);
  });

  test('of a newly listed ticker start from its reference price, and without one have no return or fall', () => {
    expect(statistics('NEWW', 3)).toMatchObject({ avg_value: 520, max_drawdown_pct: 0 });
    expect(statistics('NEWW', 3).return_pct).toBeCloseTo(30, 10);
    expect(statistics('ODDD', 3)).toMatchObject({ return_pct: null, high: 130, max_drawdown_pct: null });
    expect(statistics('AAAA', 250).return_pct).toBeCloseTo(5, 10);
  });

  test('are null for a delisted ticker and have no prices for a suspended one', () => {
    expect(Object.values(statistics('GONE', 3)).every((value) => value === null)).toBe(true);
    expect(statistics('IDLE', 2)).toEqual({
      return_pct: null,
      high: null,
      low: null,
      max_drawdown_pct: null,
      avg_value: 0,
      foreign_net_value: 0,
      bandar_net_value: null,
    });
  });

  test('include net buying of local institutions only with broker rows for every traded day', () => {
    const row = { ticker: 'AAAA', broker: 'CC' };
    const rows = [
      { ...row, date: day(2), buy_value: 70 },
      { ...row, date: day(3), buy_value: 10, sell_value: 15 },
      { ...row, date: day(4), buy_value: 1 },
    ];
    const flows = new ClassFlows(classFlowColumns(panel, brokerFlowOf(panel, rows)));
    const bought = (ticker: string, days: number) =>
      periodStatistics(panel, panel.tickerIndex(ticker), 3, days, flows).bandar_net_value;
    expect([1, 2, 3, 4].map((days) => bought('AAAA', days))).toEqual([1, -4, 66, null]);
    expect([bought('IDLE', 2), bought('NEWW', 2), bought('GONE', 2)]).toEqual([0, null, null]);
  });

  test('stay within their bounds: low ≤ high, drawdown from -100 to 0 and at least as deep as the return', () => {
    fc.assert(
      fc.property(arbitraryBars, fc.nat(40), fc.integer({ min: 1, max: 50 }), (bars, wantedDay, days) => {
        const market = panelOf(bars);
        const asOf = Math.min(wantedDay, market.dayCount - 1);
        const { return_pct, high, low, max_drawdown_pct, avg_value } = periodStatistics(
          market,
          0,
          asOf,
          days,
        );
        if (avg_value !== null) expect(avg_value).toBeGreaterThanOrEqual(0);
        if (high === null || low === null || max_drawdown_pct === null) return;
        expect(low).toBeLessThanOrEqual(high);
        expect(max_drawdown_pct).toBeGreaterThanOrEqual(-100);
        expect(max_drawdown_pct).toBeLessThanOrEqual(Math.min(0, return_pct ?? 0) + 1e-9);
      }),
    );
  });

  test('do not depend on rows after the as-of day', () => {
    fc.assert(
      fc.property(arbitraryBars, fc.nat(40), fc.integer({ min: 1, max: 50 }), (bars, wantedDay, days) => {
        const whole = panelOf(bars);
        const asOf = Math.min(wantedDay, whole.dayCount - 1);
        const cut = panelOf(bars.filter((bar) => bar.date <= whole.columns.dates[asOf]!));
        cut.columns.tickers.forEach((ticker, index) => {
          const seen = periodStatistics(whole, whole.tickerIndex(ticker), asOf, days);
          expect(seen).toEqual(periodStatistics(cut, index, asOf, days));
        });
      }),
    );
  });
});

test('the maximum drawdown is the deepest fall from any value to a later one, or 0', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10_000 }), { maxLength: 40 }), (values) => {
      const falls = values.flatMap((from, i) => values.slice(i).map((to) => 100 * (to / from - 1)));
      expect(maxDrawdownPct(values)).toBeCloseTo(Math.min(0, ...falls), 9);
    }),
  );
});
