import { BUY_FEE, SELL_FEE, tickSize } from '../exchange/exchange.ts';
import type { Panel } from '../panel/panel.ts';

/** How long a position is held, and what ends it earlier. */
export interface Barriers {
  /** Fractions of the close of the day of entry. */
  targetGain: number;
  stopLoss: number;
  /** Trading days of the exchange after which it is given up. */
  horizonDays: number;
}

/** Days of stocks: index of the ticker and row of the panel of each. */
interface StockDays {
  ticker: ArrayLike<number>;
  panelRow: ArrayLike<number>;
}

/** What came of buying at the close, one entry a row. */
export interface Outcomes {
  /** 1 where the target was reached before the stop, 0 otherwise. */
  won: Uint8Array;
  /** Calendar day on which the position ended; {@link UNDECIDED} where that was not known yet. */
  exitDay: Uint16Array;
  /** After costs, as a fraction of what was paid; 0 while undecided. */
  netReturn: Float64Array;
}

export const UNDECIDED = 0xffff;

/** A target of 100 x 1.1 is 110.00000000000001 in floats, and a high of 110 reaches it. */
const TOLERANCE = 1e-9;

/**
 * Triple-barrier outcomes (Lopez de Prado, Advances in Financial Machine Learning, 2018, chapter 3.4) as they were known
 * at the end of `lastDay`: no row of a later day is read.
 *
 * Bought at the close plus one tick. The target is sold at exactly; the stop less one tick, or at the high of a day that
 * stayed below it, for opens are not known. Both on one day count as the stop. At the horizon, which counts days
 * of the exchange whether or not the stock traded, what is left is sold one tick below its last traded close: also of a
 * stock that is suspended by then or gone. Prices are brought to the scale of the day of entry by `cum_factor`.
 */
export function tripleBarrier(panel: Panel, days: StockDays, barriers: Barriers, lastDay: number): Outcomes {
  const count = days.panelRow.length;
  const outcomes: Outcomes = {
    won: new Uint8Array(count),
    exitDay: new Uint16Array(count).fill(UNDECIDED),
    netReturn: new Float64Array(count),
  };
  for (let i = 0; i < count; i++)
    follow(panel, days.ticker[i]!, days.panelRow[i]!, barriers, lastDay, i, outcomes);
  return outcomes;
}

function follow(
  panel: Panel,
  ticker: number,
  entryRow: number,
  { targetGain, stopLoss, horizonDays }: Barriers,
  lastDay: number,
  at: number,
  { won, exitDay, netReturn }: Outcomes,
): void {
  const { day, high, low, close, volume, cum_factor, offsets } = panel.columns;
  const entry = close[entryRow]!;
  const [target, stop] = [entry * (1 + targetGain), entry * (1 - stopLoss)];
  const cost = costOfBuying(entry);
  const endOfHorizon = day[entryRow]! + horizonDays;
  const endRow = offsets[ticker + 1]!;
  let lastTraded = entryRow;
  for (let row = entryRow + 1; row < endRow && day[row]! <= Math.min(endOfHorizon, lastDay); row++) {
    if (volume[row] === 0) continue;
    const scale = cum_factor[entryRow]! / cum_factor[row]!;
    const stopped = low[row]! * scale <= stop * (1 + TOLERANCE);
    if (stopped || high[row]! * scale >= target * (1 - TOLERANCE)) {
      const sold = stopped ? Math.min(oneTickBelow(stop / scale), high[row]!) * scale : target;
      won[at] = stopped ? 0 : 1;
      exitDay[at] = day[row]!;
      netReturn[at] = proceedsOfSelling(sold) / cost - 1;
      return;
    }
    lastTraded = row;
  }
  if (endOfHorizon > lastDay) return;
  const scale = cum_factor[entryRow]! / cum_factor[lastTraded]!;
  exitDay[at] = endOfHorizon;
  netReturn[at] = proceedsOfSelling(oneTickBelow(close[lastTraded]!) * scale) / cost - 1;
}

/** What is paid for a share in the end when it is bought one tick above `price`; IDR. */
function costOfBuying(price: number): number {
  return (price + tickSize(price)) * (1 + BUY_FEE);
}

/** What is left of a share that is sold at `price`; IDR. */
function proceedsOfSelling(price: number): number {
  return price * (1 - SELL_FEE);
}

/** `price` less one tick: what an order that cannot wait gets; IDR. */
function oneTickBelow(price: number): number {
  return price - tickSize(price);
}
