import { BUY_FEE, SELL_FEE, tickSize } from '../exchange/exchange.ts';
import type { Panel } from '../panel/panel.ts';
import { entryPrice, entryRow, type EntryRule } from './entry.ts';

/** How long a position is held, and what ends it earlier. */
export interface Barriers {
  /** Fractions of the close of the analysed day. */
  targetGain: number;
  stopLoss: number;
  /** Trading days of the exchange after the analysed one after which it is given up. */
  horizonDays: number;
}

/** Days of stocks: index of the ticker and row of the panel of each. */
interface StockDays {
  ticker: ArrayLike<number>;
  panelRow: ArrayLike<number>;
}

/** What came of buying, one entry a row. */
export interface Outcomes {
  /** 1 where the position was opened, 0 where it was not or where that is not known yet. */
  filled: Uint8Array;
  /** 1 where the target was reached before the stop, 0 otherwise. */
  won: Uint8Array;
  /** 1 where the stop was, 0 otherwise: neither at the horizon nor while undecided. */
  stopped: Uint8Array;
  /**
   * Calendar day on which the position ended, or on which it was not opened; {@link UNDECIDED} where that was not known
   * yet.
   */
  exitDay: Uint16Array;
  /** After costs, as a fraction of what was paid; 0 while undecided and where nothing was bought. */
  netReturn: Float64Array;
}

export const UNDECIDED = 0xffff;

/** A target of 100 x 1.1 is 110.00000000000001 in floats, and a high of 110 reaches it. */
const TOLERANCE = 1e-9;

/**
 * Triple-barrier outcomes (Lopez de Prado, Advances in Financial Machine Learning, 2018, chapter 3.4) as they were known
 * at the end of `lastDay`: no row of a later day is read.
 *
 * Positions are opened by {@link EntryRule}. The target is sold at exactly; the stop less one tick, or at the high of a
 * day that stayed below it, for opens are not known. Both on one day count as the stop. A day on which the position is
 * opened can stop it and never wins: whether its high came after the purchase is not known. At the horizon, which counts
 * days of the exchange whether or not the stock traded, what is left is sold one tick below its last traded close: also of
 * a stock that is suspended by then or gone. Prices are brought to the scale of the analysed day by `cum_factor`.
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

/** Those at these places, in their order. */
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

/** Of rows of which nothing is known yet. */
export function undecidedOutcomes(count: number): Outcomes {
  return {
    filled: new Uint8Array(count),
    won: new Uint8Array(count),
    stopped: new Uint8Array(count),
    exitDay: new Uint16Array(count).fill(UNDECIDED),
    netReturn: new Float64Array(count),
  };
}

/** A position: the row that was analysed and the one on which it was opened. */
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
      // Bought and stopped on one day: never sold for more than was paid, since the purchase came first.
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

/** `price` less one tick: what an order that cannot wait gets; IDR. */
function oneTickBelow(price: number): number {
  return price - tickSize(price);
}
