import type {
  GetMarketOverviewResponse,
  GetQuotesResponse,
  Mover,
  Quote,
} from '#proto/saring/market_data/v1/market_data.ts';
import type { MarketOverview, Mover as FoundMover } from '#quant/overview/market-overview.ts';
import { changePct, ofVersion, known, rounded } from './adjustment.ts';
import { isLastDayPartial } from './partial-day.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

/** The overview of a dataset's last day. `today` is the day in Jakarta. */
export function marketOverviewOf(
  loaded: LoadedDataset,
  overview: MarketOverview,
  today: string,
): GetMarketOverviewResponse {
  const { dataset, panel } = loaded;
  return {
    date: panel.columns.dates[overview.day]!,
    is_partial: isLastDayPartial(loaded, today),
    total_stocks: overview.totalStocks,
    traded_stocks: overview.tradedStocks,
    liquid_stocks: overview.liquidStocks,
    regime: overview.regime,
    regime_score: cut(overview.regimeScore),
    pending_regime: overview.pending?.regime,
    days_to_confirm: overview.pending?.daysLeft,
    breadth: {
      advancing: overview.advancing,
      declining: overview.declining,
      unchanged: overview.unchanged,
      above_ma20_pct: known(overview.aboveMa20Pct, rounded),
    },
    averages: {
      daily_return_pct: known(overview.dailyReturnPct, rounded),
      rsi: known(overview.rsi, rounded),
    },
    foreign_net_value: known(overview.foreignNetValue, Math.round),
    total_value: overview.totalValue,
    top_gainers: overview.gainers.map(onTheWire),
    top_losers: overview.losers.map(onTheWire),
    ...ofVersion(dataset, panel),
  };
}

/** Truncates instead of rounding: a score just below a threshold would be shown as on it, and contradict its regime. */
function cut(score: number): number {
  return Math.trunc(score * 10_000) / 10_000;
}

function onTheWire({ ticker, close, changePct, value }: FoundMover): Mover {
  return { ticker, close, change_pct: rounded(changePct), value };
}

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
