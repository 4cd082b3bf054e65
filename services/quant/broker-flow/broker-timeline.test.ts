import { expect, test } from 'vitest';
import { panelOf } from '../panel/panel-fixture.ts';
import { brokerTimeline, LARGE_BUY_IDR, timelineSignals } from './broker-timeline.ts';
import { brokerFlowOf } from './flow-fixture.ts';

const DATES = ['2024-06-24', '2024-06-25', '2024-06-26', '2024-06-27', '2024-06-28'];
const panel = panelOf(DATES.map((date) => ({ ticker: 'AAAA', date, close: 100 })));
const span = { market: 'REG', ticker: 0, firstDay: 0, lastDay: 4 } as const;
const M = 1e6;

/** Values of the broker by day, [bought, sold]; it did not trade where there is none. */
function timelineOf(...sides: ([number, number] | null)[]) {
  const own = sides.flatMap((side, i) =>
    side ? [{ ticker: 'AAAA', date: DATES[i]!, broker: 'CC', buy_value: side[0], sell_value: side[1] }] : [],
  );
  const others = DATES.flatMap((date) =>
    ['AK', 'XL'].map((broker) => ({ ticker: 'AAAA', date, broker, buy_value: 7, sell_value: 3 })),
  );
  const flow = brokerFlowOf(panel, [...own, ...others]);
  return brokerTimeline(flow, span, flow.brokerIndex('CC'));
}

test('a timeline has the days of that broker alone, with a running sum', () => {
  const days = timelineOf([10, 4], null, [0, 20], [5, 5]);
  expect(days.map(({ day, netValue, cumNetValue }) => [day, netValue, cumNetValue])).toEqual([
    [0, 6, 6],
    [2, -20, -14],
    [3, 0, -14],
  ]);
});

test('the first net purchase is the first day on which more was bought than sold', () => {
  expect(timelineSignals(timelineOf([10, 10], [9, 10], null, [11, 10], [99, 0])).firstNetBuyDay).toBe(3);
  expect(timelineSignals(timelineOf([10, 10], [9, 10])).firstNetBuyDay).toBe(-1);
});

test('a purchase of a billion counts by what was bought, whatever was sold beside it', () => {
  const signals = timelineSignals(timelineOf([999 * M, 0], [LARGE_BUY_IDR, 5_000 * M], [2_000 * M, 0]));
  expect([signals.firstLargeBuyDay, signals.firstNetBuyDay]).toEqual([1, 0]);
  expect(timelineSignals(timelineOf([999_999_999, 0])).firstLargeBuyDay).toBe(-1);
});

test('a net day tells no purchase of a billion, and still counts as net buying', () => {
  const large = { ticker: 'AAAA', broker: 'CC', buy_value: 2_000 * M };
  const flow = brokerFlowOf(panel, [
    { ...large, date: DATES[0]!, mode: 'net' },
    { ...large, date: DATES[1]! },
  ]);
  const days = brokerTimeline(flow, span, flow.brokerIndex('CC'));
  expect(days.map(({ isNet }) => isNet)).toEqual([true, false]);
  expect(timelineSignals(days)).toMatchObject({ firstLargeBuyDay: 1, firstNetBuyDay: 0 });
});

test('the streak is of the days at the end; days without a trade do not break it', () => {
  expect(timelineSignals(timelineOf([5, 0], [0, 9], null, [8, 1], [2, 1])).streak).toEqual({
    ...{ side: 'ACCUMULATION', startDay: 3, days: 2, netValue: 8 },
  });
  expect(timelineSignals(timelineOf([0, 5], null, [1, 9])).streak).toMatchObject({ startDay: 0, days: 2 });
});
