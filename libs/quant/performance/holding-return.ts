import type { Panel } from '../panel/panel.ts';

/** What holding a stock from the close of one row to the close of a later one brought, as fractions of the first close. */
interface HoldingReturn {
  price: number;
  /** With dividends, each reinvested at the close of its ex-day, before tax. */
  total: number;
  /** Sum of the dividends, IDR for a share in the terms of the last row. */
  dividends: number;
}

/**
 * Return between two rows of a stock. A dividend counts if its ex-day is after the first row: who held the stock at that close gets it.
 * Adjusted closes alone give the price return, since a dividend restates no price.
 * @param dividends IDR for a share in the terms of its day, by row
 */
export function holdingReturn(
  panel: Panel,
  first: number,
  last: number,
  dividends: ReadonlyMap<number, number>,
): HoldingReturn {
  const { close } = panel.columns;
  const growth = close[last]! / (close[first]! * panel.priceScale(first, last));
  const total = growth * reinvestment(panel, first, last, dividends) - 1;
  let sum = 0;
  for (const [row, amount] of dividends)
    if (row > first && row <= last) sum += amount * panel.priceScale(row, last);
  return { price: growth - 1, total, dividends: sum };
}

/**
 * Shares that one share of a row is by a later row, splits aside, if every dividend between them buys more at the close of its ex-day.
 * @param dividends as for {@link holdingReturn}
 */
export function reinvestment(
  { columns }: Panel,
  first: number,
  last: number,
  dividends: ReadonlyMap<number, number>,
): number {
  let shares = 1;
  for (const [row, amount] of dividends)
    if (row > first && row <= last) shares *= 1 + amount / columns.close[row]!;
  return shares;
}
