import type { Panel } from '#quant/panel/panel.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

/** On complete days, the number of traded tickers stays within 5 % of the usual number. */
const COMPLETE_SHARE = 0.8;
const USUAL_OVER_DAYS = 20;
/** A shorter history has no usual number. */
const MIN_DAYS = 5;

/**
 * Whether the last day of a dataset may still change. That is so for real data if it is today in Jakarta (the exchange
 * amends a day until its evening, and an import may run earlier), and for any data if far fewer tickers than usual
 * traded on it.
 */
export function isLastDayPartial({ dataset, panel }: LoadedDataset, today: string): boolean {
  if (dataset.kind === 'real' && dataset.last_date >= today) return true;
  let isThin = thin.get(panel);
  if (isThin === undefined) thin.set(panel, (isThin = isLastDayThin(panel)));
  return isThin;
}

/**
 * The same for the last day of a stock (index). If the stock has no row on the dataset's last day, nothing may change.
 */
export function isStocksLastDayPartial(loaded: LoadedDataset, ticker: number, today: string): boolean {
  const { panel } = loaded;
  return panel.rowAt(ticker, panel.dayCount - 1) >= 0 && isLastDayPartial(loaded, today);
}

/** Cached, because counting the market on every request would cost more than the response itself. */
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
