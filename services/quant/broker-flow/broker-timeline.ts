import type { BrokerFlow } from './broker-flow.ts';
import { forEachRowOfBroker } from './rows-of-broker.ts';
import { currentStreak, type Streak } from './streak.ts';
import type { StockSpan } from './trading.ts';

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

export interface TimelineSignals {
  /** Calendar index of the first day of net buying, -1 when there was none. */
  firstNetBuyDay: number;
  /**
   * Calendar index of the first day with purchases of {@link LARGE_BUY_IDR}, -1 when there was none. Gross purchases:
   * net rows do not tell what was bought.
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
