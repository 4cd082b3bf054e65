import { forEachRowOfBroker, type BrokerFlow, type StockSpan } from './broker-flow.ts';

/** What a broker did in a stock on a day it traded; shares and IDR as they were on that day. */
export interface BrokerDay {
  /** Calendar index. */
  day: number;
  buyShares: number;
  buyValue: number;
  sellShares: number;
  sellValue: number;
  netValue: number;
  /** Sum of `netValue` from the first day of the timeline to this one. */
  cumNetValue: number;
  /** Whether only the difference of the sides is known. */
  isNet: boolean;
}

interface TimelineSignals {
  /** Calendar index of the first day of net buying, -1 when there was none. */
  firstNetBuyDay: number;
  /**
   * Calendar index of the first day with purchases of {@link LARGE_BUY_IDR}, -1 when there was none. Gross purchases:
   * net rows do not show what was bought.
   */
  firstLargeBuyDay: number;
  streak: Streak;
}

export const LARGE_BUY_IDR = 1e9;

/** The days of the span on which the broker (index) traded, ascending. */
export function brokerTimeline(flow: BrokerFlow, span: StockSpan, broker: number): BrokerDay[] {
  const { buy_shares, buy_value, sell_shares, sell_value } = flow.columns;
  const days: BrokerDay[] = [];
  let cumNetValue = 0;
  forEachRowOfBroker(flow, span, broker, (row, day) => {
    const [buyValue, sellValue] = [buy_value[row]!, sell_value[row]!];
    const netValue = buyValue - sellValue;
    cumNetValue += netValue;
    const shares = { buyShares: buy_shares[row]!, sellShares: sell_shares[row]! };
    const isNet = flow.isNet(span.market, span.ticker, day);
    days.push({ day, ...shares, buyValue, sellValue, netValue, cumNetValue, isNet });
  });
  return days;
}

/** What follows from the days of a timeline, and only from those: what came before them is not looked at. */
export function timelineSignals(days: readonly BrokerDay[]): TimelineSignals {
  return {
    firstNetBuyDay: days.find(({ netValue }) => netValue > 0)?.day ?? -1,
    firstLargeBuyDay: days.find(({ isNet, buyValue }) => !isNet && buyValue >= LARGE_BUY_IDR)?.day ?? -1,
    streak: currentStreak(days),
  };
}

type StreakSide = 'ACCUMULATION' | 'DISTRIBUTION' | 'NONE';

/** The latest run of days on one side. */
interface Streak {
  side: StreakSide;
  /** The day it began, -1 for NONE. */
  startDay: number;
  /** Days on that side. */
  days: number;
  /** IDR over those days. */
  netValue: number;
}

/**
 * The streak with which `days`, ascending and each with a trade, end: back to the day before which the other side
 * prevailed. A day on which as much was bought as sold neither breaks a streak nor counts, begins or ends one. Days
 * without a trade are not among `days` and break nothing either.
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
