import type { Panel } from '#quant/panel/panel.ts';

/** Included in every response of market data; see {@link adjustment} for its meaning. */
export function adjustedAs(panel: Panel) {
  return { adjusted: true, adjusted_to: panel.columns.dates[adjustedTo(panel)]! };
}

/** Calendar index of the day to which the prices and share counts of every response are adjusted. */
export function adjustedTo(panel: Panel): number {
  return panel.dayCount - 1;
}

/** Scales that adjust the rows of a stock (index) to its last day in the dataset, or to its last one up to `asOfDay`. */
export function adjustment(panel: Panel, ticker: number, asOfDay = adjustedTo(panel)) {
  const { close } = panel.columns;
  const asOfRow = panel.lastRow(ticker, asOfDay);
  return {
    priceScale: (row: number) => panel.priceScale(row, asOfRow),
    shareScale: (row: number) => panel.shareScale(row, asOfRow),
    /** In IDR. */
    close: (row: number) => rounded(close[row]! * panel.priceScale(row, asOfRow)),
  };
}

/** Four decimals: finer than any meaningful price or percentage, and free of binary rounding noise. */
export function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

/** Six decimals, for fractions: a hundredth of a basis point. */
export function roundedFraction(value: number): number {
  return Math.round(value * 1_000_000) / 1_000_000;
}

/** Rounds every number. Null, for missing history or a missing source, is absent on the wire. */
export function withoutNulls(numbers: object): Record<string, number> {
  const wire: Record<string, number> = {};
  for (const [name, value] of Object.entries(numbers) as [string, number | null][]) {
    if (value !== null) wire[name] = rounded(value);
  }
  return wire;
}

/** Change of a close against the reference price of its day, in percent; 0 without a reference price. */
export function changePct(close: number, previous: number): number {
  return previous > 0 ? rounded(100 * (close / previous - 1)) : 0;
}
