import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

/**
 * Whether a day (calendar index) may still change. That is so after the last whole day, when far fewer stocks have data than usual,
 * and in real data today in Jakarta: the exchange amends a day until its evening, and an import may run earlier.
 */
export function isDayPartial({ dataset, panel }: LoadedDataset, day: number, today: string): boolean {
  return day > panel.lastWholeDay || (dataset.kind === 'real' && panel.columns.dates[day]! >= today);
}

/** Whether the last whole day may still change, of which answers about the whole market are. */
export function isLastDayPartial(loaded: LoadedDataset, today: string): boolean {
  return isDayPartial(loaded, loaded.panel.lastWholeDay, today);
}

/** The same for the last day of a stock (index) up to a day. */
export function isStocksLastDayPartial(
  loaded: LoadedDataset,
  ticker: number,
  today: string,
  asOfDay = loaded.panel.dayCount - 1,
): boolean {
  const { panel } = loaded;
  return isDayPartial(loaded, panel.columns.day[panel.lastRow(ticker, asOfDay)]!, today);
}
