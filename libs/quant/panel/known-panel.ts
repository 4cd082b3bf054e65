import type { LateFactor, TermsColumns } from './panel-columns.ts';
import { Panel } from './panel.ts';
import { firstAtLeast, type RowRange } from './ranges.ts';
import { cumShareFactorAt, factorAt, replacedTerms, type TermsBuilder } from './adjustment-factors.ts';

/** The panel made last for each panel, and how many late factors apply in it. */
const made = new WeakMap<Panel, { lateCount: number; known: Panel }>();

/**
 * The market as it was known on a day (calendar index): bars that corporate actions restate which became known only later have the
 * factors that applied before. Without such actions, which is the rule, it is the same panel. The last one made is cached, since
 * runs of neighbouring days share it.
 */
export function panelKnownOn(panel: Panel, day: number): Panel {
  const { late_factors: all = [] } = panel.columns;
  const late = all.filter(({ knownDay }) => knownDay > day);
  if (late.length === 0) return panel;
  const last = made.get(panel);
  // Those that are still unknown on a day are the latest ones, so their number says which they are.
  if (last?.lateCount === late.length) return last.known;
  const known = new Panel({
    ...panel.columns,
    terms: termsBefore(panel, late),
    late_factors: all.filter(({ knownDay }) => knownDay <= day),
  });
  made.set(panel, { lateCount: late.length, known });
  return known;
}

/** Only the rows of few tickers differ, so those of all others are copied as a block. */
function termsBefore(panel: Panel, late: readonly LateFactor[]): TermsColumns {
  const { offsets, terms } = panel.columns;
  // What applies first on a row is what applied before it became known for the first time.
  const first = new Map(late.toSorted((a, b) => b.knownDay - a.knownDay).map((one) => [one.row, one]));
  const tickers = new Set(late.map(({ row }) => firstAtLeast(offsets, row + 1) - 1));
  const ranges = [...tickers].map((ticker) => ({ from: offsets[ticker]!, to: offsets[ticker + 1]! }));
  return replacedTerms(terms, ranges, (added, rows) => appendRestated(added, terms, rows, first));
}

/** @param rows all rows of a ticker */
function appendRestated(
  terms: TermsBuilder,
  known: TermsColumns,
  { from, to }: RowRange,
  lateOf: ReadonlyMap<number, LateFactor>,
): void {
  let [price, share] = [1, 1];
  for (let row = from; row < to; row++) {
    const late = lateOf.get(row);
    const factor = late?.factor ?? factorAt(known, row);
    const before = row === from ? 1 : cumShareFactorAt(known, row - 1);
    price *= factor;
    share *= late?.share_factor ?? cumShareFactorAt(known, row) / before;
    terms.append(factor, price, share);
  }
}
