import { RETURN_BUCKETS } from './return-buckets.ts';

/** A past row whose outcome is known: what may be learnt from. */
export interface PastRow {
  ticker: number;
  /** Row of the panel. */
  panelRow: number;
  /** Index into `RETURN_BUCKETS` of what came of it. */
  bucket: number;
  /** Daily volatility up to the row, a fraction. */
  volatility: number;
}

/** A past row, and how much it counts in a forecast. */
export interface Analog {
  past: PastRow;
  weight: number;
}

/** How many analogs a forecast has: this part of the past rows, within these bounds. */
const ANALOG_SHARE = 0.05;
const LEAST_ANALOGS = 200;
const MOST_ANALOGS = 1_000;

/** Past rows by volatility, to be asked for those like a given stock. */
export class AnalogLibrary {
  readonly #byVolatility: readonly PastRow[];

  constructor(past: readonly PastRow[]) {
    this.#byVolatility = past.toSorted(
      (a, b) => a.volatility - b.volatility || a.ticker - b.ticker || a.panelRow - b.panelRow,
    );
  }

  /**
   * The rows whose volatility is nearest in ratio, weighted so that each bucket counts as much as the forecast
   * gives it (post-stratification: Holt & Smith 1979; analog forecasts: Lorenz 1969). Volatility says how wide paths
   * spread, the forecast where they end; rows that ended alike count alike. A bucket that none of them ended in
   * counts nothing.
   *
   * @param chances of the buckets, 0 to 1, in their order
   */
  like(volatility: number, chances: ArrayLike<number>): Analog[] {
    const nearest = this.#nearest(volatility);
    const ended = RETURN_BUCKETS.map((_, bucket) => nearest.filter((past) => past.bucket === bucket).length);
    return nearest.map((past) => ({ past, weight: chances[past.bucket]! / ended[past.bucket]! }));
  }

  #nearest(volatility: number): PastRow[] {
    const rows = this.#byVolatility;
    const share = Math.round(rows.length * ANALOG_SHARE);
    const count = Math.min(rows.length, MOST_ANALOGS, Math.max(LEAST_ANALOGS, share));
    const middle = rows.findIndex((past) => past.volatility >= volatility);
    let from = middle === -1 ? rows.length : middle;
    let to = from;
    const ratio = (row: number) => Math.abs(Math.log(rows[row]!.volatility / volatility));
    while (to - from < count) {
      if (to === rows.length || (from > 0 && ratio(from - 1) <= ratio(to))) from--;
      else to++;
    }
    return rows.slice(from, to);
  }
}
