import type { Panel } from '#quant/panel/panel.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

/** On complete days the number of tickers that trade stays within 5 % of its usual one. */
const COMPLETE_SHARE = 0.8;
const USUAL_OVER_DAYS = 20;
/** With a shorter past nothing is usual. */
const MIN_DAYS = 5;

/**
 * Whether the last day of a dataset may still change: for real data, when it is today's in Jakarta (the exchange
 * amends a day until its evening, and an import can come before), or when far fewer tickers traded on it than usual.
 */
export function isLastDayPartial({ dataset, panel }: LoadedDataset, today: string): boolean {
  if (dataset.kind === 'real' && dataset.last_date >= today) return true;
  let isThin = thin.get(panel);
  if (isThin === undefined) thin.set(panel, (isThin = isLastDayThin(panel)));
  return isThin;
}

/** The same of the last day of a stock (index): a stock that stopped earlier has no day that may change. */
export function isStocksLastDayPartial(loaded: LoadedDataset, ticker: number, today: string): boolean {
  const { panel } = loaded;
  return panel.rowAt(ticker, panel.dayCount - 1) >= 0 && isLastDayPartial(loaded, today);
}

/** Counting the market on every request would cost more than the answer itself. */
const thin = new WeakMap<Panel, boolean>();

function isLastDayThin(panel: Panel): boolean {
  const lastDay = panel.dayCount - 1;
  const firstDay = Math.max(0, lastDay - USUAL_OVER_DAYS);
  if (lastDay - firstDay < MIN_DAYS) return false;
  const counts = Array.from({ length: lastDay - firstDay }, (_, i) => tradedTickers(panel, firstDay + i));
  const usual = counts.toSorted((a, b) => a - b)[Math.floor(counts.length / 2)]!;
  return tradedTickers(panel, lastDay) < COMPLETE_SHARE * usual;
}

function tradedTickers(panel: Panel, day: number): number {
  const { volume } = panel.columns;
  return panel.rowsOn(day).reduce((count, row) => count + (row >= 0 && volume[row]! > 0 ? 1 : 0), 0);
}
