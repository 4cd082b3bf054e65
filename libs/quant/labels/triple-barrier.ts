import { lowerLimit, priceLimits, REGULAR_FLOOR_IDR, tickSize } from '../exchange/exchange.ts';
import { BUY_FEE, SELL_FEE } from '../exchange/fees.ts';
import { sharedColumn } from '../panel/panel-columns.ts';
import type { Panel } from '../panel/panel.ts';
import { averagePrice, dateOf, entryPrice, entryRow, type EntryRule } from './entry.ts';

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
  /** 1 where the target was reached before the stop, 0 otherwise and while undecided. */
  won: Uint8Array;
  /** 1 where the stop was reached first; 0 otherwise, so also at the horizon and while undecided. */
  stopped: Uint8Array;
  /** Calendar day on which the position was sold, or on which it was not opened; {@link UNDECIDED} where that is not known yet. */
  exitDay: Uint16Array;
  /** Net of costs, as a fraction of the price paid; 0 while undecided and where nothing was bought. */
  netReturn: Float64Array;
}

export const UNDECIDED = 0xffff;

/** Exchange days after the horizon for which a position waits for a bid. */
export const MAX_SALE_WAIT_DAYS = 5;

/** The last analysed day of which every position must have been sold by the end of `lastDay`. */
export function lastDecidedDay(lastDay: number, { horizonDays }: Pick<Barriers, 'horizonDays'>): number {
  return lastDay - horizonDays - MAX_SALE_WAIT_DAYS;
}

/** In floats, a target of 100 × 1.1 is 110.00000000000001, and a high of 110 must reach it. */
export const TOLERANCE = 1e-9;

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
 *
 * Nobody bids on a day that trades at its lower limit only. A sale waits for the next day that trades above it, and then gets
 * that day's average price at most, as it does on a day that closes at its lower limit. If nobody has bid
 * {@link MAX_SALE_WAIT_DAYS} after the horizon, the position counts as sold one tick below the last close. Waiting changes
 * what a position returned, never whether it won.
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

/** A position: the analysed row and the row on which it was opened. */
export interface Position {
  ticker: number;
  row: number;
  entered: number;
}

/** How a position ends: on which row a barrier is reached, or the last traded row of the horizon. */
export interface End {
  row: number;
  reached: 'target' | 'stop' | 'horizon';
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
  const sale = saleOf(panel, position, end, levels, lastDay);
  if (!sale) return;
  const scaleOf = (row: number) => panel.priceScale(row, analysed);
  const paid = entryPrice(panel, analysed, entered) * scaleOf(entered);
  won[at] = end.reached === 'target' ? 1 : 0;
  stopped[at] = end.reached === 'stop' ? 1 : 0;
  exitDay[at] = sale.day;
  netReturn[at] = (sale.price * (1 - SELL_FEE)) / (paid * (1 + BUY_FEE)) - 1;
}

/** Where a position ends. */
export interface Levels {
  /** Prices of the barriers, IDR of the analysed day. */
  target: number;
  stop: number;
  /** Calendar index. */
  endOfHorizon: number;
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

/** The sale of a position that has ended, in IDR of the analysed day; undefined while nobody has bid for it. */
function saleOf(
  panel: Panel,
  position: Position,
  end: End,
  levels: Levels,
  lastDay: number,
): { day: number; price: number } | undefined {
  const { day } = panel.columns;
  const { endOfHorizon } = levels;
  const latest = endOfHorizon + MAX_SALE_WAIT_DAYS;
  const priced = (row: number, price: number) => price * panel.priceScale(row, position.row);
  if (end.reached === 'target') return { day: day[end.row]!, price: levels.target };
  const row = rowWithBids(panel, position.ticker, end.row, Math.min(latest, lastDay));
  if (row === undefined) {
    if (latest > lastDay) return undefined;
    const last = Math.max(end.row, panel.lastTradedRow(position.ticker, latest));
    return { day: latest, price: priced(last, oneTickBelow(panel, last, panel.columns.close[last]!)) };
  }
  const sold = end.reached === 'horizon' && row === end.row ? endOfHorizon : day[row]!;
  return { day: sold, price: priced(row, bidPrice(panel, position, end, levels, row)) };
}

/** The price of a sale on `row`, the {@link rowWithBids} of a position that ended at its stop or horizon; IDR of its day. */
export function bidPrice(panel: Panel, position: Position, end: End, levels: Levels, row: number): number {
  const usual = usualPrice(panel, position, end, levels, row);
  const hadBidsAllDay = row === end.row && !closedAtLowerLimit(panel, row);
  return hadBidsAllDay ? usual : Math.min(usual, averagePrice(panel, row));
}

/** The price of a sale on `row` with bids all day, IDR of its day. */
function usualPrice(
  panel: Panel,
  { row: analysed, entered }: Position,
  end: End,
  { stop }: Levels,
  row: number,
): number {
  const { high, close } = panel.columns;
  if (end.reached === 'horizon') return row > end.row ? high[row]! : oneTickBelow(panel, row, close[row]!);
  const stopPrice = oneTickBelow(panel, row, stop / panel.priceScale(row, analysed));
  // Bought and stopped on the same day: sold below the price paid, since the purchase came first.
  const isSameDay = row === entered;
  const most = isSameDay ? oneTickBelow(panel, row, entryPrice(panel, analysed, entered)) : high[row]!;
  return Math.min(stopPrice, most);
}

/** `row`, or the first later one up to `lastDay` that traded, on which somebody bid; undefined when there is none. */
export function rowWithBids(panel: Panel, ticker: number, row: number, lastDay: number): number | undefined {
  const { day, volume, offsets } = panel.columns;
  for (let at = row; at < offsets[ticker + 1]! && day[at]! <= lastDay; at++)
    if ((at === row || volume[at] !== 0) && hadBids(panel, at)) return at;
  return undefined;
}

/** Whether a row that traded did so above its lower limit. At that limit alone, nobody bids. */
export function hadBids(panel: Panel, row: number): boolean {
  return panel.columns.high[row]! > lowerLimitOf(panel, row);
}

/** Whether a row closed at its lower limit. Then a sale found no bid at the close, though it may have before. */
export function closedAtLowerLimit(panel: Panel, row: number): boolean {
  return panel.columns.close[row]! <= lowerLimitOf(panel, row);
}

function lowerLimitOf(panel: Panel, row: number): number {
  const reference = panel.columns.previous[row]!;
  const date = dateOf(panel, row);
  return reference < REGULAR_FLOOR_IDR
    ? priceLimits(reference, date, 'special').lower
    : lowerLimit(reference, date);
}

/** `price` less one tick, IDR of the row's day: the price of an order that must be filled immediately. */
function oneTickBelow(panel: Panel, row: number, price: number): number {
  return price - tickSize(price, dateOf(panel, row));
}
