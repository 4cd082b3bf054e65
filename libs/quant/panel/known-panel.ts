import { sharedColumn, type LateFactor, type PanelColumns } from './panel-columns.ts';
import { Panel } from './panel.ts';

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
  const factor = copyOf(columns.factor);
  const cum_factor = copyOf(columns.cum_factor);
  const cum_share_factor = copyOf(columns.cum_share_factor);
  const lateOf = new Map(late.map((one) => [one.row, one]));
  for (const one of late) factor[one.row] = one.factor;
  for (const { first, end } of tickersOf(columns.offsets, late)) {
    const shareFactorOf = (row: number) =>
      lateOf.get(row)?.share_factor ??
      (row === first
        ? columns.cum_share_factor[row]!
        : columns.cum_share_factor[row]! / columns.cum_share_factor[row - 1]!);
    let [price, share] = [1, 1];
    for (let row = first; row < end; row++) {
      cum_factor[row] = price *= factor[row]!;
      cum_share_factor[row] = share *= shareFactorOf(row);
    }
  }
  return { ...columns, factor, cum_factor, cum_share_factor, late_factors: [] };
}

function copyOf(column: Float64Array): Float64Array {
  const copy = sharedColumn(Float64Array, column.length);
  copy.set(column);
  return copy;
}

/** The rows of each ticker that has a late factor. */
function tickersOf(offsets: Uint32Array, late: readonly LateFactor[]): { first: number; end: number }[] {
  const tickers = late.map(({ row }) =>
    offsets.findIndex((first, i) => first <= row && row < (offsets[i + 1] ?? 0)),
  );
  return [...new Set(tickers)].map((ticker) => ({ first: offsets[ticker]!, end: offsets[ticker + 1]! }));
}
