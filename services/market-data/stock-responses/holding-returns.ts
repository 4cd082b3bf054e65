import type { HoldingReturn } from '#proto/saring/market_data/v1/actions.ts';
import { holdingReturn } from '#quant/performance/holding-return.ts';
import { reachesAcross } from '#quant/panel/gaps.ts';
import type { LoadedDataset } from '../in-memory/loaded-dataset.ts';
import { rounded } from '../responses/adjustment.ts';
import { lastTrade } from '../responses/trading-day.ts';

/** Days on which the stock traded: a day, a week, a month, a quarter and a year. */
const PERIODS = [1, 5, 20, 60, 250];

/**
 * Returns of a stock (index) over periods up to the last day of the dataset; undefined as those of its features are: while its history
 * is shorter, across missing days, and if it did not trade on that day. Total returns are undefined too in a dataset whose table has no dividends at all.
 */
export function holdingReturnsOf({ panel, actions }: LoadedDataset, index: number): HoldingReturn[] {
  const rows = lastTrade(panel, index).traded_today ? lastTradedRows(index, panel) : [];
  const dividends = actions.dividendsOf(index);
  const { day } = panel.columns;
  return PERIODS.map((days) => {
    const [last, first] = [rows[0], rows[days]];
    const isKnown =
      first !== undefined && !reachesAcross(panel, { firstDay: day[first]!, lastDay: panel.dayCount - 1 });
    const held = isKnown ? holdingReturn(panel, first, last!, dividends) : undefined;
    const isTotalKnown = held !== undefined && actions.hasDividends;
    return {
      days,
      price_return_pct: held && rounded(100 * held.price),
      total_return_pct: isTotalKnown ? rounded(100 * held.total) : undefined,
      dividends: isTotalKnown ? rounded(held.dividends) : undefined,
    };
  });
}

/** Rows with trades, latest first, as many as the longest period needs. */
function lastTradedRows(index: number, panel: LoadedDataset['panel']): number[] {
  const rows: number[] = [];
  const { volume } = panel.columns;
  for (let row = panel.endRow(index, panel.dayCount - 1) - 1; row >= panel.firstRow(index); row--) {
    if (volume[row] !== 0) rows.push(row);
    if (rows.length > PERIODS.at(-1)!) break;
  }
  return rows;
}
