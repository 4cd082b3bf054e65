import type { CycleMarket } from './cycle-market.ts';
import { emptyReading, type CycleReading } from './cycle-reading.ts';

/** Features are clamped to these bounds. An undefined distance counts as its upper bound, which means "far". */
const MAX_DAYS = 500;
const MAX_GAP = 1;
const MAX_SWING_POSITION = 3;
const MAX_RANGES = 50;

/**
 * Cycle features for models, in the order in which `writeFeatures` writes them. Each is a formula over one reading and uses
 * no number of a later day. The constructions are Gann's and have no academic support.
 */
export const CYCLE_FEATURES = [
  'cycle_score',
  'cycle_time_points',
  'cycle_price_points',
  'cycle_confirmation_points',
  /** Distance from the close down to the next level of the Square of Nine, as a fraction of the close. */
  'sq9_support_gap',
  /** Distance from the close up to the next level, as a fraction of the close. */
  'sq9_resistance_gap',
  'days_since_swing_low',
  'days_since_swing_high',
  'swing_direction',
  /** 0 at the last swing low, 1 at the last swing high. */
  'swing_position',
  /** Distance of the close above the 1x1 line, in average true ranges. */
  'above_one_by_one',
  'days_to_next_turn',
] as const;

/** Unrolled instead of a loop: writing takes most of the time of a reading. */
function writeFeatures(reading: CycleReading, close: number, out: readonly Float32Array[], at: number): void {
  out[0]![at] = reading.score;
  out[1]![at] = reading.timePoints;
  out[2]![at] = reading.pricePoints;
  out[3]![at] = reading.confirmationPoints;
  out[4]![at] = clamp((close - reading.support) / close, 0, MAX_GAP, MAX_GAP);
  out[5]![at] = clamp((reading.resistance - close) / close, 0, MAX_GAP, MAX_GAP);
  out[6]![at] = clamp(reading.daysSinceLow, 0, MAX_DAYS, MAX_DAYS);
  out[7]![at] = clamp(reading.daysSinceHigh, 0, MAX_DAYS, MAX_DAYS);
  out[8]![at] = reading.swing;
  out[9]![at] = clamp(reading.swingPosition, -MAX_SWING_POSITION, MAX_SWING_POSITION, 0.5);
  out[10]![at] = clamp(reading.aboveOneByOne, -MAX_RANGES, MAX_RANGES, 0);
  out[11]![at] = clamp(reading.daysToNextTurn, 0, MAX_DAYS, MAX_DAYS);
}

function clamp(value: number, low: number, high: number, ifUndefined: number): number {
  return Number.isNaN(value) ? ifUndefined : Math.min(high, Math.max(low, value));
}

/** Days of stocks: index of the ticker and row of the panel. The stock traded on each of them. */
interface StockDays {
  ticker: Uint16Array;
  panelRow: Uint32Array;
}

/**
 * Writes the features of these days to `out`, one array for each feature; always finite. Processes one stock after the other,
 * whatever the order of the days, so that each stock's data is read in one go.
 */
export function cycleFeatures(market: CycleMarket, days: StockDays, out: readonly Float32Array[]): void {
  const { panel } = market.swings;
  const reading = emptyReading();
  for (const at of orderByTicker(days.ticker, panel.tickerCount)) {
    const row = days.panelRow[at]!;
    market.read(days.ticker[at]!, row, reading);
    writeFeatures(reading, panel.columns.close[row]!, out, at);
  }
}

/** Indices into `ticker` in ascending order of ticker, by a counting sort. */
function orderByTicker(ticker: Uint16Array, tickerCount: number): Uint32Array {
  const next = new Uint32Array(tickerCount + 1);
  for (const each of ticker) next[each + 1]!++;
  for (let i = 0; i < tickerCount; i++) next[i + 1]! += next[i]!;
  const order = new Uint32Array(ticker.length);
  for (let at = 0; at < ticker.length; at++) order[next[ticker[at]!]!++] = at;
  return order;
}
