import type { Panel } from '../panel/panel.ts';
import { forEachRowOfBroker, type FlowRowColumns, type BrokerFlow, type StockSpan } from './broker-flow.ts';

/**
 * What a broker, or several, bought and sold of a stock over a span of days. Shares are restated for splits to the terms
 * of the span's as-of day; values, in IDR, are as they were. An average price is value / units, never a mean of averages,
 * and of gross rows only: the differences of net rows may lie on different sides, shares bought and value sold.
 */
export interface Trading {
  buyShares: number;
  buyValue: number;
  sellShares: number;
  sellValue: number;
  /**
   * The same shares restated as prices are, which is also for rights and bonus issues, so that value / units compares
   * with adjusted closes. Other than shares only across such an issue, or where the exchange rounded a reference price.
   */
  buyUnits: number;
  sellUnits: number;
  /** Days with a row. */
  activeDays: number;
  /** Days on which more value was bought than sold, and the other way round. */
  netBuyDays: number;
  netSellDays: number;
  /** Whether only the difference of the sides is known of any of the days. */
  hasNetRows: boolean;
}

export function noTrading(): Trading {
  return {
    buyShares: 0,
    buyValue: 0,
    sellShares: 0,
    sellValue: 0,
    buyUnits: 0,
    sellUnits: 0,
    activeDays: 0,
    netBuyDays: 0,
    netSellDays: 0,
    hasNetRows: false,
  };
}

/** What the numbers of a day are multiplied by to be in the terms of the as-of day. */
interface Terms {
  shares: number;
  price: number;
}

/** Adds a day's row. */
function addRow(
  trading: Trading,
  rows: FlowRowColumns,
  row: number,
  { terms, isNet }: { terms: Terms; isNet: boolean },
): void {
  const buyValue = rows.buy_value[row]!;
  const sellValue = rows.sell_value[row]!;
  trading.buyShares += rows.buy_shares[row]! * terms.shares;
  trading.sellShares += rows.sell_shares[row]! * terms.shares;
  trading.buyUnits += rows.buy_shares[row]! / terms.price;
  trading.sellUnits += rows.sell_shares[row]! / terms.price;
  trading.buyValue += buyValue;
  trading.sellValue += sellValue;
  trading.activeDays += 1;
  if (buyValue > sellValue) trading.netBuyDays += 1;
  if (buyValue < sellValue) trading.netSellDays += 1;
  trading.hasNetRows ||= isNet;
}

export function netValue({ buyValue, sellValue }: Pick<Trading, 'buyValue' | 'sellValue'>): number {
  return buyValue - sellValue;
}

export function netShares({ buyShares, sellShares }: Trading): number {
  return buyShares - sellShares;
}

const AS_THEY_WERE: Terms = { shares: 1, price: 1 };

/** By day of the span. */
export function termsOf(
  panel: Panel,
  { ticker, firstDay, lastDay, asOfDay = lastDay }: StockSpan,
): (day: number) => Terms {
  const asOfRow = barOf(panel, ticker, asOfDay);
  if (!hasAction(panel, barOf(panel, ticker, firstDay), asOfRow)) return () => AS_THEY_WERE;
  return (day) => {
    const row = barOf(panel, ticker, day);
    return { shares: panel.shareScale(row, asOfRow), price: panel.priceScale(row, asOfRow) };
  };
}

/** The bar in whose terms a day's shares are: the latest up to it, before the listing the first. */
function barOf(panel: Panel, ticker: number, day: number): number {
  return Math.max(panel.firstRow(ticker), panel.lastRow(ticker, day));
}

/** A corporate action. Few spans have one, and to look for it is cheaper than to look up the bar of every day. */
function hasAction({ columns }: Panel, fromRow: number, toRow: number): boolean {
  const { factor, share_factor } = columns;
  for (let row = fromRow + 1; row <= toRow; row++) {
    if (factor[row] !== 1 || share_factor[row] !== 1) return true;
  }
  return false;
}

/** What one broker (index) did in one stock over a span of days. */
export interface BrokerTotal extends Trading {
  broker: number;
}

/** Every broker with a row in the span, in the order of their codes. Days that are not held count as without rows. */
export function brokerTotals(panel: Panel, flow: BrokerFlow, span: StockSpan): BrokerTotal[] {
  const { columns } = flow;
  const totals = new Array<BrokerTotal | undefined>(columns.brokers.codes.length).fill(undefined);
  const termsOn = termsOf(panel, span);
  for (let day = span.firstDay; day <= span.lastDay; day++) {
    const { from, to } = flow.rows(span.market, span.ticker, day);
    if (from === to) continue;
    const ofDay = { terms: termsOn(day), isNet: flow.isNet(span.market, span.ticker, day) };
    for (let row = from; row < to; row++) {
      const broker = columns.broker[row]!;
      addRow((totals[broker] ??= { broker, ...noTrading() }), columns, row, ofDay);
    }
  }
  return totals.filter((total) => total !== undefined);
}

/** What one broker did in the span, undefined when it did not trade: that entry of {@link brokerTotals} by itself. */
export function oneBrokerTotal(
  panel: Panel,
  flow: BrokerFlow,
  span: StockSpan,
  broker: number,
): BrokerTotal | undefined {
  let total: BrokerTotal | undefined;
  let termsOn: ((day: number) => Terms) | undefined;
  forEachRowOfBroker(flow, span, broker, (row, day) => {
    total ??= { broker, ...noTrading() };
    termsOn ??= termsOf(panel, span);
    const isNet = flow.isNet(span.market, span.ticker, day);
    addRow(total, flow.columns, row, { terms: termsOn(day), isNet });
  });
  return total;
}

/** What one broker did in one stock (index) over a span of days. */
export interface StockTotal extends Trading {
  ticker: number;
}

/** Tickers of a panel, by index: `from` inclusive, `to` exclusive. */
interface TickerRange {
  from: number;
  to: number;
}

/**
 * Every stock among `tickers` that the broker (index) traded in the span, in the order of tickers. Runs through every
 * row of the span: of a thousand stocks and 120 days two to three million, which take some ten milliseconds. Who must
 * not be held up for so long asks for a part of the tickers at a time.
 */
export function brokerStocks(
  panel: Panel,
  flow: BrokerFlow,
  span: Omit<StockSpan, 'ticker'>,
  broker: number,
  tickers: TickerRange = { from: 0, to: panel.tickerCount },
): StockTotal[] {
  const stocks: StockTotal[] = [];
  for (let ticker = tickers.from; ticker < Math.min(tickers.to, panel.tickerCount); ticker++) {
    const total = oneBrokerTotal(panel, flow, { ...span, ticker }, broker);
    if (total) stocks.push({ ...total, ticker });
  }
  return stocks;
}
