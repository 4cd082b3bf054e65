import type { Panel } from '../panel/panel.ts';
import { forEachRowOfBroker, type BrokerFlow, type StockSpan } from './broker-flow.ts';
import { termsOf } from './broker-totals.ts';
import { numberAt } from './packed-column.ts';

/** What a broker did in a stock on a day it traded; shares and units as in {@link Trading}, IDR not adjusted. */
export interface BrokerDay {
  /** Calendar index. */
  day: number;
  buyShares: number;
  buyValue: number;
  sellShares: number;
  sellValue: number;
  buyUnits: number;
  sellUnits: number;
  netValue: number;
  /** Sum of `netValue` from the first day of the timeline to this one. */
  cumNetValue: number;
  /** Whether the day has net rows: only the difference of the sides is known. */
  hasNetRows: boolean;
}

interface TimelineSignals {
  /** Calendar index of the first day of net buying, -1 when there was none. */
  firstNetBuyDay: number;
  /**
   * Calendar index of the first day with gross purchases of at least {@link LARGE_BUY_IDR}, -1 when there was none. Days with
   * net rows are skipped: they do not show gross purchases.
   */
  firstLargeBuyDay: number;
  streak: Streak;
}

export const LARGE_BUY_IDR = 1e9;

/** The days of the span on which the broker (index) traded, ascending. */
export function brokerTimeline(panel: Panel, flow: BrokerFlow, span: StockSpan, broker: number): BrokerDay[] {
  const { buy_shares, buy_value, sell_shares, sell_value } = flow.columns;
  const days: BrokerDay[] = [];
  const termsOn = termsOf(panel, span);
  let cumNetValue = 0;
  forEachRowOfBroker(flow, span, broker, (row, day) => {
    const [buyValue, sellValue] = [numberAt(buy_value, row), numberAt(sell_value, row)];
    const netValue = buyValue - sellValue;
    cumNetValue += netValue;
    const [bought, sold, terms] = [numberAt(buy_shares, row), numberAt(sell_shares, row), termsOn(day)];
    const shares = { buyShares: bought * terms.shares, sellShares: sold * terms.shares };
    const units = { buyUnits: bought / terms.price, sellUnits: sold / terms.price };
    const hasNetRows = flow.isNet(span.market, span.ticker, day);
    days.push({ day, ...shares, ...units, buyValue, sellValue, netValue, cumNetValue, hasNetRows });
  });
  return days;
}

/** Signals from the days of a timeline alone. Days before the timeline are not considered. */
export function timelineSignals(days: readonly BrokerDay[]): TimelineSignals {
  return {
    firstNetBuyDay: days.find(({ netValue }) => netValue > 0)?.day ?? -1,
    firstLargeBuyDay:
      days.find(({ hasNetRows, buyValue }) => !hasNetRows && buyValue >= LARGE_BUY_IDR)?.day ?? -1,
    streak: currentStreak(days),
  };
}

/** The latest run of days on one side. */
interface Streak {
  side: 'ACCUMULATION' | 'DISTRIBUTION' | 'NONE';
  /** The day it began, -1 for NONE. */
  startDay: number;
  /** Days on that side. */
  days: number;
  /** IDR over those days. */
  netValue: number;
}

/**
 * The streak at the end of `days`, which ascend and each have a trade. It goes back to the last day on which the other side
 * prevailed. A day with equal purchases and sales does not break a streak, does not count, and is neither its start nor its
 * end. Days without a trade are not in `days` and do not break a streak either.
 */
export function currentStreak(days: readonly { day: number; netValue: number }[]): Streak {
  const streak: Streak = { side: 'NONE', startDay: -1, days: 0, netValue: 0 };
  for (const { day, netValue } of days.toReversed()) {
    if (netValue === 0) continue;
    const side = netValue > 0 ? 'ACCUMULATION' : 'DISTRIBUTION';
    if (streak.side === 'NONE') streak.side = side;
    else if (streak.side !== side) break;
    streak.startDay = day;
    streak.days += 1;
    streak.netValue += netValue;
  }
  return streak;
}

/** Whether a streak of a window began before it. `days` are those of the window after all earlier ones. */
export function isCut(
  { side, startDay }: Streak,
  days: readonly { day: number; netValue: number }[],
): boolean {
  return side !== 'NONE' && currentStreak(days).startDay < startDay;
}
