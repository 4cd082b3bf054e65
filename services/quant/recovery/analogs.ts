import { floorPrice, floorToTick, leastDaysUp, tickSize } from '../exchange/exchange.ts';
import type { ForwardPaths, PathExtremes } from './forward-path.ts';
import { RETURN_BUCKETS } from './trajectory.ts';

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
interface Analog {
  past: PastRow;
  weight: number;
}

/** Past rows as columns, one entry each. */
export interface PastRows {
  ticker: Uint16Array;
  panelRow: Uint32Array;
  bucket: Uint8Array;
  volatility: Float64Array;
}

/** The same rows in order of volatility; of equal ones by stock and day, so that their order says nothing. */
export function inOrderOfVolatility({ ticker, panelRow, bucket, volatility }: PastRows): PastRows {
  const order = Uint32Array.from(ticker.keys()).sort(
    (a, b) => volatility[a]! - volatility[b]! || ticker[a]! - ticker[b]! || panelRow[a]! - panelRow[b]!,
  );
  return {
    ticker: Uint16Array.from(order, (i) => ticker[i]!),
    panelRow: Uint32Array.from(order, (i) => panelRow[i]!),
    bucket: Uint8Array.from(order, (i) => bucket[i]!),
    volatility: Float64Array.from(order, (i) => volatility[i]!),
  };
}

/** How many analogs a forecast has: this part of the past rows, within these bounds. */
const ANALOG_SHARE = 0.05;
const MIN_ANALOGS = 200;
const MAX_ANALOGS = 1_000;

/** Past rows, to be asked for those like a given stock. */
export class AnalogLibrary {
  readonly #past: PastRows;

  /** @param past in order of volatility */
  constructor(past: PastRows) {
    this.#past = past;
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

  #nearest(asked: number): PastRow[] {
    const { ticker, panelRow, bucket, volatility } = this.#past;
    const all = volatility.length;
    const share = Math.round(all * ANALOG_SHARE);
    const count = Math.min(all, MAX_ANALOGS, Math.max(MIN_ANALOGS, share));
    const middle = volatility.findIndex((of) => of >= asked);
    let from = middle === -1 ? all : middle;
    let to = from;
    const ratio = (row: number) => Math.abs(Math.log(volatility[row]! / asked));
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

/** Trading days of the horizon between which to expect something, both included. */
interface DayWindow {
  day_from: number;
  day_to: number;
}

/** Three paths in four stay below this part of their highs, four in five above this part of their lows. */
const HIGH_SHARE = 0.75;
const LOW_SHARE = 0.2;
const EARLY_SHARE = 0.25;
const LATE_SHARE = 0.75;

/** What analogs say of a stock's prices within the horizon. Prices are IDR of the analysed day. */
export class AnalogLevels {
  readonly #analogs: readonly Analog[];
  readonly #paths: ForwardPaths;
  readonly #price: number;
  readonly #horizonDays: number;
  readonly #extremes: readonly PathExtremes[];

  constructor(analogs: readonly Analog[], paths: ForwardPaths, price: number, horizonDays: number) {
    this.#analogs = analogs;
    this.#paths = paths;
    this.#price = price;
    this.#horizonDays = horizonDays;
    this.#extremes = analogs.map(({ past }) => paths.extremesOf(past.ticker, past.panelRow));
  }

  /** A price that one analog in four went beyond, a whole tick or more above the current one. */
  get reach(): number {
    const highs = this.#weighted((i) => this.#extremes[i]!.highest);
    const gain = weightedQuantile(highs, HIGH_SHARE);
    return Math.max(floorToTick(this.#price * (1 + gain)), this.#price + tickSize(this.#price));
  }

  /**
   * The higher of what four analogs in five stayed above and of `swingLow`, where these lie below the current price;
   * a tick below it where neither does. Never below the floor of the stock's board, so that a stock at the floor has
   * its own price as support.
   */
  support(swingLow: number): number {
    const price = this.#price;
    const lows = this.#weighted((i) => this.#extremes[i]!.lowest);
    const fall = weightedQuantile(lows, LOW_SHARE);
    const below = [floorToTick(price * (1 + fall)), swingLow].filter((level) => level < price);
    const support = below.length > 0 ? Math.max(...below) : floorToTick(price - 1);
    return Math.max(support, floorPrice(price));
  }

  /**
   * When the middle half of the analogs that reach `target` first reach it, but not before the upper limits of the days
   * from `isoDate` on allow it; the whole horizon when none does.
   */
  daysTo(target: number, isoDate: string): DayWindow {
    const gain = target / this.#price - 1;
    const days = this.#weighted((i) => {
      const { ticker, panelRow } = this.#analogs[i]!.past;
      return this.#paths.firstDayAbove(ticker, panelRow, gain);
    });
    const reached = days.filter(({ value }) => value > 0);
    const least = Math.min(this.#horizonDays, leastDaysUp(this.#price, target, isoDate));
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

/** A value and how much it counts. */
interface WeightedValue {
  value: number;
  /** Not negative. */
  weight: number;
}

/**
 * The lowest value at or below which at least the part `share` (0 to 1) of the summed weight lies: the inverse of the
 * weighted distribution function, so always one of the values. NaN without any weight.
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
