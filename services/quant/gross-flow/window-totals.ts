import { AT, MEASURE_COUNT } from '../broker-days/measures.ts';
import type { StockDays } from './stock-days.ts';

/** The first measures are means of days; those from here on are not. */
const SUMMED = AT.retail_entry;

/**
 * Measures over the last days up to one, each day weighed by its turnover, so that shares and nets are those of the whole
 * window. Days that are not known are left out. Every window is summed anew: running sums would depend on where they
 * began.
 */
export class WindowTotals {
  readonly #sums = new Float64Array(SUMMED);
  /** IDR. */
  turnover = 0;

  /** Sums the `days` exchange days up to day `at` of the stock. */
  read({ values, isKnown }: StockDays, at: number, days: number): void {
    const sums = this.#sums.fill(0);
    this.turnover = 0;
    for (let day = Math.max(0, at + 1 - days); day <= at; day++) {
      if (isKnown[day] === 0) continue;
      const start = day * MEASURE_COUNT;
      const turnover = values[start + AT.turnover]!;
      this.turnover += turnover;
      for (let measure = 0; measure < SUMMED; measure++) {
        sums[measure]! += turnover * values[start + measure]!;
      }
    }
  }

  /** Of a measure by its place; NaN when no day is known. */
  mean(measure: number): number {
    return this.#sums[measure]! / this.turnover;
  }

  /** IDR, of a measure that is a share of turnover. */
  sum(measure: number): number {
    return this.#sums[measure]!;
  }
}
