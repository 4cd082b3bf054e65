import type { GetQuotesResponse, Quote } from '#proto/saring/market_data/v1/market_data.ts';
import { ofVersion, changePct } from './adjustment.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

/**
 * Quotes of the dataset's last whole day or, of stocks that have traded since, of a partial day. Tickers that did not trade on it, or
 * are unknown, are left out, and those whose change no source tells, since a quote always has one.
 */
export function quotesOf({ dataset, panel }: LoadedDataset, tickers: string[]): GetQuotesResponse {
  const quotes: Record<string, Quote> = {};
  const { close, day, dates } = panel.columns;
  for (const ticker of tickers) {
    const index = panel.tickerIndex(ticker);
    const row = index < 0 ? -1 : panel.lastTradedRow(index, panel.dayCount - 1);
    if (row < 0 || day[row]! < panel.lastWholeDay) continue;
    const change_pct = changePct(panel, row);
    if (change_pct !== undefined)
      quotes[ticker] = { close: close[row]!, change_pct, date: dates[day[row]!]! };
  }
  return { quotes, ...ofVersion(dataset, panel) };
}
