import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classFlowColumns, ClassFlows } from '../broker-rows/class-flows.ts';
import { brokerFlowOf, type FlowRowFixture } from '../broker-rows/flow-fixture.ts';
import { arbitraryBars, panelOf, type BarFixture } from '../panel/panel-fixture.ts';
import { foreignNetValue, sumOverDays } from '../panel/windows.ts';
import {
  classNet,
  foreignNet,
  dayRatio,
  largestFlows,
  type FlowSearch,
  type WindowFlow,
} from './net-flows.ts';

const day = (number: number) => `2024-01-${String(number).padStart(2, '0')}`;

/** Days 1 to 5 of a stock that trades 1,000 shares at 100 a day, with the foreign net (bought less sold) of each day. */
function stock(ticker: string, nets: number[], change: (date: number) => Partial<BarFixture> = () => ({})) {
  return nets.map((net, i) => ({
    ticker,
    date: day(i + 1),
    close: 100,
    foreign_buy: Math.max(0, net),
    foreign_sell: Math.max(0, -net),
    ...change(i + 1),
  }));
}

const SEARCH: FlowSearch = {
  firstDay: 1,
  lastDay: 4,
  minNetValue: 0,
  minPrice: 0,
  minDailyValue: 0,
  sortBy: 'value',
  maxPriceChangePct: Infinity,
  minDayRatio: null,
  limit: 100,
};

function foreignFlows(bars: BarFixture[], search: Partial<FlowSearch> = {}) {
  const panel = panelOf(bars);
  const found = largestFlows(panel, foreignNet(panel), { ...SEARCH, ...search });
  const codes = (flows: WindowFlow[]) => flows.map(({ stock }) => panel.columns.tickers[stock.ticker]!);
  return { ...found, in: codes(found.inflow), out: codes(found.outflow) };
}

describe('the flow of a stock over a window', () => {
  test('is the sum of its days, valued at each day’s average price, with shares restated to the last day', () => {
    const bars = stock('AAAA', [999, 10, -4, 0, 20], (date) =>
      date >= 4
        ? {
            close: 22,
            previous: 20,
            volume: 5_000,
            factor: date === 4 ? 0.2 : 1,
            share_factor: date === 4 ? 0.2 : 1,
          }
        : { close: 90 + 5 * date, value: 1_000 * (90 + 5 * date + 1) },
    );
    const [flow] = foreignFlows(bars).inflow;
    expect(flow).toMatchObject({ stock: { close: 22 }, buyDays: 2, sellDays: 1, tradedDays: 4 });
    expect(flow!.netValue).toBeCloseTo(10 * 101 - 4 * 106 + 20 * 22, 9);
    expect(flow!.netShares).toBeCloseTo(5 * (10 - 4) + 20, 9);
    expect(flow!.stock.averageDailyValue).toBeCloseTo((101_000 + 106_000 + 110_000 + 110_000) / 4, 9);
    expect(flow!.netToValuePct).toBeCloseTo((100 * 1_026) / 427_000, 9);
    expect(flow!.lastDayNetValue).toBeCloseTo(440, 9);
    expect(flow!.priceChangePct).toBeCloseTo(100 * (22 / 19 - 1), 4);
  });

  test('counts a suspended day only in the average daily value', () => {
    const bars = stock('AAAA', [0, 30, 0, 10, 0], (date) =>
      date >= 5 || date === 3 ? { volume: 0, value: 0 } : {},
    );
    const [flow] = foreignFlows(bars).inflow;
    expect(flow).toMatchObject({
      netValue: 4_000,
      buyDays: 2,
      tradedDays: 2,
      stock: { averageDailyValue: 50_000 },
    });
    expect(flow).toMatchObject({ lastDayNetValue: 0, priceChangePct: 0 });
    expect([dayRatio(flow!, 1), dayRatio(flow!, -1)]).toEqual([1, 0]);
  });

  test('has no price change for a stock listed within it, and no last-day value for a delisted one', () => {
    const young = stock('NEWW', [0, 0, 0, 50, 50]).slice(3);
    const gone = stock('GONE', [0, 50, 50, 50, 50]).slice(0, 3);
    const { inflow } = foreignFlows([...gone, ...young]);
    const [ofGone, ofYoung] = inflow.toSorted((a, b) => a.stock.ticker - b.stock.ticker);
    expect(ofYoung).toMatchObject({
      priceChangePct: null,
      stock: { averageDailyValue: 100_000 },
      lastDayNetValue: 5_000,
    });
    expect(ofGone).toMatchObject({
      lastDayNetValue: null,
      priceChangePct: 0,
      stock: { averageDailyValue: 50_000 },
    });
  });

  test('does not exist for a stock without a row in the window', () => {
    expect(foreignFlows([...stock('AAAA', [1, 1, 1, 1, 1]), ...stock('GONE', [9])]).in).toEqual(['AAAA']);
  });
});

describe('the largest flows', () => {
  const market = [
    ...stock('AAAA', [0, 10, 10, 10, 10]),
    ...stock('BBBB', [0, 10, 10, 10, 10]),
    ...stock('CCCC', [0, -50, -1, -1, -1]),
    ...stock('DDDD', [0, 90, -5, -5, -5], () => ({ close: 40 })),
    ...stock('EEEE', [0, 0, 0, 0, 0]),
    ...stock('FFFF', [0, -10, -10, -10, -10], (date) => (date > 1 ? { close: 90 } : {})),
  ];
  const found = (search: Partial<FlowSearch> = {}) => {
    const flows = foreignFlows(market, search);
    return [flows.in, flows.out];
  };

  test('are sorted largest first, ties by ticker, and omit stocks without a net flow', () => {
    expect(found()).toEqual([
      ['AAAA', 'BBBB', 'DDDD'],
      ['CCCC', 'FFFF'],
    ]);
    expect(found({ limit: 1 })).toEqual([['AAAA'], ['CCCC']]);
  });

  test('are sorted by shares on request, but stay on the side of their net value', () => {
    expect(found({ sortBy: 'shares' })).toEqual([
      ['DDDD', 'AAAA', 'BBBB'],
      ['CCCC', 'FFFF'],
    ]);
  });

  test('respect the floors of net value, price and average daily value', () => {
    expect(found({ minNetValue: 4_000 })).toEqual([['AAAA', 'BBBB'], ['CCCC']]);
    expect(found({ minNetValue: 4_001 })).toEqual([[], ['CCCC']]);
    expect(found({ minPrice: 91 })).toEqual([['AAAA', 'BBBB'], ['CCCC']]);
    expect(found({ minDailyValue: 90_001 })).toEqual([['AAAA', 'BBBB'], ['CCCC']]);
  });

  test('are consistent when enough days share their direction and the price change is within the limit', () => {
    const consistent = (minDayRatio: number, maxPriceChangePct: number) =>
      found({ minDayRatio, maxPriceChangePct });
    expect(consistent(0.25, 50)).toEqual(found());
    expect(consistent(0.26, 50)).toEqual([
      ['AAAA', 'BBBB'],
      ['CCCC', 'FFFF'],
    ]);
    expect(consistent(1, 9.9)).toEqual([['AAAA', 'BBBB'], ['CCCC']]);
    expect(consistent(1, 10)[1]).toContain('FFFF');
    expect(consistent(0, -0.1)).toEqual([[], []]);
  });

  test('omit inflow names that rose, and outflow names that fell, by more than the limit', () => {
    const risen = stock('RISE', [0, 10, -1, -1, -1], (date) => (date > 1 ? { close: 107 } : {}));
    const fallen = stock('FALL', [0, -10, 1, 1, 1], (date) => (date > 1 ? { close: 93 } : {}));
    const within = (maxPriceChangePct: number) => {
      const flows = foreignFlows([...fallen, ...risen], { maxPriceChangePct });
      return [flows.in, flows.out];
    };
    expect(within(7.1)).toEqual([['RISE'], ['FALL']]);
    expect(within(6.9)).toEqual([[], []]);
  });

  test('omit a stock without a price before the window only when consistency is required', () => {
    const young = stock('NEWW', [0, 0, 0, 50, 50]).slice(3);
    const bars = [...stock('AAAA', [0, 1, 1, 1, 1]), ...young];
    expect(foreignFlows(bars).in).toEqual(['NEWW', 'AAAA']);
    expect(foreignFlows(bars, { maxPriceChangePct: 0 }).in).toEqual(['NEWW', 'AAAA']);
    expect(foreignFlows(bars, { minDayRatio: 0 }).in).toEqual(['AAAA']);
  });
});

describe('flows of broker classes', () => {
  const panel = panelOf([...stock('AAAA', [0, 0, 0, 0, 0]), ...stock('BBBB', [0, 0, 0, 0, 0])]);
  const rows: FlowRowFixture[] = ['AAAA', 'BBBB'].flatMap((ticker) =>
    [2, 3, 4, 5].map((date) => ({ ticker, date: day(date), broker: 'XL', buy_value: 7, buy_shares: 2 })),
  );
  const inflow = (of: FlowRowFixture[]) => {
    const flow = brokerFlowOf(panel, of, [{ code: 'XL', is_retail: true }]);
    const flows = new ClassFlows(classFlowColumns(panel, flow));
    return largestFlows(panel, classNet(panel, flows, 'retail'), SEARCH).inflow;
  };

  test('are summed from the broker rows', () => {
    expect(inflow(rows)).toMatchObject([
      { stock: { ticker: 0 }, netValue: 28, netShares: 8, buyDays: 4, tradedDays: 4, lastDayNetValue: 7 },
      { stock: { ticker: 1 }, netValue: 28 },
    ]);
  });

  test('omit a stock that lacks broker rows for a traded day', () => {
    expect(inflow(rows.slice(1))).toMatchObject([{ stock: { ticker: 1 } }]);
  });
});

const anySearch = fc.record({
  last: fc.nat(30),
  days: fc.integer({ min: 1, max: 40 }),
  minDayRatio: fc.double({ min: 0, max: 1, noNaN: true }),
  maxPriceChangePct: fc.double({ min: -50, max: 50, noNaN: true }),
  sortBy: fc.constantFrom('value' as const, 'shares' as const),
});

test('on any market, flows equal the sum of their days and consistent flows are a subset', () => {
  fc.assert(
    fc.property(arbitraryBars, anySearch, (bars, { last, days, sortBy, ...consistency }) => {
      const panel = panelOf(bars);
      const lastDay = Math.min(last, panel.dayCount - 1);
      const window = { firstDay: Math.max(0, lastDay + 1 - days), lastDay };
      const search = { ...SEARCH, ...window, sortBy };
      const all = largestFlows(panel, foreignNet(panel), search);
      for (const flow of [...all.inflow, ...all.outflow]) {
        const sum = sumOverDays(panel, flow.stock.ticker, lastDay, days, (row) =>
          foreignNetValue(panel, row),
        );
        expect(flow.netValue).toBeCloseTo(sum, 4);
        expect(flow.buyDays + flow.sellDays).toBeLessThanOrEqual(flow.tradedDays);
      }
      const some = largestFlows(panel, foreignNet(panel), { ...search, ...consistency });
      expect(all.inflow).toEqual(expect.arrayContaining(some.inflow));
      expect(all.outflow).toEqual(expect.arrayContaining(some.outflow));
      expect(some.inflow.every((flow) => dayRatio(flow, 1) >= consistency.minDayRatio)).toBe(true);
    }),
  );
});

test('rows after the window do not change the flows', () => {
  fc.assert(
    fc.property(arbitraryBars, fc.nat(30), fc.integer({ min: 1, max: 40 }), (bars, last, days) => {
      const whole = panelOf(bars);
      const lastDay = Math.min(last, whole.dayCount - 1);
      const cut = panelOf(bars.filter(({ date }) => date <= whole.columns.dates[lastDay]!));
      const search = { ...SEARCH, firstDay: Math.max(0, lastDay + 1 - days), lastDay };
      const named = (panel: typeof whole) => {
        const { inflow, outflow } = largestFlows(panel, foreignNet(panel), search);
        return [inflow, outflow].map((flows) =>
          flows.map(({ stock: { ticker, close, averageDailyValue }, ...flow }) => ({
            ...flow,
            close,
            averageDailyValue,
            ticker: panel.columns.tickers[ticker],
          })),
        );
      };
      expect(named(whole)).toEqual(named(cut));
    }),
  );
});
