import fc from 'fast-check';
import { expect, test } from 'vitest';
import { panelOf } from '../panel/panel-fixture.ts';
import { brokerTimeline, isCut, LARGE_BUY_IDR, timelineSignals, currentStreak } from './broker-timeline.ts';
import { brokerFlowOf } from './flow-fixture.ts';

const DATES = ['2024-06-24', '2024-06-25', '2024-06-26', '2024-06-27', '2024-06-28'];
const panel = panelOf(DATES.map((date) => ({ ticker: 'AAAA', date, close: 100 })));
const span = { market: 'REG', ticker: 0, firstDay: 0, lastDay: 4 } as const;
const M = 1e6;

/** A timeline of [bought, sold] values by day; null for a day on which the broker did not trade. */
function timelineOf(...sides: ([number, number] | null)[]) {
  const own = sides.flatMap((side, i) =>
    side ? [{ ticker: 'AAAA', date: DATES[i]!, broker: 'CC', buy_value: side[0], sell_value: side[1] }] : [],
  );
  const others = DATES.flatMap((date) =>
    ['AK', 'XL'].map((broker) => ({ ticker: 'AAAA', date, broker, buy_value: 7, sell_value: 3 })),
  );
  const flow = brokerFlowOf(panel, [...own, ...others]);
  return brokerTimeline(panel, flow, span, flow.brokerIndex('CC'));
}

test('a timeline has only the days on which the broker traded, with a running net sum', () => {
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

test('a purchase of a billion counts the bought value, whatever the broker sold that day', () => {
  const signals = timelineSignals(timelineOf([999 * M, 0], [LARGE_BUY_IDR, 5_000 * M], [2_000 * M, 0]));
  expect([signals.firstLargeBuyDay, signals.firstNetBuyDay]).toEqual([1, 0]);
  expect(timelineSignals(timelineOf([999_999_999, 0])).firstLargeBuyDay).toBe(-1);
});

test('a day with net rows never counts as a billion purchase but does count as net buying', () => {
  const large = { ticker: 'AAAA', broker: 'CC', buy_value: 2_000 * M };
  const flow = brokerFlowOf(panel, [
    { ...large, date: DATES[0]!, mode: 'net' },
    { ...large, date: DATES[1]! },
  ]);
  const days = brokerTimeline(panel, flow, span, flow.brokerIndex('CC'));
  expect(days.map(({ hasNetRows }) => hasNetRows)).toEqual([true, false]);
  expect(timelineSignals(days)).toMatchObject({ firstLargeBuyDay: 1, firstNetBuyDay: 0 });
});

test('the streak covers the latest days, and days without a trade do not break it', () => {
  expect(timelineSignals(timelineOf([5, 0], [0, 9], null, [8, 1], [2, 1])).streak).toEqual({
    side: 'ACCUMULATION',
    startDay: 3,
    days: 2,
    netValue: 8,
  });
  expect(timelineSignals(timelineOf([0, 5], null, [1, 9])).streak).toMatchObject({ startDay: 0, days: 2 });
});

/** Consecutive days from 10 on, with these net values. */
const daysOf = (...nets: number[]) => nets.map((netValue, i) => ({ day: 10 + i, netValue }));
const NONE = { side: 'NONE', startDay: -1, days: 0, netValue: 0 };
const streak = (side: string, startDay: number, days: number, netValue: number) => ({
  side,
  startDay,
  days,
  netValue,
});

test.each([
  ['nothing', [], NONE],
  ['flat days only', [0, 0], NONE],
  ['a single day of buying', [5], streak('ACCUMULATION', 10, 1, 5)],
  ['selling after buying', [5, 7, -2], streak('DISTRIBUTION', 12, 1, -2)],
  ['buying after selling', [-5, 7, 2], streak('ACCUMULATION', 11, 2, 9)],
  ['a flat day within', [-1, 5, 0, 7], streak('ACCUMULATION', 11, 2, 12)],
  ['a flat day at the end', [-1, 5, 0], streak('ACCUMULATION', 11, 1, 5)],
  ['a flat day before it', [-1, 0, 5], streak('ACCUMULATION', 12, 1, 5)],
  ['all the days there are', [-1, -2, -3], streak('DISTRIBUTION', 10, 3, -6)],
] as const)('%s', (_, nets, expected) => {
  expect(currentStreak(daysOf(...nets))).toEqual(expected);
});

test('a streak ignores flat days and counts all other days since it began', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -3, max: 3 })), (nets) => {
      const days = daysOf(...nets);
      const found = currentStreak(days);
      expect(found).toEqual(currentStreak(days.filter(({ netValue }) => netValue !== 0)));
      const since = days.filter(({ day }) => found.startDay >= 0 && day >= found.startDay);
      expect(found.netValue).toBe(since.reduce((sum, { netValue }) => sum + netValue, 0));
      expect(found.days).toBe(since.filter(({ netValue }) => netValue !== 0).length);
      expect(
        new Set(since.map(({ netValue }) => Math.sign(netValue))).has(-Math.sign(found.netValue) || 9),
      ).toBe(false);
      const before = days.filter(({ day, netValue }) => day < found.startDay && netValue !== 0).at(-1);
      if (before) expect(Math.sign(before.netValue)).toBe(-Math.sign(found.netValue));
    }),
  );
});

test('a window cuts a streak exactly if the last day before it that is not flat was on the same side', () => {
  const nets = fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 12 });
  fc.assert(
    fc.property(nets, fc.nat(12), (all, at) => {
      const days = daysOf(...all);
      const inWindow = days.slice(at);
      const found = currentStreak(inWindow);
      const sides = (of: typeof days) => of.map(({ netValue }) => Math.sign(netValue)).filter(Boolean);
      const hasOneSide = new Set(sides(inWindow)).size === 1;
      const wanted = hasOneSide && sides(days.slice(0, at)).at(-1) === sides(inWindow)[0];
      expect(isCut(found, days)).toBe(wanted);
    }),
  );
});
