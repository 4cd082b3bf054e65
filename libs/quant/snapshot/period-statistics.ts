import type { ClassFlows } from '../broker-rows/class-flows.ts';
import { relativeMove } from '../price-move.ts';
import { reachesAcross, stockReachesAcross } from '../panel/gaps.ts';
import type { Panel } from '../panel/panel.ts';
import { tradedSeries } from '../panel/traded-series.ts';
import { foreignNetValue, orNull, referencePrice, sumOverDays } from '../panel/windows.ts';

/** Statistics of one ticker over the last days of the exchange. Null where a value is not defined. */
interface PeriodStatistics {
  /** Last close of the period against the close before the period, percent, without dividends. */
  return_pct: number | null;
  /** Highest and lowest price traded in the period, IDR adjusted to its last day. */
  high: number | null;
  low: number | null;
  /** Average daily value, IDR, days without trades included. */
  avg_value: number | null;
  /** Largest fall of the close from an earlier close, percent: 0 when it never fell, otherwise negative. */
  max_drawdown_pct: number | null;
  /** Net value bought by foreign investors, IDR. */
  foreign_net_value: number | null;
  /** Net value bought by local institutions, IDR; null unless there are broker rows for every traded day. */
  bandar_net_value: number | null;
}

const NO_STATISTICS: Readonly<PeriodStatistics> = {
  return_pct: null,
  high: null,
  low: null,
  avg_value: null,
  max_drawdown_pct: null,
  foreign_net_value: null,
  bandar_net_value: null,
};

/**
 * Statistics of `ticker` (index) over the last `days` exchange days up to `asOfDay` (calendar index). The days are the same
 * for every ticker, so that tickers compare. Prices are those of traded bars, adjusted to `asOfDay`.
 *
 * The return starts from the close before the period. For a ticker listed within the period it starts from the reference
 * price of the first traded day, which is the offering price. Averages of money run over the days since the listing. A ticker
 * without a row in the period, and one with missing days in it, has no statistics; a ticker suspended throughout has no prices. Rows after `asOfDay` have no
 * influence.
 */
export function periodStatistics(
  panel: Panel,
  ticker: number,
  asOfDay: number,
  days: number,
  flows?: ClassFlows,
): PeriodStatistics {
  const { day, value } = panel.columns;
  const firstDay = Math.max(0, asOfDay + 1 - days);
  const lastRow = panel.lastRow(ticker, asOfDay);
  if (lastRow < 0 || day[lastRow]! < firstDay) return NO_STATISTICS;
  if (stockReachesAcross(panel, ticker, { firstDay, lastDay: asOfDay })) return NO_STATISTICS;
  const daysListed = asOfDay + 1 - Math.max(firstDay, day[panel.firstRow(ticker)]!);
  return {
    ...priceStatistics(panel, ticker, asOfDay, firstDay),
    avg_value: sumOverDays(panel, ticker, asOfDay, days, (row) => value[row]!) / daysListed,
    foreign_net_value: orNull(
      sumOverDays(panel, ticker, asOfDay, days, (row) => foreignNetValue(panel, row)),
    ),
    bandar_net_value: flows?.netValue('bandar', ticker, asOfDay, days) ?? null,
  };
}

type PriceStatistics = Pick<PeriodStatistics, 'return_pct' | 'high' | 'low' | 'max_drawdown_pct'>;

function priceStatistics(panel: Panel, ticker: number, asOfDay: number, firstDay: number): PriceStatistics {
  const series = tradedSeries(panel, ticker, asOfDay);
  const { length } = series.day;
  let first = length;
  while (first > 0 && series.day[first - 1]! >= firstDay) first--;
  if (first === length) return { return_pct: null, high: null, low: null, max_drawdown_pct: null };
  const isBaseAcross = reachesAcross(panel, {
    firstDay: series.day[first - 1] ?? firstDay,
    lastDay: firstDay,
  });
  const base = isBaseAcross
    ? null
    : first > 0
      ? series.close[first - 1]!
      : firstReference(panel, series.row[0]!, panel.lastRow(ticker, asOfDay));
  const closes = series.close.subarray(first);
  return {
    return_pct: base === null ? null : 100 * relativeMove(base, closes.at(-1)!),
    high: Math.max(...series.high.subarray(first)),
    low: Math.min(...series.low.subarray(first)),
    max_drawdown_pct: base === null ? null : maxDrawdownPct([base, ...closes]),
  };
}

function firstReference(panel: Panel, row: number, asOfRow: number): number | null {
  return orNull(referencePrice(panel, row) * panel.priceScale(row, asOfRow));
}

/** Largest fall below the highest value so far, percent: 0 for values that never fall, never below -100. */
export function maxDrawdownPct(values: Iterable<number>): number {
  let [peak, deepest] = [0, 0];
  for (const value of values) {
    peak = Math.max(peak, value);
    if (peak > 0) deepest = Math.min(deepest, relativeMove(peak, value));
  }
  return 100 * deepest;
}
