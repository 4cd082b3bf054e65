import type { Panel } from './panel.ts';

/**
 * How far the price of `ticker` (index) went over the days `firstDay` to `lastDay` (calendar indices, both included),
 * percent: its latest close up to `lastDay` against its latest close before `firstDay`, restated for corporate actions
 * in between. null when the stock was not listed before the days.
 */
export function priceChangePct(
  panel: Panel,
  ticker: number,
  firstDay: number,
  lastDay: number,
): number | null {
  const { close } = panel.columns;
  const baseRow = panel.lastRow(ticker, firstDay - 1);
  if (baseRow < 0) return null;
  const lastRow = panel.lastRow(ticker, lastDay);
  const base = close[baseRow]! * panel.priceScale(baseRow, lastRow);
  return base > 0 ? 100 * (close[lastRow]! / base - 1) : null;
}
