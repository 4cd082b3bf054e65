import { sharedColumn } from '#quant/panel/panel-columns.ts';
import type { Panel } from '#quant/panel/panel.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import { cumFactorAt, cumShareFactorAt } from '#quant/panel/adjustment-factors.ts';

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
 * An action that became known later than on its day leaves no factor from its day up to the day before it was known: prices of
 * these days compare with those before the action in one way as known then, and in another as known now, so they are not
 * compared.
 */
function restatingFactors(panel: Panel, as: Restated, span: DaySpan): Float32Array {
  const { day, terms } = panel.columns;
  const stocks = panel.tickerCount;
  const factors = sharedColumn(Float32Array, (span.lastDay + 1 - span.firstDay) * stocks).fill(NaN);
  for (let ticker = 0; ticker < stocks; ticker++) {
    const end = panel.endRow(ticker, span.lastDay);
    for (let row = panel.endRow(ticker, span.firstDay - 1); row < end; row++) {
      const at = (day[row]! - span.firstDay) * stocks + ticker;
      factors[at] = as === 'price' ? cumFactorAt(terms, row) : 1 / cumShareFactorAt(terms, row);
    }
    for (const { row, knownDay } of panel.columns.late_factors ?? []) {
      if (row < panel.firstRow(ticker) || row >= panel.endRow(ticker, panel.dayCount)) continue;
      const last = Math.min(knownDay - 1, span.lastDay);
      for (let unknown = Math.max(day[row]!, span.firstDay); unknown <= last; unknown++) {
        factors[(unknown - span.firstDay) * stocks + ticker] = NaN;
      }
    }
  }
  return factors;
}
