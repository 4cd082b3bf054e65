import type { FeatureTable } from '#quant/features/feature-table.ts';
import { buyableRows } from '#models/trained/buyable.ts';
import type { EntryRule } from '#quant/labels/entry.ts';
import { lastDecidedDay, tripleBarrier, UNDECIDED, type Barriers } from '#quant/labels/triple-barrier.ts';
import type { NameOutcome } from '#quant/statistics/pick-figures.ts';

/** A name that was tradable on a day, and its outcome. */
export interface DealtName extends NameOutcome {
  /** IDR. */
  close: number;
  /** Mean of the last 20 exchange days, IDR. */
  averageValue: number;
  /** Whether the position was opened. If not, there is no outcome. */
  filled: boolean;
}

/**
 * Outcomes of every name of a day that a reader could buy, by the same rules that models learn from.
 * @throws Error when a position may be sold after the data ends: the outcomes known by then would be a biased sample.
 */
export function dayOutcomes(
  table: FeatureTable,
  day: number,
  barriers: Barriers,
  rule: EntryRule = 'next_day_limit',
): DealtName[] {
  const { panel } = table;
  const rows = Array.from(buyableRows(table, day));
  const ticker = rows.map((row) => table.columns.ticker[row]!);
  const panelRow = rows.map((row) => table.columns.panelRow[row]!);
  const lastDay = panel.dayCount - 1;
  if (day > lastDecidedDay(lastDay, barriers))
    throw new Error(`what is bought on ${panel.columns.dates[day]} is not decided yet`);
  const outcomes = tripleBarrier(panel, { ticker, panelRow }, barriers, lastDay, rule);
  const { filled, won, exitDay, netReturn } = outcomes;
  return rows.map((row, i) => {
    if (exitDay[i] === UNDECIDED) throw new Error(`row ${row} is not decided although its horizon is over`);
    return {
      code: panel.columns.tickers[ticker[i]!]!,
      close: panel.columns.close[panelRow[i]!]!,
      averageValue: table.columns.averageValue[row]!,
      filled: filled[i] === 1,
      won: won[i] === 1,
      netReturn: netReturn[i]!,
    };
  });
}
