import type { Panel } from '#quant/panel/panel.ts';

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

/** Four decimals: finer than any price or percentage means, and without the noise of binary fractions. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Six decimals, for fractions: a hundredth of a basis point. */
export function roundedFraction(value: number): number {
  return Math.round(value * 1_000_000) / 1_000_000;
}

/** Rounds every number; what is null for lack of history or of a source is absent on the wire. */
export function withoutNulls(numbers: object): Record<string, number> {
  const wire: Record<string, number> = {};
  for (const [name, value] of Object.entries(numbers) as [string, number | null][]) {
    if (value !== null) wire[name] = rounded(value);
  }
  return wire;
}

/** Change of a close against the reference price of its day, percent; 0 where there is no reference price. */
export function changePct(close: number, previous: number): number {
  return previous > 0 ? rounded(100 * (close / previous - 1)) : 0;
}
