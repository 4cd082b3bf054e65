import { sharedColumn } from '#quant/panel/panel-columns.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { panelKnownOn } from '#quant/panel/known-panel.ts';
import type { DaySpan, RowRange } from '#quant/panel/ranges.ts';
import { unknownShares } from '#quant/panel/unknown-shares.ts';
import { cumFactorAt, cumShareFactorAt, factorAt } from '#quant/panel/adjustment-factors.ts';

type Restated = 'price' | 'shares';

/** The factors of a span of days, made when a column first needs them. */
export class Factors {
  readonly #panel: Panel;
  readonly #span: DaySpan;
  readonly #made = new Map<Restated, Float32Array>();

  constructor(panel: Panel, span: DaySpan) {
    this.#panel = panel;
    this.#span = span;
  }

  of(as: Restated): Float32Array {
    const factors = this.#made.get(as) ?? restatingFactors(this.#panel, as, this.#span);
    this.#made.set(as, factors);
    return factors;
  }
}

/**
 * Factors by which earlier values are restated; see `NumberColumn`. Prices are multiplied by the corporate actions between two
 * days, and numbers of shares divided by the splits between them.
 *
 * An action that became known later than on its day says something else of the days up to the one on which it was known. Prices of
 * these days have the factor that applied then, negative: see `restatingScale`. Numbers of shares have none, nor have those of days on
 * which it was not known how many shares there are.
 */
function restatingFactors(panel: Panel, as: Restated, span: DaySpan): Float32Array {
  const { day, terms } = panel.columns;
  const stocks = panel.tickerCount;
  const factors = sharedColumn(Float32Array, (span.lastDay + 1 - span.firstDay) * stocks).fill(NaN);
  for (let ticker = 0; ticker < stocks; ticker++) {
    const [start, end] = [panel.endRow(ticker, span.firstDay - 1), panel.endRow(ticker, span.lastDay)];
    for (let row = start; row < end; row++) {
      const at = (day[row]! - span.firstDay) * stocks + ticker;
      factors[at] = as === 'price' ? cumFactorAt(terms, row) : 1 / cumShareFactorAt(terms, row);
    }
    const inOtherTerms = [
      ...lateRanges(panel, ticker).filter(({ isPrice }) => as === 'shares' || isPrice),
      ...(as === 'shares' ? unknownShares(panel, ticker) : []),
    ];
    for (const { from, to } of inOtherTerms) {
      if (to <= start || from >= end) continue;
      const { terms } = panelKnownOn(panel, day[to - 1]!).columns;
      for (let row = Math.max(from, start); row < Math.min(to, end); row++) {
        const at = (day[row]! - span.firstDay) * stocks + ticker;
        factors[at] = as === 'price' ? -cumFactorAt(terms, row) : NaN;
      }
    }
  }
  return factors;
}

/** Rows of a stock (index) from the day of an action up to the day before it was known, and whether it restates prices. */
function lateRanges(panel: Panel, ticker: number): (RowRange & { isPrice: boolean })[] {
  const { late_factors: late = [], terms } = panel.columns;
  const [first, end] = [panel.firstRow(ticker), panel.endRow(ticker, panel.dayCount)];
  return late
    .filter(({ row }) => first <= row && row < end)
    .map(({ row, knownDay, factor }) => ({
      from: row,
      to: panel.endRow(ticker, knownDay - 1),
      isPrice: factor !== factorAt(terms, row),
    }))
    .filter(({ from, to }) => to > from)
    .sort((a, b) => b.to - a.to);
}
