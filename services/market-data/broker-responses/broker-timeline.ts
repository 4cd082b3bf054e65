import type {
  BrokerDay,
  BrokerTimelineSignals,
  BrokerTimelineSummary,
  GetBrokerTimelineResponse,
} from '#proto/saring/market_data/v1/market_data.ts';
import {
  brokerTimeline,
  isCut,
  timelineSignals,
  type BrokerDay as Day,
} from '#quant/broker-rows/broker-timeline.ts';
import type { Market } from '#quant/broker-rows/broker-flow.ts';
import { oneBrokerTotal, type BrokerTotal } from '#quant/broker-rows/broker-totals.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { averagePrice, bought, net, sold, noBrokerRows, requireBroker } from './broker-figures.ts';
import { ofVersionWithBrokers, adjustedTo, adjustment, rounded } from '../responses/adjustment.ts';
import { requireTicker } from '../responses/tickers.ts';
import { calendarDayWindow } from '../responses/trading-day.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

/**
 * The trades of one broker in one stock over the calendar days up to the latest trading day. `today` is the day in
 * Jakarta.
 * @throws ServiceError not_found for an unknown ticker or a broker without rows in the window
 */
export function brokerTimelineOf(
  { dataset, panel, brokerFlow: flow }: LoadedDataset,
  request: { ticker: string; broker: string; days: number; market: Market },
  today: string,
): GetBrokerTimelineResponse {
  const { days, market } = request;
  const { ticker, index } = requireTicker(panel, request.ticker);
  const { broker, index: brokerIndex } = requireBroker(flow, request.broker);
  const { firstDay, lastDay, date_from, date_to } = calendarDayWindow(panel, days, today);
  const span = { market, ticker: index, firstDay, lastDay, asOfDay: adjustedTo(panel) };
  const total = oneBrokerTotal(panel, flow, span, brokerIndex);
  if (!total) throw noBrokerRows(`${broker} in ${ticker}, ${market}, from ${date_from} to ${date_to}`);
  const timeline = brokerTimeline(panel, flow, span, brokerIndex);
  return {
    ticker,
    broker,
    broker_name: flow.columns.brokers.names[brokerIndex] ?? undefined,
    market,
    days,
    date_from,
    date_to,
    timeline: timeline.map((day) => dayOnTheWire(panel, index, day)),
    signals: signalsOf(
      panel,
      timeline,
      brokerTimeline(panel, flow, { ...span, firstDay: 0, lastDay: firstDay - 1 }, brokerIndex),
    ),
    summary: summaryOf(total, adjustment(panel, index).close(panel.lastRow(index, lastDay))),
    ...ofVersionWithBrokers(dataset, panel),
  };
}

function dayOnTheWire(panel: Panel, ticker: number, of: Day): BrokerDay {
  const { day, cumNetValue } = of;
  return {
    date: panel.columns.dates[day]!,
    close: adjustment(panel, ticker).close(panel.lastRow(ticker, day)),
    ...bought(of),
    ...sold(of),
    ...net(of),
    cum_net_value: cumNetValue,
  };
}

/** @param earlier days of the broker before the window, of which only the streak at their end matters */
function signalsOf(panel: Panel, timeline: Day[], earlier: Day[]): BrokerTimelineSignals {
  const dateOf = (day: number) => (day < 0 ? undefined : panel.columns.dates[day]);
  const { firstNetBuyDay, firstLargeBuyDay, streak } = timelineSignals(timeline);
  return {
    first_net_buy_date: dateOf(firstNetBuyDay),
    first_buy_above_1b_date: dateOf(firstLargeBuyDay),
    current_streak: {
      side: streak.side,
      start_date: dateOf(streak.startDay),
      days: streak.days,
      net_value: streak.netValue,
      is_cut: isCut(streak, [...earlier, ...timeline]),
    },
  };
}

function summaryOf(total: BrokerTotal, latestClose: number): BrokerTimelineSummary {
  const { buyValue, buyUnits, activeDays, hasNetRows } = total;
  const hasCost = buyUnits > 0 && buyValue > 0 && !hasNetRows;
  return {
    ...net(total),
    avg_cost: averagePrice(buyValue, buyUnits, hasNetRows),
    unrealised_pct: hasCost ? rounded(100 * (latestClose / (buyValue / buyUnits) - 1)) : undefined,
    active_days: activeDays,
  };
}
