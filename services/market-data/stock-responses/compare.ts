import type {
  ComparedStock,
  CompareRanking,
  CompareResponse,
  RankedTickers,
} from '#proto/saring/market_data/v1/market_data.ts';
import { periodStatistics } from '#quant/snapshot/period-statistics.ts';
import { ofVersionWithBrokers, changePct, withoutNulls } from '../responses/adjustment.ts';
import { stockFacts } from './snapshot.ts';
import { judgedDay } from '../responses/trading-day.ts';
import { knownTickers } from '../responses/tickers.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';

/**
 * Compares stocks. Each is seen from its own last whole day, and all over the same last `days` trading days
 * of the dataset. `tickers` are normalised; `today` is the day in Jakarta.
 * @throws ServiceError not_found when all of them are unknown
 */
export function compareOf(
  loaded: LoadedDataset,
  { tickers, days }: { tickers: string[]; days: number },
  today: string,
): CompareResponse {
  const { dataset, panel } = loaded;
  const { known, missing } = knownTickers(panel, tickers);
  const snapshots = known.map((ticker) => comparedStock(loaded, panel.tickerIndex(ticker), days, today));
  return {
    date: panel.columns.dates[panel.lastWholeDay]!,
    days,
    tickers: known,
    snapshots,
    ranking: rankingOf(snapshots),
    missing,
    ...ofVersionWithBrokers(dataset, panel),
  };
}

function comparedStock(loaded: LoadedDataset, index: number, days: number, today: string): ComparedStock {
  const { panel, classFlows } = loaded;
  const { close } = panel.columns;
  const lastDay = judgedDay(panel, index);
  const lastRow = panel.lastRow(index, lastDay);
  const facts = stockFacts(loaded, index, today, lastDay);
  const statistics = periodStatistics(panel, index, lastDay, days, classFlows);
  return {
    ...facts,
    close: close[lastRow]!,
    change_pct: facts.traded_today ? changePct(panel, lastRow) : undefined,
    period: withoutNulls(facts.traded_today ? statistics : { ...statistics, return_pct: null }),
  };
}

/**
 * Ranks only stocks that traded on the last day: the numbers of the others are older and not comparable. Without
 * per-broker rows, net buying is unknown, which is not the same as zero.
 */
function rankingOf(compared: ComparedStock[]): CompareRanking {
  const stocks = compared.filter(({ traded_today }) => traded_today);
  const byInstitutions = ranked(stocks, ({ features }) => features?.bandar_net_value_5d);
  return {
    return_pct: ranked(stocks, ({ period }) => period?.return_pct),
    rsi14: ranked(stocks, ({ features }) => features?.rsi14),
    volume_ratio_20: ranked(stocks, ({ features }) => features?.volume_ratio_20),
    bandar_net_value_5d: byInstitutions.tickers.length > 0 ? byInstitutions : undefined,
  };
}

function ranked(
  stocks: ComparedStock[],
  numberOf: (stock: ComparedStock) => number | undefined,
): RankedTickers {
  const numbered = stocks.flatMap((stock) => {
    const number = numberOf(stock);
    return number === undefined ? [] : [{ ticker: stock.ticker, number }];
  });
  numbered.sort((a, b) => b.number - a.number || (a.ticker < b.ticker ? -1 : 1));
  return { tickers: numbered.map(({ ticker }) => ticker) };
}
