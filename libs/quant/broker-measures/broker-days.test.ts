import { describe, expect, test } from 'vitest';
import { brokerFlowOf, type FlowRowFixture } from '../broker-rows/flow-fixture.ts';
import { panelOf } from '../panel/panel-fixture.ts';
import { BrokerDays } from './broker-days.ts';
import { monthOf } from './broker-days-fixture.ts';
import { MEASURE_COUNT } from './measures.ts';

const DATES = ['2024-01-30', '2024-01-31', '2024-02-01', '2024-02-02'];
const panelWith = (tickers: string[], volume = 1_000) =>
  panelOf(tickers.flatMap((ticker) => DATES.map((date) => ({ ticker, date, close: 100, volume }))));
const panel = panelWith(['AAAA', 'BBBB']);

/** AK buys `shares` shares from CC at 100. */
const trade = (ticker: string, date: string, shares = 1_000): FlowRowFixture[] => [
  { ticker, date, broker: 'AK', buy_shares: shares, buy_value: 100 * shares },
  { ticker, date, broker: 'CC', sell_shares: shares, sell_value: 100 * shares },
];
const monthWith = (rows: FlowRowFixture[], span: { firstDay: number; lastDay: number }) =>
  monthOf(panel, brokerFlowOf(panel, rows, [], span));
const JANUARY = { firstDay: 0, lastDay: 1 };
const FEBRUARY = { firstDay: 2, lastDay: 3 };

describe('BrokerDays', () => {
  test('holds the days of its months and knows the stock-days with complete rows', () => {
    const rows = [...trade('AAAA', DATES[0]!), ...trade('BBBB', DATES[1]!)];
    const days = new BrokerDays(panel, [monthWith(rows, JANUARY)]);
    expect([0, 1, 2, 3].map((day) => days.holds(day))).toEqual([true, true, false, false]);
    expect([0, 1, 2].map((day) => days.isKnown(0, day))).toEqual([true, false, false]);
    expect([0, 1, 2].map((day) => days.value('turnover', 1, day))).toEqual([NaN, 100_000, NaN]);
    days.add(monthWith(trade('AAAA', DATES[2]!), FEBRUARY));
    expect([0, 1, 2].map((day) => days.value('top1_buy', 0, day))).toEqual([1, NaN, 1]);
  });

  test('treats a stock-day as unknown when its rows differ by more than 1 % from the published volume', () => {
    const rows = [
      ...trade('AAAA', DATES[0]!, 990),
      ...trade('AAAA', DATES[1]!, 989),
      ...trade('BBBB', DATES[0]!, 1_010),
      ...trade('BBBB', DATES[1]!, 1_011),
    ];
    const days = new BrokerDays(panel, [monthWith(rows, JANUARY)]);
    expect([0, 1].flatMap((ticker) => [0, 1].map((day) => days.isKnown(ticker, day)))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(days.read(0, 1, new Float32Array(MEASURE_COUNT), 0)).toBe(false);
  });

  test('places a month built for another panel by its dates and tickers', () => {
    const month = monthWith([...trade('AAAA', DATES[0]!), ...trade('BBBB', DATES[1]!)], JANUARY);
    const other = panelOf(
      ['AAAB', 'BBBB'].flatMap((ticker) =>
        ['2024-01-29', '2024-01-31'].map((date) => ({ ticker, date, close: 100, volume: 1_000 })),
      ),
    );
    const days = new BrokerDays(other, [month]);
    expect([0, 1].map((day) => days.holds(day))).toEqual([false, true]);
    expect([0, 1].map((ticker) => days.isKnown(ticker, 1))).toEqual([false, true]);
  });

  test('checks a month against the volumes of the panel in use, not of the one it was built for', () => {
    const month = monthWith(trade('AAAA', DATES[0]!), JANUARY);
    expect(new BrokerDays(panelWith(['AAAA'], 1_000), [month]).isKnown(0, 0)).toBe(true);
    expect(new BrokerDays(panelWith(['AAAA'], 2_000), [month]).isKnown(0, 0)).toBe(false);
  });

  test('holds later months beside other adjustment too, in what was made for it last', () => {
    const days = new BrokerDays(panel, [monthWith(trade('AAAA', DATES[0]!), JANUARY)]);
    const other = panelWith(['AAAA', 'BBBB']);
    const first = days.beside(other);
    days.add(monthWith(trade('AAAA', DATES[2]!), FEBRUARY));
    expect(days.beside(other)).toBe(first);
    expect([0, 2].map((day) => first.value('turnover', 0, day))).toEqual([100_000, 100_000]);
    expect(days.beside(panelWith(['AAAA', 'BBBB']))).not.toBe(first);
  });

  test('writes all measures of a stock-day at the given offset', () => {
    const days = new BrokerDays(panel, [monthWith(trade('BBBB', DATES[1]!), JANUARY)]);
    const out = new Float32Array(2 * MEASURE_COUNT + 1).fill(-7);
    expect(days.read(1, 1, out, MEASURE_COUNT)).toBe(true);
    expect([out[MEASURE_COUNT - 1], out[MEASURE_COUNT], out.at(-1)]).toEqual([-7, 100_000, -7]);
  });
});
