import type { Panel } from '../panel/panel.ts';
import type { FlowRowColumns, Market } from './flow-columns.ts';

/** Days of one stock in one market. */
export interface StockSpan {
  market: Market;
  /** Index of the panel. */
  ticker: number;
  /** Calendar indices, both included. */
  firstDay: number;
  lastDay: number;
}

/**
 * What somebody bought and sold of a stock over a span of days. Shares are restated for splits to the terms of the
 * span's last day; values, in IDR, are as they were. An average price is value / shares, never a mean of averages, and of
 * gross rows only: the differences of net rows may lie on different sides, shares bought and value sold.
 */
export interface Trading {
  buyShares: number;
  buyValue: number;
  sellShares: number;
  sellValue: number;
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
    ...{ buyShares: 0, buyValue: 0, sellShares: 0, sellValue: 0 },
    ...{ activeDays: 0, netBuyDays: 0, netSellDays: 0, hasNetRows: false },
  };
}

/** Adds a day's row, its shares multiplied by `shareScale`. */
export function addRow(
  trading: Trading,
  rows: FlowRowColumns,
  row: number,
  { shareScale, isNet }: { shareScale: number; isNet: boolean },
): void {
  const buyValue = rows.buy_value[row]!;
  const sellValue = rows.sell_value[row]!;
  trading.buyShares += rows.buy_shares[row]! * shareScale;
  trading.sellShares += rows.sell_shares[row]! * shareScale;
  trading.buyValue += buyValue;
  trading.sellValue += sellValue;
  trading.activeDays += 1;
  if (buyValue > sellValue) trading.netBuyDays += 1;
  if (buyValue < sellValue) trading.netSellDays += 1;
  trading.hasNetRows ||= isNet;
}

export function netValue({ buyValue, sellValue }: Trading): number {
  return buyValue - sellValue;
}

export function netShares({ buyShares, sellShares }: Trading): number {
  return buyShares - sellShares;
}

/** By day of the span: what its share counts are multiplied by to be in the terms of the span's last day. */
export function shareScaleOf(
  panel: Panel,
  { ticker, firstDay, lastDay }: StockSpan,
): (day: number) => number {
  const asOfRow = barOf(panel, ticker, lastDay);
  if (!hasSplit(panel, barOf(panel, ticker, firstDay), asOfRow)) return () => 1;
  return (day) => panel.shareScale(barOf(panel, ticker, day), asOfRow);
}

/** The bar in whose terms a day's shares are: the latest up to it, before the listing the first. */
function barOf(panel: Panel, ticker: number, day: number): number {
  return Math.max(panel.firstRow(ticker), panel.lastRow(ticker, day));
}

/** Few spans have one, and to look for it is cheaper than to look up the bar of every day. */
function hasSplit({ columns }: Panel, fromRow: number, toRow: number): boolean {
  for (let row = fromRow + 1; row <= toRow; row++) if (columns.share_factor[row] !== 1) return true;
  return false;
}
