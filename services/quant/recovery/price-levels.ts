import { REGULAR_FLOOR_IDR } from '../exchange/auto-rejection.ts';
import { floorToTick, tickSize } from '../exchange/tick-size.ts';
import type { Analog } from './analogs.ts';
import type { ForwardPaths, PathExtremes } from './forward-path.ts';
import { weightedQuantile, type WeightedValue } from './weighted-quantile.ts';

/** Trading days of the horizon between which to expect something, both included. */
export interface DayWindow {
  day_from: number;
  day_to: number;
}

/** Three paths in four stay below this part of their highs, four in five above this part of their lows. */
const HIGH_SHARE = 0.75;
const LOW_SHARE = 0.2;
const EARLY_SHARE = 0.25;
const LATE_SHARE = 0.75;
/** The special boards trade below the regular floor, down to this. */
const SPECIAL_FLOOR_IDR = 1;

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
    return Math.max(support, price < REGULAR_FLOOR_IDR ? SPECIAL_FLOOR_IDR : REGULAR_FLOOR_IDR);
  }

  /** When the middle half of the analogs that reach `target` first reach it; the whole horizon when none does. */
  daysTo(target: number): DayWindow {
    const gain = target / this.#price - 1;
    const days = this.#weighted((i) => {
      const { ticker, panelRow } = this.#analogs[i]!.past;
      return this.#paths.firstDayAbove(ticker, panelRow, gain);
    });
    const reached = days.filter(({ value }) => value > 0);
    if (!reached.some(({ weight }) => weight > 0)) return { day_from: 1, day_to: this.#horizonDays };
    return {
      day_from: weightedQuantile(reached, EARLY_SHARE),
      day_to: weightedQuantile(reached, LATE_SHARE),
    };
  }

  #weighted(valueOf: (index: number) => number): WeightedValue[] {
    return this.#analogs.map(({ weight }, i) => ({ value: valueOf(i), weight }));
  }
}
