import type { LateFactor, PanelColumns, TermsColumns } from './panel-columns.ts';
import { Panel } from './panel.ts';
import type { RowRange } from './ranges.ts';
import { cumFactorAt, cumShareFactorAt, factorAt, TermsBuilder } from './adjustment-factors.ts';

/** The panel made last for each panel, and how many late factors apply in it. */
const made = new WeakMap<Panel, { lateCount: number; known: Panel }>();

/**
 * The market as it was known on a day (calendar index): bars that corporate actions restate which became known only later have the
 * factors that applied before. Without such actions, which is the rule, it is the same panel. The last one made is kept, since
 * runs of neighbouring days share it.
 */
export function panelKnownOn(panel: Panel, day: number): Panel {
  const late = (panel.columns.late_factors ?? []).filter(({ knownDay }) => knownDay > day);
  if (late.length === 0) return panel;
  const last = made.get(panel);
  // Those that are still unknown on a day are the latest ones, so their number says which they are.
  if (last?.lateCount === late.length) return last.known;
  const known = new Panel(withFactors(panel.columns, late));
  made.set(panel, { lateCount: late.length, known });
  return known;
}

function withFactors(columns: PanelColumns, late: readonly LateFactor[]): PanelColumns {
  const { offsets, day } = columns;
  const terms = new TermsBuilder(day.length);
  const lateOf = new Map(late.map((one) => [one.row, one]));
  for (let ticker = 0; ticker + 1 < offsets.length; ticker++) {
    const rows = { from: offsets[ticker]!, to: offsets[ticker + 1]! };
    const isRestated = late.some(({ row }) => rows.from <= row && row < rows.to);
    if (isRestated) appendRestated(terms, columns.terms, rows, lateOf);
    else appendSame(terms, columns.terms, rows);
  }
  return { ...columns, terms: terms.finish(), late_factors: [] };
}

function appendSame(terms: TermsBuilder, known: TermsColumns, { from, to }: RowRange): void {
  for (let row = from; row < to; row++)
    terms.append(factorAt(known, row), cumFactorAt(known, row), cumShareFactorAt(known, row));
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
