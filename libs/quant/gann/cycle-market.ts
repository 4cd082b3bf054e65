import { isMixed } from '../panel/unknown-shares.ts';
import { nearestLevels, TimeCycles, turnsUp, VOLUME_BARS, volumeOfRise, oneByOne } from './constructions.ts';
import {
  CONFIRMATION_POINTS,
  cycleScore,
  levelCloseness,
  PRICE_POINTS,
  TIME_POINTS,
  type CycleReading,
  type CycleHit,
} from './cycle-reading.ts';
import type { MarketSwings, StockCycles, SwingPivots } from './swings.ts';
import { cumFactorAt } from '../panel/adjustment-factors.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

export interface CycleSettings {
  /** Lengths of time cycles in days; may be empty. */
  cycles: readonly number[];
  /** Tolerance in days around the length of a cycle. */
  cycleTolerance: number;
  /** A level is near when it is within this percentage of the close. */
  priceTolerancePct: number;
}

/**
 * The cycles of every stock, readable on any day up to the last day of `swings`. A reading uses only rows up to its own day.
 * The first reading of a ticker computes its swings; after that a reading takes O(pivot window).
 */
export class CycleMarket {
  readonly swings: MarketSwings;
  readonly #cycles: TimeCycles;
  /** As a fraction of the close. */
  readonly #priceTolerance: number;
  /** Days since 1970-01-01 of each exchange day. */
  readonly #dates: Int32Array;

  constructor(swings: MarketSwings, { cycles, cycleTolerance, priceTolerancePct }: CycleSettings) {
    const { dates } = swings.panel.columns;
    this.swings = swings;
    this.#cycles = new TimeCycles(cycles, cycleTolerance);
    this.#priceTolerance = priceTolerancePct / 100;
    this.#dates = Int32Array.from(dates.slice(0, swings.lastDay + 1), (date) => Date.parse(date) / DAY_MS);
  }

  /** Writes to `out` the reading of `ticker` (index) at its panel row `row`, a day on which it traded. */
  read(ticker: number, row: number, out: CycleReading): void {
    const stock = this.swings.of(ticker);
    const bar = stock.bars.barOf[row - this.swings.panel.firstRow(ticker)]!;
    readTime(stock, bar, this.#cycles, this.#dates, out);
    readSwing(stock, bar, out);
    this.#readPrice(stock, bar, row, out);
    out.confirmationPoints = this.#confirmationPoints(stock, bar, out.aboveOneByOne);
    const hasCycles = this.#cycles.lengths.length > 0;
    out.score = cycleScore(out.timePoints, out.pricePoints, out.confirmationPoints, hasCycles);
  }

  /** Adjusts the prices of the swings to the row's day before the levels are computed. */
  #readPrice({ pivots }: StockCycles, bar: number, row: number, out: CycleReading): void {
    const { columns } = this.swings.panel;
    const close = columns.close[row]!;
    const factor = cumFactorAt(columns.terms, row);
    const low = lastPivot(pivots, bar, 0);
    const high = lastPivot(pivots, bar, 1);
    const lowPrice = low < 0 ? NaN : pivots.price[low]! * factor;
    const highPrice = high < 0 ? NaN : pivots.price[high]! * factor;
    nearestLevels(close, lowPrice, highPrice, out);
    out.pricePoints = PRICE_POINTS * levelCloseness(close, out.support, out.resistance, this.#priceTolerance);
  }

  #confirmationPoints({ bars, unknown }: StockCycles, bar: number, aboveOneByOne: number): number {
    const { upTurn, volume, trend } = CONFIRMATION_POINTS;
    return (
      (turnsUp(bars, bar, this.swings.pivotWindow) ? upTurn : 0) +
      volume * (isMixed(unknown, bar, VOLUME_BARS) ? 0 : volumeOfRise(bars.close, bars.volume, bar)) +
      (aboveOneByOne > 0 ? trend : 0)
    );
  }
}

/** Number of latest pivots from which cycles are counted. */
const COUNTED_PIVOTS = 3;

/**
 * The time part of a reading at `bar`. Counts both calendar and exchange days from each of the last three pivots, and keeps
 * the count nearest to a cycle; on a tie, the newer pivot, then the calendar count. `dates` are the calendar days (since
 * 1970-01-01) of the exchange days.
 *
 * The next turn is counted in calendar days, because the exchange's future trading days are not known.
 */
function readTime(
  { bars, pivots }: StockCycles,
  bar: number,
  cycles: TimeCycles,
  dates: Int32Array,
  out: CycleReading,
): void {
  const day = bars.day[bar]!;
  let closest = 0;
  out.hit = null;
  out.daysToNextTurn = Infinity;
  let pivot = pivots.newest[bar]!;
  for (let counted = 0; counted < COUNTED_PIVOTS && pivot >= 0; counted++) {
    const pivotDay = bars.day[pivots.bar[pivot]!]!;
    const calendarDays = dates[day]! - dates[pivotDay]!;
    const exchangeDays = day - pivotDay;
    const isHigh = pivots.isHigh[pivot] === 1;
    if (cycles.closeness(calendarDays) > closest) {
      closest = cycles.closeness(calendarDays);
      out.hit = hitOf(cycles.dueAfter(calendarDays), calendarDays, 'calendar', isHigh);
    }
    if (cycles.closeness(exchangeDays) > closest) {
      closest = cycles.closeness(exchangeDays);
      out.hit = hitOf(cycles.dueAfter(exchangeDays), exchangeDays, 'exchange', isHigh);
    }
    out.daysToNextTurn = Math.min(out.daysToNextTurn, cycles.daysToNext(calendarDays));
    pivot = pivots.before[pivot]!;
  }
  out.timePoints = TIME_POINTS * closest;
}

function hitOf(days: number, elapsed: number, unit: CycleHit['unit'], isHigh: boolean): CycleHit {
  return { days, unit, from: isHigh ? 'high' : 'low', daysLeft: days - elapsed };
}

/**
 * The newest swing low (`wanted` 0) or high (1) known at `bar`, -1 for none. Pivots alternate, so it is one of the last two.
 */
function lastPivot({ newest, isHigh, before }: SwingPivots, bar: number, wanted: 0 | 1): number {
  const last = newest[bar]!;
  return last < 0 || isHigh[last] === wanted ? last : before[last]!;
}

/** Position of the close of `bar` between the last swings, and against the 1x1 line. */
function readSwing({ bars, pivots }: StockCycles, bar: number, out: CycleReading): void {
  const low = lastPivot(pivots, bar, 0);
  const high = lastPivot(pivots, bar, 1);
  const last = pivots.newest[bar]!;
  const close = bars.close[bar]!;
  const lowPrice = low < 0 ? NaN : pivots.price[low]!;
  const highPrice = high < 0 ? NaN : pivots.price[high]!;
  out.swing = last < 0 ? 0 : last === low ? 1 : -1;
  out.daysSinceLow = low < 0 ? NaN : bars.day[bar]! - bars.day[pivots.bar[low]!]!;
  out.daysSinceHigh = high < 0 ? NaN : bars.day[bar]! - bars.day[pivots.bar[high]!]!;
  out.swingPosition = (close - lowPrice) / (highPrice - lowPrice);
  out.aboveOneByOne = NaN;
  if (low >= 0) {
    const range = pivots.atr[low]!;
    out.aboveOneByOne = (close - oneByOne(lowPrice, range, bar - pivots.bar[low]!)) / range;
  }
}
