import { BUY_FEE, SELL_FEE, tickSize } from '../exchange/exchange.ts';
import type { Panel } from '../panel/panel.ts';
import { entryPrice, entryRow, type EntryRule } from './entry.ts';

/** How long a position is held, and at which prices it ends earlier. */
export interface Barriers {
  /** Fractions of the close of the analysed day. */
  targetGain: number;
  stopLoss: number;
  /** Exchange days after the analysed day, at the end of which the position is closed. */
  horizonDays: number;
}

/** Days of stocks: for each, the index of the ticker and the row of the panel. */
interface StockDays {
  ticker: ArrayLike<number>;
  panelRow: ArrayLike<number>;
}

/** Outcomes of buying, one entry for each row. */
export interface Outcomes {
  /** 1 where the position was opened; 0 where it was not, or where that is not known yet. */
  filled: Uint8Array;
  /** 1 where the target was reached before the stop, 0 otherwise. */
  won: Uint8Array;
  /** 1 where the stop was reached first; 0 otherwise, so also at the horizon and while undecided. */
  stopped: Uint8Array;
  /** Calendar day on which the position ended, or on which it was not opened; {@link UNDECIDED} where that is not known yet. */
  exitDay: Uint16Array;
  /** Net of costs, as a fraction of the price paid; 0 while undecided and where nothing was bought. */
  netReturn: Float64Array;
}

export const UNDECIDED = 0xffff;

/** In floats, a target of 100 × 1.1 is 110.00000000000001, and a high of 110 must reach it. */
const TOLERANCE = 1e-9;

/**
 * Triple-barrier outcomes (Lopez de Prado, Advances in Financial Machine Learning, 2018, chapter 3.4) as known at the end of
 * `lastDay`: no row of a later day is read.
 *
 * Positions are opened by {@link EntryRule}. At the target, a position is sold at exactly that price. At the stop, it is sold
 * one tick below the stop, or at the day's high when the whole day stayed below that, because opens are not known. A day that
 * reaches both counts as a stop. The day on which a position is opened can stop it but never wins, because its high may have
 * come before the purchase. At the horizon, the position is sold one tick below its last traded close, even if the stock is
 * suspended or delisted by then. The horizon counts exchange days, whether or not the stock traded. Prices are adjusted to
 * the analysed day by `cum_factor`.
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

/** Outcomes of `count` rows about which nothing is known yet. */
export function undecidedOutcomes(count: number): Outcomes {
  return {
    filled: new Uint8Array(count),
    won: new Uint8Array(count),
    stopped: new Uint8Array(count),
    exitDay: new Uint16Array(count).fill(UNDECIDED),
    netReturn: new Float64Array(count),
  };
}

/** A position: the analysed row and the row on which it was opened. */
interface Position {
  ticker: number;
  row: number;
  entered: number;
}

function follow(
  panel: Panel,
  { ticker, row: analysed, entered }: Position,
  { targetGain, stopLoss, horizonDays }: Barriers,
  lastDay: number,
  at: number,
  { filled, won, stopped: stoppedAt, exitDay, netReturn }: Outcomes,
): void {
  const { day, high, low, close, volume, cum_factor, offsets } = panel.columns;
  const scaleOf = (row: number) => cum_factor[analysed]! / cum_factor[row]!;
  const [target, stop] = [close[analysed]! * (1 + targetGain), close[analysed]! * (1 - stopLoss)];
  const paid = entryPrice(panel, analysed, entered) * scaleOf(entered);
  const netOf = (price: number) => (price * (1 - SELL_FEE)) / (paid * (1 + BUY_FEE)) - 1;
  const endOfHorizon = day[analysed]! + horizonDays;
  const endRow = offsets[ticker + 1]!;
  filled[at] = 1;
  let lastTraded = entered;
  for (
    let row = Math.max(entered, analysed + 1);
    row < endRow && day[row]! <= Math.min(endOfHorizon, lastDay);
    row++
  ) {
    if (volume[row] === 0) continue;
    const scale = scaleOf(row);
    const stopped = low[row]! * scale <= stop * (1 + TOLERANCE);
    if (stopped || (row > entered && high[row]! * scale >= target * (1 - TOLERANCE))) {
      // Bought and stopped on the same day: sold below the price paid, since the purchase came first.
      const most = row > entered ? high[row]! : oneTickBelow(paid / scale);
      const sold = stopped ? Math.min(oneTickBelow(stop / scale), most) * scale : target;
      won[at] = stopped ? 0 : 1;
      stoppedAt[at] = stopped ? 1 : 0;
      exitDay[at] = day[row]!;
      netReturn[at] = netOf(sold);
      return;
    }
    lastTraded = row;
  }
  if (endOfHorizon > lastDay) return;
  exitDay[at] = endOfHorizon;
  netReturn[at] = netOf(oneTickBelow(close[lastTraded]!) * scaleOf(lastTraded));
}

/** `price` less one tick, IDR: the price of an order that must be filled immediately. */
function oneTickBelow(price: number): number {
  return price - tickSize(price);
}
