import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BrokerStock, ListBrokerStocksResponse } from '#proto/saring/market_data/v1/market_data.ts';
import type { BrokerFlow, Market, StockSpan } from '#quant/broker-rows/broker-flow.ts';
import { brokerStocks, type StockTotal } from '#quant/broker-rows/broker-totals.ts';
import { hasGrossRowsThroughout } from '#quant/broker-rows/completeness.ts';
import { largest, netSides, type RankedBy } from '#quant/broker-rows/ranking.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { priceChangePct, sumOverDays } from '#quant/panel/windows.ts';
import { bought, net, noBrokerRows, requireBroker } from './broker-figures.ts';
import { ofVersionWithBrokers, adjustedTo, adjustment, rounded } from '../responses/adjustment.ts';
import { tradingDayWindow } from '../responses/trading-day.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

/** Over 120 days these are half a million rows, which take a few milliseconds. */
const TICKERS_A_TURN = 200;

/**
 * The stocks that one broker net bought and net sold most over the trading days up to the latest one. `today` is the
 * day in Jakarta.
 * @throws ServiceError not_found for a broker without rows in the window
 */
export async function brokerStocksOf(
  { dataset, panel, brokerFlow: flow }: LoadedDataset,
  request: { broker: string; days: number; market: Market; top_n: number; sort_by: RankedBy },
  today: string,
): Promise<ListBrokerStocksResponse> {
  const { days, market, top_n, sort_by } = request;
  const { broker, index } = requireBroker(flow, request.broker);
  const { firstDay, lastDay, date_from, date_to } = tradingDayWindow(panel, days, today);
  const span = { market, firstDay, lastDay, asOfDay: adjustedTo(panel) };
  const stocks = await stocksOf(panel, flow, span, index);
  if (stocks.length === 0) throw noBrokerRows(`${broker} in ${market} from ${date_from} to ${date_to}`);
  const { buying, selling } = netSides(sort_by);
  const onTheWire = (total: StockTotal) => brokerStock(panel, flow, span, total);
  return {
    broker,
    broker_name: flow.columns.brokers.names[index] ?? undefined,
    market,
    sort_by,
    days,
    date_from,
    date_to,
    accumulated: largest(stocks, buying, top_n).map(onTheWire),
    distributed: largest(stocks, selling, top_n).map(onTheWire),
    ...ofVersionWithBrokers(dataset, panel),
  };
}

/** Yields to other requests in between: the longest window over the whole market takes too long for one turn. */
async function stocksOf(
  panel: Panel,
  flow: BrokerFlow,
  span: Omit<StockSpan, 'ticker'>,
  broker: number,
): Promise<StockTotal[]> {
  const stocks: StockTotal[] = [];
  for (let from = 0; from < panel.tickerCount; from += TICKERS_A_TURN) {
    if (from > 0) await nextTurn();
    stocks.push(...brokerStocks(panel, flow, span, broker, { from, to: from + TICKERS_A_TURN }));
  }
  return stocks;
}

function brokerStock(
  panel: Panel,
  flow: BrokerFlow,
  window: Omit<StockSpan, 'ticker'>,
  total: StockTotal,
): BrokerStock {
  const { ticker, sellValue, netBuyDays, netSellDays } = total;
  const { columns } = panel;
  const { buy_value, avg_buy_price } = bought(total);
  const change = priceChangePct(panel, ticker, window.firstDay, window.lastDay);
  return {
    ticker: columns.tickers[ticker]!,
    close: adjustment(panel, ticker).close(panel.lastRow(ticker, window.lastDay)),
    buy_value,
    sell_value: sellValue,
    ...net(total),
    avg_buy_price,
    net_buy_days: netBuyDays,
    net_sell_days: netSellDays,
    price_change_pct: change === null ? undefined : rounded(change),
    share_of_turnover_pct: shareOfTurnoverPct(panel, flow, { ...window, ticker }, total),
  };
}

/**
 * Undefined unless both sides of every broker are known for every day. The share of an incomplete sum would be wrong.
 */
function shareOfTurnoverPct(
  panel: Panel,
  flow: BrokerFlow,
  span: StockSpan,
  { buyValue, sellValue }: StockTotal,
): number | undefined {
  const { ticker, firstDay, lastDay } = span;
  const value = span.market === 'REG' ? panel.columns.value : panel.columns.nego_value;
  const turnover = sumOverDays(panel, ticker, lastDay, lastDay + 1 - firstDay, (row) => value[row]!);
  if (!(turnover > 0) || !hasGrossRowsThroughout(panel, flow, span)) return undefined;
  return rounded((100 * (buyValue + sellValue)) / 2 / turnover);
}
