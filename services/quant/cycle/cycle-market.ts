import type { CycleReading } from './cycle-reading.ts';
import { CONFIRMATION_POINTS, cycleScore, levelCloseness, PRICE_POINTS } from './cycle-score.ts';
import type { MarketSwings, StockCycles } from './market-swings.ts';
import { lastPivot, readSwing } from './read-swing.ts';
import { readTime } from './read-time.ts';
import { nearestLevels } from './square-of-nine.ts';
import { TimeCycles } from './time-cycles.ts';
import { turnsUp, volumeOfRise } from './turn-confirmation.ts';

const MS_PER_DAY = 86_400_000;

export interface CycleSettings {
  /** Lengths of time cycles in days; may be empty. */
  cycles: readonly number[];
  /** Days by which a cycle may be missed. */
  cycleTolerance: number;
  /** Percent of the close within which a level is near. */
  priceTolerancePct: number;
}

/**
 * The cycles of every stock, readable at any day up to the last one of `swings`: a reading is made of rows up to its
 * own day alone. After the first one of a ticker a reading takes O(pivot window).
 */
export class CycleMarket {
  readonly swings: MarketSwings;
  readonly #cycles: TimeCycles;
  /** Fraction of the close. */
  readonly #priceTolerance: number;
  /** Days since 1970-01-01 of each exchange day. */
  readonly #dates: Int32Array;

  constructor(swings: MarketSwings, { cycles, cycleTolerance, priceTolerancePct }: CycleSettings) {
    const { dates } = swings.panel.columns;
    this.swings = swings;
    this.#cycles = new TimeCycles(cycles, cycleTolerance);
    this.#priceTolerance = priceTolerancePct / 100;
    this.#dates = Int32Array.from(
      dates.slice(0, swings.lastDay + 1),
      (date) => Date.parse(date) / MS_PER_DAY,
    );
  }

  /** Writes to `out` what is known of `ticker` (index) at its `row` (of the panel), a day on which it traded. */
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

  /** Levels are counted from the swings' prices in the terms of the row's day. */
  #readPrice({ pivots }: StockCycles, bar: number, row: number, out: CycleReading): void {
    const { columns } = this.swings.panel;
    const close = columns.close[row]!;
    const factor = columns.cum_factor[row]!;
    const low = lastPivot(pivots, bar, 0);
    const high = lastPivot(pivots, bar, 1);
    const lowPrice = low < 0 ? NaN : pivots.price[low]! * factor;
    const highPrice = high < 0 ? NaN : pivots.price[high]! * factor;
    nearestLevels(close, lowPrice, highPrice, out);
    out.pricePoints = PRICE_POINTS * levelCloseness(close, out.support, out.resistance, this.#priceTolerance);
  }

  #confirmationPoints({ bars }: StockCycles, bar: number, aboveOneByOne: number): number {
    const { upTurn, volume, trend } = CONFIRMATION_POINTS;
    return (
      (turnsUp(bars, bar, this.swings.pivotWindow) ? upTurn : 0) +
      volume * volumeOfRise(bars.close, bars.volume, bar) +
      (aboveOneByOne > 0 ? trend : 0)
    );
  }
}
