import type { DaySpan } from '../broker-flow/flow-builder.ts';
import type { Panel } from '../panel/panel.ts';

/** A stock (index) in a window of days. */
export interface StockWindow extends DaySpan {
  ticker: number;
  /** Its panel rows in the window: `from` inclusive, `end` exclusive; at least one. */
  from: number;
  end: number;
  /** As traded, IDR: of its last row in the window. */
  close: number;
  /** IDR. */
  tradedValue: number;
  /** IDR a day since the listing, days without trades included. */
  averageDailyValue: number;
}

/** undefined for a stock without a row in the window. */
export function stockWindow(panel: Panel, ticker: number, window: DaySpan): StockWindow | undefined {
  const { firstDay, lastDay } = window;
  const { day, close, value } = panel.columns;
  const [from, end] = [panel.endRow(ticker, firstDay - 1), panel.endRow(ticker, lastDay)];
  if (from === end) return undefined;
  let tradedValue = 0;
  for (let row = from; row < end; row++) tradedValue += value[row]!;
  const daysListed = lastDay + 1 - Math.max(firstDay, day[panel.firstRow(ticker)]!);
  const averageDailyValue = tradedValue / daysListed;
  return { firstDay, lastDay, ticker, from, end, close: close[end - 1]!, tradedValue, averageDailyValue };
}
