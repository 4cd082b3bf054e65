import {
  resizeRowColumns,
  ROW_COLUMN_NAMES,
  sharedColumn,
  type PanelColumns,
  type RowColumns,
  type TermsColumns,
} from '#quant/panel/panel-columns.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { cumFactorAt, cumShareFactorAt, factorAt, TermsBuilder } from '#quant/panel/adjustment-factors.ts';

type Bars = Omit<PanelColumns, 'listing' | 'late_factors' | 'renamed' | 'gaps'>;

/** Rows of a ticker in one of the two panels. */
interface Part {
  columns: PanelColumns;
  from: number;
  to: number;
  /** Calendar index that day 0 of its panel has in the result. */
  dayOffset: number;
}

/**
 * The bars of a panel before calendar index `dayCount`, continued by those of another one, whose first day is later and whose
 * cumulative factors go on from `held`. The result is the same, bit by bit, as if all rows had been read at once.
 */
export function extendPanel(held: Panel, dayCount: number, later: Panel): Bars {
  const tickers: string[] = [];
  const starts: number[] = [];
  const parts: Part[] = [];
  let rows = 0;
  for (const ticker of unitedTickers(held, later)) {
    const ofTicker = [
      ...partOf(held, ticker, { lastDay: dayCount - 1, dayOffset: 0 }),
      ...partOf(later, ticker, { lastDay: later.dayCount - 1, dayOffset: dayCount }),
    ];
    if (ofTicker.length === 0) continue;
    tickers.push(ticker);
    starts.push(rows);
    parts.push(...ofTicker);
    for (const { from, to } of ofTicker) rows += to - from;
  }
  const offsets = sharedColumn(Uint32Array, tickers.length + 1);
  offsets.set([...starts, rows]);
  const dates = [...held.columns.dates.slice(0, dayCount), ...later.columns.dates];
  return { tickers, dates, offsets, ...joinedRows(parts, rows), terms: joinedTerms(parts, rows) };
}

/** In the order of code units, as both panels have theirs. */
function unitedTickers(held: Panel, later: Panel): string[] {
  return [...new Set([...held.columns.tickers, ...later.columns.tickers])].sort();
}

function partOf(
  panel: Panel,
  code: string,
  { lastDay, dayOffset }: { lastDay: number; dayOffset: number },
): Part[] {
  const ticker = panel.tickerIndex(code);
  if (ticker < 0) return [];
  const [from, to] = [panel.firstRow(ticker), panel.endRow(ticker, lastDay)];
  return to > from ? [{ columns: panel.columns, from, to, dayOffset }] : [];
}

function joinedRows(parts: readonly Part[], rows: number): RowColumns {
  const joined = resizeRowColumns(null, 0, rows);
  let row = 0;
  for (const { columns, from, to, dayOffset } of parts) {
    for (const name of ROW_COLUMN_NAMES) joined[name].set(columns[name].subarray(from, to), row);
    const end = row + to - from;
    if (dayOffset > 0) for (let i = row; i < end; i++) joined.day[i]! += dayOffset;
    row = end;
  }
  return joined;
}

function joinedTerms(parts: readonly Part[], rows: number): TermsColumns {
  const joined = new TermsBuilder(rows);
  for (const { columns, from, to } of parts) {
    const { terms } = columns;
    for (let row = from; row < to; row++)
      joined.append(factorAt(terms, row), cumFactorAt(terms, row), cumShareFactorAt(terms, row));
  }
  return joined.finish();
}
