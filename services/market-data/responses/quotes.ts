import type { GetQuotesResponse, Quote } from '#proto/saring/market_data/v1/market_data.ts';
import { adjustedAs, changePct } from './adjustment.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

/** Quotes of the dataset's last day. Tickers that did not trade on it, or are unknown, are left out. */
export function quotesOf({ dataset, panel }: LoadedDataset, tickers: string[]): GetQuotesResponse {
  const quotes: Record<string, Quote> = {};
  const lastDay = panel.dayCount - 1;
  const { close, previous, volume, dates } = panel.columns;
  for (const ticker of tickers) {
    const index = panel.tickerIndex(ticker);
    const row = index < 0 ? -1 : panel.rowAt(index, lastDay);
    if (row < 0 || volume[row] === 0) continue;
    quotes[ticker] = {
      close: close[row]!,
      change_pct: changePct(close[row]!, previous[row]!),
      date: dates[lastDay]!,
    };
  }
  return { quotes, dataset_version: dataset.version, ...adjustedAs(panel) };
}
