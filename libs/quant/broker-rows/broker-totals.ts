import type { Panel } from '../panel/panel.ts';
import { forEachRowOfBroker, type FlowRowColumns, type BrokerFlow, type StockSpan } from './broker-flow.ts';
import { numberAt } from './packed-column.ts';
import { cumShareFactorAt, factorAt } from '../panel/adjustment-factors.ts';

/**
 * What one or more brokers bought and sold of a stock over a span of days. Shares are adjusted for splits to the span's as-of
 * day; values, in IDR, are not adjusted. An average price is value / units, never a mean of averages, and uses gross rows
 * only: in net rows the two differences may lie on different sides, with shares bought and value sold.
 */
export interface Trading {
  buyShares: number;
  buyValue: number;
  sellShares: number;
  sellValue: number;
  /**
   * The same shares, adjusted as prices are: for rights and bonus issues too, so that value / units compares with adjusted
   * closes. Differs from the shares only across such an issue, or where the exchange rounded a reference price.
   */
  buyUnits: number;
  sellUnits: number;
  /** Days with at least one row. */
  activeDays: number;
  /** Days on which more value was bought than sold, and the reverse. */
  netBuyDays: number;
  netSellDays: number;
  /** Whether any of the days has net rows: only the difference of the sides is known. */
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

/** Factors that adjust a day's shares and prices to the as-of day. Shares / `price` are units. */
interface Terms {
  shares: number;
  price: number;
}

/** Adds the row of one day. */
function addRow(
  trading: Trading,
  rows: FlowRowColumns,
  row: number,
  { terms, isNet }: { terms: Terms; isNet: boolean },
): void {
  const buyValue = numberAt(rows.buy_value, row);
  const sellValue = numberAt(rows.sell_value, row);
  const bought = numberAt(rows.buy_shares, row);
  const sold = numberAt(rows.sell_shares, row);
  trading.buyShares += bought * terms.shares;
  trading.sellShares += sold * terms.shares;
  trading.buyUnits += bought / terms.price;
  trading.sellUnits += sold / terms.price;
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

/** Returns the adjustment factors for each day of the span. */
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

/** The bar that gives the terms of a day: the latest bar up to it, or the first bar for a day before the listing. */
function barOf(panel: Panel, ticker: number, day: number): number {
  return Math.max(panel.firstRow(ticker), panel.lastRow(ticker, day));
}

/** Whether the rows have a corporate action. Few spans have one, and this scan is cheaper than a bar look-up per day. */
function hasAction({ columns: { terms } }: Panel, fromRow: number, toRow: number): boolean {
  const shareFactor = cumShareFactorAt(terms, fromRow);
  for (let row = fromRow + 1; row <= toRow; row++) {
    if (factorAt(terms, row) !== 1 || cumShareFactorAt(terms, row) !== shareFactor) return true;
  }
  return false;
}

/** What one broker (index) did in one stock over a span of days. */
export interface BrokerTotal extends Trading {
  broker: number;
}

/** Totals of every broker with a row in the span, ordered by code. Days that are not held count as days without rows. */
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

/** Total of one broker in the span, equal to its entry in {@link brokerTotals}; undefined when it did not trade. */
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
 * Totals of every stock among `tickers` that the broker (index) traded in the span, ordered by ticker. Scans every row of the
 * span: two to three million rows for a thousand stocks and 120 days, which take some ten milliseconds. A caller that must
 * not block the event loop for so long processes a part of the tickers at a time.
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
