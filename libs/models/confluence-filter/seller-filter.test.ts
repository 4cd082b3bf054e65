import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brokerFlowOf, type FlowRowFixture } from '#quant/broker-rows/flow-fixture.ts';
import { panelOf, type BarFixture } from '#quant/panel/panel-fixture.ts';
import { sellerVerdict } from './seller-filter.ts';
import { BROKER_TABLE } from '#quant/broker-features/random-flow-fixture.ts';

const DATES = ['2024-06-26', '2024-06-27', '2024-06-28'];

/** Three days of 1,000 shares at 100 each, with the given rows on the last one. */
function verdict(
  rows: FlowRowFixture[],
  {
    days = 1,
    dominance = 1,
    last = {},
  }: { days?: number; dominance?: number; last?: Partial<BarFixture> } = {},
) {
  const bars = DATES.map((date) => ({ ticker: 'TEST', date, close: 100, volume: 1_000 }));
  const panel = panelOf([...bars.slice(0, 2), { ...bars[2]!, ...last }]);
  return sellerVerdict(panel, brokerFlowOf(panel, rows, BROKER_TABLE), 0, 2, { days, dominance });
}

describe('without broker rows', () => {
  const isDropped = (foreign_buy: number, foreign_sell: number, dominance: number, days = 1) => {
    const { rule, isSoldOff } = verdict([], { days, dominance, last: { foreign_buy, foreign_sell } });
    expect(rule).toBe('foreign');
    return isSoldOff;
  };

  test('net foreign selling drops a stock only above a tenth of the value', () => {
    expect(isDropped(0, 101, 1)).toBe(true);
    expect(isDropped(0, 100, 1)).toBe(false);
  });

  test('two-sided foreign trading must also reach the dominance', () => {
    expect(isDropped(300, 450, 1.5)).toBe(true);
    expect(isDropped(300, 449, 1.5)).toBe(false);
  });

  test('the same selling spread over a longer window weighs less', () => {
    expect(isDropped(0, 250, 1.5, 1)).toBe(true);
    expect(isDropped(0, 250, 1.5, 3)).toBe(false);
  });

  test('a stock that is kept is also kept at a higher dominance', () => {
    const shares = fc.integer({ min: 0, max: 1_000 });
    const dominance = fc.double({ min: 1, max: 5, noNaN: true });
    fc.assert(
      fc.property(shares, shares, dominance, dominance, (buy, sell, a, b) => {
        const [lower, higher] = [Math.min(a, b), Math.max(a, b)];
        if (!isDropped(buy, sell, lower)) expect(isDropped(buy, sell, higher)).toBe(false);
      }),
    );
  });

  test('a stock of which no source says the foreign trades is kept, and nothing judged it', () => {
    const unsaid = { foreign_buy: NaN, foreign_sell: NaN };
    expect(verdict([], { days: 3, last: unsaid })).toEqual({ rule: 'none', isSoldOff: false });
  });

  test('a stock that did not trade is not dropped', () => {
    const idle = { volume: 0, value: 0 };
    expect(verdict([], { last: idle })).toEqual({ rule: 'foreign', isSoldOff: false });
  });
});

describe('with broker rows', () => {
  const row = (broker: string, net: number, day = 2): FlowRowFixture => ({
    ticker: 'TEST',
    date: DATES[day]!,
    broker,
    buy_value: Math.max(0, net),
    sell_value: Math.max(0, -net),
  });
  /** Five sellers of 100 each and ten buyers of 50 each; the five largest buyers took 250. */
  const sellers = ['S1', 'S2', 'S3', 'S4', 'S5'].map((broker) => row(broker, -100));
  const buyers = Array.from({ length: 10 }, (_, i) => row(`B${10 + i}`, 50));

  test('five sellers that outweigh the five largest buyers by more than the dominance drop a stock', () => {
    const rows = [...sellers, ...buyers];
    expect(verdict(rows, { dominance: 1.99 })).toEqual({ rule: 'brokers', isSoldOff: true });
    expect(verdict(rows, { dominance: 2 })).toEqual({ rule: 'brokers', isSoldOff: false });
  });

  test('sales and purchases of a broker on different days cancel out', () => {
    const back = [
      ...sellers.map(({ broker }) => row(broker, 100, 1)),
      ...buyers.map(({ broker }) => row(broker, -50, 1)),
    ];
    expect(verdict([...sellers, ...buyers, ...back], { days: 2 })).toEqual({
      rule: 'brokers',
      isSoldOff: false,
    });
  });

  test('retail buying from institutions above a twentieth of the value drops a stock', () => {
    const toRetail = (value: number) => [row('XL', value), row('CC', -value)];
    expect(verdict(toRetail(5_001))).toMatchObject({ isSoldOff: true });
    expect(verdict(toRetail(5_000))).toMatchObject({ isSoldOff: false });
    expect(verdict([row('XL', -9_000), row('CC', 9_000)])).toMatchObject({ isSoldOff: false });
  });

  test('foreign trades are taken from the exchange’s own figures', () => {
    const rows = [row('XL', 4_000), row('CC', -4_000)];
    expect(verdict(rows, { last: { foreign_sell: 11 } })).toMatchObject({ isSoldOff: true });
    expect(verdict(rows, { last: { foreign_sell: 10 } })).toMatchObject({ isSoldOff: false });
  });

  test('a traded day without rows falls back to foreign trades; a day without trading does not', () => {
    const rows = [...sellers, ...buyers];
    expect(verdict(rows, { days: 2 }).rule).toBe('foreign');
    const before = [...sellers, ...buyers].map((of) => ({ ...of, date: DATES[1]! }));
    expect(verdict(before, { days: 2, last: { volume: 0, value: 0 } }).rule).toBe('brokers');
  });

  test('trades of the negotiated market do not count', () => {
    const nego = [...sellers, ...buyers].map((of) => ({ ...of, market: 'NEGO' as const }));
    expect(verdict(nego).rule).toBe('foreign');
  });
});
