import { refuseUnwanted, type MayBeUnwanted } from '#foundation/unwanted.ts';
import { TOLERANCE } from './price-levels.ts';
import { BUY_FEE, SELL_FEE } from '../exchange/fees.ts';
import { sharedColumn } from '../panel/panel-columns.ts';
import type { Panel } from '../panel/panel.ts';
import { entryPrice, entryRow, type EntryRule } from './entry.ts';
import { salePrice, saleRow, type End, type Levels, type Position } from './sales.ts';

/** How long a position is held, and at which prices it ends earlier. */
export interface Barriers {
  /** Fractions of the close of the analysed day. */
  targetGain: number;
  stopLoss: number;
  /** Exchange days after the analysed day, at the end of which the position is closed. */
  horizonDays: number;
}

/** Days of stocks: for each, the index of the ticker and the row of the panel. */
interface StockDays extends MayBeUnwanted {
  ticker: ArrayLike<number>;
  panelRow: ArrayLike<number>;
}

/** Outcomes of buying, one entry for each row. */
export interface Outcomes {
  /** 1 where the position was opened; 0 where it was not, or where that is not known yet. */
  filled: Uint8Array;
  /** 1 where the target was reached before the stop, 0 otherwise and while undecided. */
  won: Uint8Array;
  /** 1 where the stop was reached first; 0 otherwise, so also at the horizon and while undecided. */
  stopped: Uint8Array;
  /**
   * Calendar day on which the position was sold or given up, or on which it was not opened; {@link UNDECIDED} where that is not known
   * yet.
   */
  exitDay: Uint16Array;
  /**
   * Net of costs, as a fraction of the price paid; 0 while undecided and where nothing was bought, NaN where nobody could sell it.
   */
  netReturn: Float64Array;
}

export const UNDECIDED = 0xffff;

/** Exchange days after the horizon for which a position waits for a bid. */
export const MAX_SALE_WAIT_DAYS = 5;

/** The last analysed day of which every position must have been sold by the end of `lastDay`. */
export function lastDecidedDay(lastDay: number, { horizonDays }: Pick<Barriers, 'horizonDays'>): number {
  return lastDay - horizonDays - MAX_SALE_WAIT_DAYS;
}

/**
 * Triple-barrier outcomes (Lopez de Prado, Advances in Financial Machine Learning, 2018, chapter 3.4) as known at the end of
 * `lastDay`: no row of a later day is read.
 *
 * Positions are opened by {@link EntryRule}. At the target, a position is sold at the lowest tradable price not below it or, on a day
 * that stayed above it, at the open, if that is known, and otherwise at the low. At the stop, it is sold one tick below the highest
 * tradable price not above it, or at the day's high when the whole day stayed below that. A day that reaches both counts as a stop.
 * The day on which a position is opened can stop it but never wins, because its high may have come before the purchase. At the
 * horizon, which counts exchange days, whether or not the stock traded, the position is sold one tick below the close. Prices are
 * adjusted to the analysed day by `cum_factor`.
 *
 * A sale waits for a day on which the stock trades and somebody bids, and then gets that day's average price at most, as it does on
 * a day that ends without a bid. What nobody could sell by {@link MAX_SALE_WAIT_DAYS} after the horizon has no return. Waiting
 * changes what a position returned, never whether it won.
 */
export function tripleBarrier(
  panel: Panel,
  days: StockDays,
  barriers: Barriers,
  lastDay: number,
  rule: EntryRule = 'next_day_limit',
): Outcomes {
  const count = days.panelRow.length;
  const outcomes = undecidedOutcomes(count);
  for (let i = 0; i < count; i++) {
    refuseUnwanted(days);
    const [ticker, row] = [days.ticker[i]!, days.panelRow[i]!];
    const entered = entryRow(panel, ticker, row, { rule, lastDay });
    if (entered === -1) outcomes.exitDay[i] = panel.columns.day[row]! + 1;
    else if (entered !== undefined) follow(panel, { ticker, row, entered }, barriers, lastDay, i, outcomes);
  }
  return outcomes;
}

/** The outcomes at these indices, in their order. */
export function outcomesAt(all: Outcomes, places: Uint32Array): Outcomes {
  const outcomes = undecidedOutcomes(places.length);
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!;
    outcomes.filled[i] = all.filled[place]!;
    outcomes.won[i] = all.won[place]!;
    outcomes.stopped[i] = all.stopped[place]!;
    outcomes.exitDay[i] = all.exitDay[place]!;
    outcomes.netReturn[i] = all.netReturn[place]!;
  }
  return outcomes;
}

/** Outcomes of `count` rows about which nothing is known yet, in shared memory. */
export function undecidedOutcomes(count: number): Outcomes {
  return {
    filled: sharedColumn(Uint8Array, count),
    won: sharedColumn(Uint8Array, count),
    stopped: sharedColumn(Uint8Array, count),
    exitDay: sharedColumn(Uint16Array, count).fill(UNDECIDED),
    netReturn: sharedColumn(Float64Array, count),
  };
}

function follow(
  panel: Panel,
  position: Position,
  barriers: Barriers,
  lastDay: number,
  at: number,
  { filled, won, stopped, exitDay, netReturn }: Outcomes,
): void {
  filled[at] = 1;
  const { row: analysed, entered } = position;
  const levels = levelsOf(panel, analysed, barriers);
  const end = endOf(panel, position, levels, lastDay);
  if (!end) return;
  const latest = levels.endOfHorizon + MAX_SALE_WAIT_DAYS;
  const row = saleRow(panel, position, end, levels, Math.min(latest, lastDay));
  if (row === undefined && latest > lastDay) return;
  won[at] = end.reached === 'target' ? 1 : 0;
  stopped[at] = end.reached === 'stop' ? 1 : 0;
  exitDay[at] = row === undefined ? latest : panel.columns.day[row]!;
  if (row === undefined) netReturn[at] = NaN;
  else {
    const paid = entryPrice(panel, analysed, entered) * panel.priceScale(entered, row);
    const sold = salePrice(panel, position, end, levels, row);
    netReturn[at] = (sold * (1 - SELL_FEE)) / (paid * (1 + BUY_FEE)) - 1;
  }
}

export function levelsOf(
  { columns: { close, day } }: Panel,
  analysed: number,
  { targetGain, stopLoss, horizonDays }: Barriers,
): Levels {
  return {
    target: close[analysed]! * (1 + targetGain),
    stop: close[analysed]! * (1 - stopLoss),
    endOfHorizon: day[analysed]! + horizonDays,
  };
}

/** The end of a position; undefined when it is not known by the end of `lastDay`. */
export function endOf(
  panel: Panel,
  { ticker, row: analysed, entered }: Position,
  { target, stop, endOfHorizon }: Levels,
  lastDay: number,
): End | undefined {
  const { day, high, low, volume, offsets } = panel.columns;
  const [from, endRow] = [Math.max(entered, analysed + 1), offsets[ticker + 1]!];
  let lastTraded = entered;
  for (let row = from; row < endRow && day[row]! <= Math.min(endOfHorizon, lastDay); row++) {
    if (volume[row] === 0) continue;
    const scale = panel.priceScale(row, analysed);
    if (low[row]! * scale <= stop * (1 + TOLERANCE)) return { row, reached: 'stop' };
    if (row > entered && high[row]! * scale >= target * (1 - TOLERANCE)) return { row, reached: 'target' };
    lastTraded = row;
  }
  return endOfHorizon > lastDay ? undefined : { row: lastTraded, reached: 'horizon' };
}
