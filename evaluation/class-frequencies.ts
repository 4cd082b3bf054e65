import { isReference, type FeatureTable } from '#quant/features/feature-table.ts';
import { ForwardPaths } from '#quant/recovery/forward-path.ts';
import { bucketCutsPct, bucketOf, RETURN_BUCKETS } from '#quant/recovery/trajectory.ts';

/** As many trading days as the model learns from. */
const CLIMATOLOGY_DAYS = 750;

/** A name of a day that people may hold, and the class that came. */
export interface HeldName {
  code: string;
  came: number;
}

/** Which class of return came of liquid names, and how often each had come before a day. */
export class ClassFrequencies {
  readonly #table: FeatureTable;
  readonly #horizonDays: number;
  readonly #paths: ForwardPaths;
  readonly #cutsPct: number[];
  readonly #countsOfDay = new Map<number, Float64Array>();

  constructor(table: FeatureTable, horizonDays: number) {
    this.#table = table;
    this.#horizonDays = horizonDays;
    this.#paths = new ForwardPaths(table.panel, horizonDays);
    this.#cutsPct = bucketCutsPct(horizonDays);
  }

  /** The liquid names of a day whose horizon has ended in the data. */
  namesOf(day: number): HeldName[] {
    const { columns, panel } = this.#table;
    const { from, to } = this.#table.rowsOf(day);
    const names: HeldName[] = [];
    for (let row = from; row < to; row++) {
      const [ticker, panelRow] = [columns.ticker[row]!, columns.panelRow[row]!];
      if (!isReference(panel.columns.close[panelRow]!, columns.averageValue[row]!)) continue;
      const returnPct = 100 * this.#paths.returnOf(ticker, panelRow);
      names.push({ code: panel.columns.tickers[ticker]!, came: bucketOf(returnPct, this.#cutsPct) });
    }
    return names;
  }

  /** Share of each class among the liquid names of the days whose horizon had ended by `day`. */
  knownOn(day: number): number[] {
    const lastKnown = day - this.#horizonDays;
    // After Laplace's rule of succession: a class that has not come yet is not impossible.
    const counts = new Float64Array(RETURN_BUCKETS.length).fill(1);
    for (let past = Math.max(0, lastKnown + 1 - CLIMATOLOGY_DAYS); past <= lastKnown; past++) {
      for (const [k, count] of this.#countsOf(past).entries()) counts[k]! += count;
    }
    const total = counts.reduce((sum, count) => sum + count, 0);
    return Array.from(counts, (count) => count / total);
  }

  #countsOf(day: number): Float64Array {
    const held = this.#countsOfDay.get(day);
    if (held) return held;
    const counts = new Float64Array(RETURN_BUCKETS.length);
    for (const { came } of this.namesOf(day)) counts[came]!++;
    this.#countsOfDay.set(day, counts);
    return counts;
  }
}
