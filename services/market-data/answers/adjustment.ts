import type { Panel } from '#quant/panel/panel.ts';
import { rounded } from './rounding.ts';

/** Part of every answer of market data; see {@link adjustment} for what it says. */
export const ADJUSTED = { adjusted: true } as const;

/** Calendar index of the day in whose terms the prices and share counts of every answer are. */
export function adjustedTo(panel: Panel): number {
  return panel.dayCount - 1;
}

/** The rows of a stock (index) in the terms of its last day in the dataset. */
export function adjustment(panel: Panel, ticker: number) {
  const { close } = panel.columns;
  const asOfRow = panel.lastRow(ticker, adjustedTo(panel));
  return {
    priceScale: (row: number) => panel.priceScale(row, asOfRow),
    shareScale: (row: number) => panel.shareScale(row, asOfRow),
    /** IDR. */
    close: (row: number) => rounded(close[row]! * panel.priceScale(row, asOfRow)),
  };
}
