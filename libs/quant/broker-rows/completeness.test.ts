import { describe, expect, test } from 'vitest';
import { panelOf } from '../panel/panel-fixture.ts';
import { dayCompleteness, daysWithRows, hasGrossRowsThroughout } from './completeness.ts';
import { brokerFlowOf, type FlowRowFixture } from './flow-fixture.ts';
import type { Market } from './broker-flow.ts';

const [MON, TUE, WED] = ['2024-06-24', '2024-06-25', '2024-06-26'] as const;
const panel = panelOf([
  { ticker: 'AAAA', date: MON, close: 100, volume: 10_000, nego_volume: 50, nego_value: 5_000 },
  { ticker: 'AAAA', date: TUE, close: 100, volume: 0 },
  { ticker: 'AAAA', date: WED, close: 100, volume: 10_000 },
]);
const row = (
  buy_shares: number,
  sell_shares: number,
  more: Partial<FlowRowFixture> = {},
): FlowRowFixture => ({
  ticker: 'AAAA',
  date: MON,
  broker: 'AK',
  buy_shares,
  sell_shares,
  ...more,
});
const completeness = (rows: FlowRowFixture[], market: Market = 'REG', day = 0) =>
  dayCompleteness(panel, brokerFlowOf(panel, rows), market, 0, day);

describe('the rows of a stock-day', () => {
  test.each([
    ['all of the volume', [row(10_000, 10_000)], { coverage: 1, isPartial: false }],
    ['99 % of it', [row(9_900, 9_900)], { coverage: 0.99, isPartial: false }],
    ['a share less', [row(9_899, 9_899)], { coverage: 0.9899, isPartial: true }],
    ['101 % of it', [row(10_100, 10_100)], { coverage: 1.01, isPartial: false }],
    ['a share more', [row(10_101, 10_101)], { coverage: 1.0101, isPartial: true }],
    ['sides that differ', [row(10_000, 9_999)], { coverage: 1, isPartial: true }],
    [
      'values that differ by their rounding',
      [row(10_000, 10_000, { buy_value: 1_000_000, sell_value: 1_000_002 })],
      { coverage: 1, isPartial: false },
    ],
    [
      'values that differ',
      [row(10_000, 10_000, { buy_value: 1_000_000, sell_value: 1_000_003 })],
      { coverage: 1, isPartial: true },
    ],
    [
      'values that differ by more than the sides with shares round to',
      [row(10_000, 0, { buy_value: 1_000_000 }), row(0, 10_000, { broker: 'CC', sell_value: 1_000_003 })],
      { coverage: 1, isPartial: true },
    ],
    [
      'several brokers',
      [row(4_000, 9_000), row(6_000, 1_000, { broker: 'CC' })],
      { coverage: 1, isPartial: false },
    ],
  ])('give the coverage and the partial flag: %s', (_, rows, expected) => {
    expect(completeness(rows)).toEqual({ isNet: false, ...expected });
  });

  test('are compared with the negotiated volume in the negotiated market', () => {
    expect(completeness([row(50, 50, { market: 'NEGO' })], 'NEGO')).toMatchObject({
      coverage: 1,
      isPartial: false,
    });
    expect(completeness([row(5, 5, { market: 'NEGO' })], 'NEGO')).toMatchObject({
      coverage: 0.1,
      isPartial: true,
    });
  });

  test('are partial and have no coverage when the exchange published no volume', () => {
    expect(completeness([row(5, 5, { date: TUE })], 'REG', 1)).toEqual({
      isNet: false,
      coverage: null,
      isPartial: true,
    });
  });

  test('have no coverage when they are net, and are partial when buys and sells differ', () => {
    const net = (bought: number, sold: number) =>
      completeness([row(bought, 0, { mode: 'net' }), row(0, sold, { mode: 'net', broker: 'CC' })]);
    expect(net(70, 70)).toEqual({ isNet: true, coverage: null, isPartial: false });
    expect(net(70, 69)).toEqual({ isNet: true, coverage: null, isPartial: true });
  });

  test('are partial when they are net and exceed the volume of their market', () => {
    const net = (shares: number, market: Market) => {
      const more = { mode: 'net', market } as const;
      return completeness([row(shares, 0, more), row(0, shares, { ...more, broker: 'CC' })], market);
    };
    expect(net(10_000, 'REG')).toMatchObject({ isPartial: false });
    expect(net(10_001, 'REG')).toMatchObject({ coverage: null, isPartial: true });
    expect(net(50, 'NEGO')).toMatchObject({ isPartial: false });
    expect(net(51, 'NEGO')).toMatchObject({ coverage: null, isPartial: true });
  });

  test('have no completeness when they are missing', () => {
    expect(completeness([row(1, 1)], 'NEGO')).toBeNull();
    expect(completeness([row(1, 1)], 'REG', 2)).toBeNull();
  });
});

describe('over a span', () => {
  const span = { market: 'REG', ticker: 0, firstDay: 0, lastDay: 2 } as const;

  test('days with rows are listed, and only traded days without rows count as missing', () => {
    const whole = brokerFlowOf(panel, [row(1, 1), row(1, 1, { date: WED })]);
    expect(daysWithRows(whole, span)).toEqual([0, 2]);
    expect(hasGrossRowsThroughout(panel, whole, span)).toBe(true);
    const half = brokerFlowOf(panel, [row(1, 1)]);
    expect(daysWithRows(half, span)).toEqual([0]);
    expect(hasGrossRowsThroughout(panel, half, span)).toBe(false);
    expect(hasGrossRowsThroughout(panel, half, { ...span, lastDay: 1 })).toBe(true);
    expect(hasGrossRowsThroughout(panel, half, { ...span, market: 'NEGO', firstDay: 1 })).toBe(true);
    expect(hasGrossRowsThroughout(panel, half, { ...span, market: 'NEGO' })).toBe(false);
  });

  test('net rows and days that are not held do not count as gross rows', () => {
    const net = brokerFlowOf(panel, [row(1, 0, { mode: 'net' }), row(1, 1, { date: WED })]);
    expect(hasGrossRowsThroughout(panel, net, span)).toBe(false);
    const held = brokerFlowOf(panel, [row(1, 1, { date: WED })], [], { firstDay: 1, lastDay: 2 });
    expect(hasGrossRowsThroughout(panel, held, span)).toBe(false);
    expect(hasGrossRowsThroughout(panel, held, { ...span, firstDay: 1 })).toBe(true);
  });
});
