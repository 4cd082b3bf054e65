import { isStep, LISTED_WITHIN_DAYS, mayBeListedLate } from '../corporate-actions/late-listing.ts';
import { cumShareFactorAt, factorAt } from './adjustment-factors.ts';
import type { Panel } from './panel.ts';
import { firstAtLeast, type RowRange } from './ranges.ts';

const NONE: readonly RowRange[] = [];
const made = new WeakMap<Panel, ReadonlyMap<number, readonly RowRange[]>>();

/**
 * Rows of a stock (index) on which it was not known how many shares it has: prices were restated on the first of them, and nothing
 * said yet whether the shares that will be listed are bonus shares or rights. It says so of each row by what was known on its day,
 * so later rows change nothing. On these rows, numbers of shares before `from` cannot be compared with those from there on, and
 * the market value is not known. It ends with the first step of the listed shares, with what a table of corporate actions
 * says, or when both are overdue.
 */
export function unknownShares(panel: Panel, ticker: number): readonly RowRange[] {
  const known = made.get(panel) ?? rangesOf(panel);
  made.set(panel, known);
  return known.get(ticker) ?? NONE;
}

/** The same as ranges of bars, which stand on ascending rows of the stock. */
export function unknownBars(panel: Panel, ticker: number, rows: ArrayLike<number>): readonly RowRange[] {
  return unknownShares(panel, ticker)
    .map(({ from, to }) => ({ from: firstAtLeast(rows, from), to: firstAtLeast(rows, to) }))
    .filter(({ from, to }) => to > from);
}

/** Whether a window of `period` bars that ends on `bar` holds numbers of shares that cannot be compared. */
export function isMixed(unknown: readonly RowRange[], bar: number, period: number): boolean {
  return unknown.some(({ from, to }) => from <= bar && bar < to && bar - period + 1 < from);
}

/** Makes NaN of the values of such windows, in place; of all values on days with unknown shares, if the period is endless. */
export function withoutMixed(
  values: Float64Array,
  unknown: readonly RowRange[],
  period: number,
): Float64Array {
  for (const { from, to } of unknown) values.fill(NaN, from, Math.min(to, from + period - 1));
  return values;
}

function rangesOf(panel: Panel): Map<number, RowRange[]> {
  const ranges = new Map<number, RowRange[]>();
  const { offsets, terms, late_factors: late = [] } = panel.columns;
  const exRows = new Set(late.map(({ row }) => row));
  for (let row = 1; row < panel.rowCount; row++) if (factorAt(terms, row) !== 1) exRows.add(row);
  for (const row of [...exRows].sort((a, b) => a - b)) {
    const ticker = firstAtLeast(offsets, row + 1) - 1;
    const to = endOf(panel, ticker, row);
    if (to > row) ranges.set(ticker, [...(ranges.get(ticker) ?? []), { from: row, to }]);
  }
  return ranges;
}

/** One past the last row from an ex-day on with unknown shares. */
function endOf(panel: Panel, ticker: number, exRow: number): number {
  const { offsets, terms, day, listed_shares, late_factors = [] } = panel.columns;
  if (exRow === offsets[ticker]) return exRow;
  const [first] = late_factors.filter(({ row }) => row === exRow).sort((a, b) => a.knownDay - b.knownDay);
  const share = cumShareFactorAt(terms, exRow) / cumShareFactorAt(terms, exRow - 1);
  const seen = first
    ? { price: first.factor, share: first.share_factor }
    : { price: factorAt(terms, exRow), share };
  if (!mayBeListedLate(seen)) return exRow;
  const knownDay = Math.min(day[exRow]! + LISTED_WITHIN_DAYS + 1, first?.knownDay ?? Infinity);
  const end = panel.endRow(ticker, knownDay - 1);
  let row = exRow;
  while (row < end && !isStep(listed_shares[row - 1]!, listed_shares[row]!)) row++;
  return row;
}
