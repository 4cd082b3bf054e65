import { floorPrice, floorToTick, leastDaysUp, tickSize } from '../exchange/exchange.ts';
import { ascendingOrder } from '../learning/ascending-order.ts';
import type { ForwardPaths, PathExtremes } from './forward-path.ts';
import { RETURN_BUCKETS } from './trajectory.ts';

/** A past row whose outcome is known, so that a model may learn from it. */
export interface PastRow {
  ticker: number;
  /** Row of the panel. */
  panelRow: number;
  /** Index into `RETURN_BUCKETS` of the row's outcome. */
  bucket: number;
  /** Daily volatility up to the row, as a fraction. */
  volatility: number;
}

/** A past row and its weight in a forecast. */
interface Analog {
  past: PastRow;
  weight: number;
}

/** Past rows as columns, with one entry for each row. */
export interface PastRows {
  ticker: Uint16Array;
  panelRow: Uint32Array;
  bucket: Uint8Array;
  volatility: Float64Array;
}

/** Sorts the rows by volatility; ties by stock and then by day, so that the input order does not matter. */
export function inOrderOfVolatility({ ticker, panelRow, bucket, volatility }: PastRows): PastRows {
  const rounded = new Float32Array(volatility);
  const order = ascendingOrder(rounded);
  // A comparison of all rows takes ten times as long as one of those that are equal when rounded.
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && rounded[order[to]!] === rounded[order[from]!]) to++;
    if (to - from === 1) continue;
    order
      .subarray(from, to)
      .sort(
        (a, b) => volatility[a]! - volatility[b]! || ticker[a]! - ticker[b]! || panelRow[a]! - panelRow[b]!,
      );
  }
  return {
    ticker: Uint16Array.from(order, (i) => ticker[i]!),
    panelRow: Uint32Array.from(order, (i) => panelRow[i]!),
    bucket: Uint8Array.from(order, (i) => bucket[i]!),
    volatility: Float64Array.from(order, (i) => volatility[i]!),
  };
}

/** Number of analogs of a forecast: this share of the past rows, within these bounds. */
const ANALOG_SHARE = 0.05;
const MIN_ANALOGS = 200;
const MAX_ANALOGS = 1_000;

/** Finds past rows similar to a given stock. */
export class AnalogLibrary {
  readonly #past: PastRows;

  /** @param past in order of volatility */
  constructor(past: PastRows) {
    this.#past = past;
  }

  /**
   * The past rows whose volatility is nearest in ratio, weighted so that each bucket has the total weight that the forecast
   * gives it (post-stratification: Holt & Smith 1979; analog forecasts: Lorenz 1969). Volatility determines how wide paths
   * spread, the forecast where they end. Rows in the same bucket have equal weight. A bucket without any analog has no
   * weight.
   *
   * @param chances of the buckets, 0 to 1, in their order
   */
  like(volatility: number, chances: ArrayLike<number>): Analog[] {
    const nearest = this.#nearest(volatility);
    const ended = RETURN_BUCKETS.map((_, bucket) => nearest.filter((past) => past.bucket === bucket).length);
    return nearest.map((past) => ({ past, weight: chances[past.bucket]! / ended[past.bucket]! }));
  }

  #nearest(requested: number): PastRow[] {
    const { ticker, panelRow, bucket, volatility } = this.#past;
    const all = volatility.length;
    const share = Math.round(all * ANALOG_SHARE);
    const count = Math.min(all, MAX_ANALOGS, Math.max(MIN_ANALOGS, share));
    const middle = volatility.findIndex((of) => of >= requested);
    let from = middle === -1 ? all : middle;
    let to = from;
    const ratio = (row: number) => Math.abs(Math.log(volatility[row]! / requested));
    while (to - from < count) {
      if (to === all || (from > 0 && ratio(from - 1) <= ratio(to))) from--;
      else to++;
    }
    return Array.from({ length: to - from }, (_, i) => ({
      ticker: ticker[from + i]!,
      panelRow: panelRow[from + i]!,
      bucket: bucket[from + i]!,
      volatility: volatility[from + i]!,
    }));
  }
}

/** Range of trading days of the horizon in which an event is expected, both included. */
interface DayWindow {
  day_from: number;
  day_to: number;
}

/** Quantiles: three analogs in four stay below the reach, and four in five above the support. */
const HIGH_SHARE = 0.75;
const LOW_SHARE = 0.2;
const EARLY_SHARE = 0.25;
const LATE_SHARE = 0.75;

/** What levels are computed from. */
interface RequestedLevels {
  /** IDR of the analysed day. */
  price: number;
  /** The analysed day, YYYY-MM-DD: ticks and daily limits are those of its rules. */
  isoDate: string;
  horizonDays: number;
}

/** Price levels within the horizon, derived from analogs. Prices are IDR of the analysed day. */
export class AnalogLevels {
  readonly #analogs: readonly Analog[];
  readonly #paths: ForwardPaths;
  readonly #price: number;
  readonly #isoDate: string;
  readonly #horizonDays: number;
  readonly #extremes: readonly PathExtremes[];

  constructor(
    analogs: readonly Analog[],
    paths: ForwardPaths,
    { price, isoDate, horizonDays }: RequestedLevels,
  ) {
    this.#analogs = analogs;
    this.#paths = paths;
    this.#price = price;
    this.#isoDate = isoDate;
    this.#horizonDays = horizonDays;
    this.#extremes = analogs.map(({ past }) => paths.extremesOf(past.ticker, past.panelRow));
  }

  /** The price that one analog in four exceeded, at least one tick above the current price. */
  get reach(): number {
    const highs = this.#weighted((i) => this.#extremes[i]!.highest);
    const gain = weightedQuantile(highs, HIGH_SHARE);
    const [price, isoDate] = [this.#price, this.#isoDate];
    return Math.max(floorToTick(price * (1 + gain), isoDate), price + tickSize(price, isoDate));
  }

  /**
   * The higher of two levels, considering only those below the current price: the level that four analogs in five stayed
   * above, and `swingLow`. One tick below the price when neither is below it. Never below the floor of the stock's board, so
   * a stock at the floor has its own price as support.
   */
  support(swingLow: number): number {
    const [price, isoDate] = [this.#price, this.#isoDate];
    const lows = this.#weighted((i) => this.#extremes[i]!.lowest);
    const fall = weightedQuantile(lows, LOW_SHARE);
    const below = [floorToTick(price * (1 + fall), isoDate), swingLow].filter((level) => level < price);
    const support = below.length > 0 ? Math.max(...below) : floorToTick(price - 1, isoDate);
    return Math.max(support, floorPrice(price));
  }

  /**
   * The days on which the middle half of the analogs that reach `target` first reach it. Never earlier than the daily upper
   * limits allow. When no analog reaches it, the range ends with the horizon.
   */
  daysTo(target: number): DayWindow {
    const gain = target / this.#price - 1;
    const days = this.#weighted((i) => {
      const { ticker, panelRow } = this.#analogs[i]!.past;
      return this.#paths.firstDayAbove(ticker, panelRow, gain);
    });
    const reached = days.filter(({ value }) => value > 0);
    const least = Math.min(this.#horizonDays, leastDaysUp(this.#price, target, this.#isoDate));
    if (!reached.some(({ weight }) => weight > 0)) return { day_from: least, day_to: this.#horizonDays };
    return {
      day_from: Math.max(least, weightedQuantile(reached, EARLY_SHARE)),
      day_to: Math.max(least, weightedQuantile(reached, LATE_SHARE)),
    };
  }

  #weighted(valueOf: (index: number) => number): WeightedValue[] {
    return this.#analogs.map(({ weight }, i) => ({ value: valueOf(i), weight }));
  }
}

/** A value and its weight. */
interface WeightedValue {
  value: number;
  /** Not negative. */
  weight: number;
}

/**
 * The lowest value such that values at or below it have at least the share `share` (0 to 1) of the total weight: the inverse
 * of the weighted distribution function, so always one of the values. NaN without any weight.
 */
export function weightedQuantile(values: readonly WeightedValue[], share: number): number {
  const ascending = values.filter(({ weight }) => weight > 0).sort((a, b) => a.value - b.value);
  const total = ascending.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  for (const { value, weight } of ascending) {
    below += weight;
    if (below >= share * total) return value;
  }
  return ascending.at(-1)?.value ?? NaN;
}
