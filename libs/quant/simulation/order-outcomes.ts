import { floorToTick, LOT_SHARES, upperLimit } from '../exchange/exchange.ts';
import {
  averagePrice,
  dateOf,
  ENTRY_SPREAD_PCT,
  filledPrice,
  isFilled,
  limitPrice,
} from '../labels/entry.ts';
import { referencePrice } from '../panel/windows.ts';
import { barrierPrice, hadBids, salePrice, saleRow, type Position } from '../labels/sales.ts';
import { endOf, levelsOf, type Barriers } from '../labels/triple-barrier.ts';
import type { Picks } from './picks.ts';
import { NEVER, type SimulatedMarket } from './simulated-market.ts';

/** What became of an order: filled, or why not. */
const FILLS = ['filled', 'above_limit', 'locked_at_upper_limit', 'halted'] as const;
type Fill = (typeof FILLS)[number];
export const EXITS = ['target', 'stop', 'horizon'] as const;
export type Exit = (typeof EXITS)[number];

const [FILLED, ABOVE_LIMIT, LOCKED, HALTED] = [0, 1, 2, 3];

/** Where the numbers of an outcome are. Together they are 64 bytes, so that a draw touches memory once for each order. */
const AT = {
  fill: 0,
  limit: 1,
  price: 2,
  entryShares: 3,
  saleDay: 4,
  salePrice: 5,
  saleShares: 6,
  exit: 7,
} as const;
const WIDTH = 8;
const FIRST_ROOM = 4_096;

/** When positions end, and what the market takes of an order. */
export interface OrderRules {
  barriers: Barriers;
  /** The largest share of a stock's traded value of a day that an order may buy or sell. Infinity for no bound. */
  volumeShare: number;
  /**
   * Whether an order that could not be filled because the stock was locked or halted counts as filled at its limit, and a position is
   * sold at its barrier although nobody bid.
   */
  countsImpossible?: boolean;
}

/**
 * What becomes of an order for a stock at the end of a day, and of the position that it opens, whoever gives it. Of each it is found
 * out once, however many draws ask. Entries and exits are those of `tripleBarrier`, but a position for which nobody bids is held until
 * somebody does.
 */
export class OrderOutcomes {
  readonly #market: SimulatedMarket;
  readonly #days: Int32Array;
  readonly #rules: OrderRules;
  /** For each day of picks and each stock: one more than the number of its outcome; 0 where nobody has asked yet. */
  readonly #numbers: Uint32Array;
  #outcomes = new Float64Array(FIRST_ROOM * WIDTH);
  #count = 0;

  constructor(market: SimulatedMarket, { days }: Pick<Picks, 'days'>, rules: OrderRules) {
    this.#market = market;
    this.#days = days;
    this.#rules = rules;
    this.#numbers = new Uint32Array(days.length * market.stocks);
  }

  /** Where the methods below find a stock picked on a day, which has a row of it and is not the last of the span. */
  placeOf(pickDay: number, stock: number): number {
    const at = pickDay * this.#market.stocks + stock;
    if (this.#numbers[at] === 0) {
      this.#makeRoomFor(1);
      this.#numbers[at] = ++this.#count;
      this.#find(pickDay, stock);
    }
    return this.#place(at);
  }

  /**
   * Finds out at once what draws will ask for. Stock by stock, because a stock's rows are neighbours in the panel; but the outcomes of a
   * day become neighbours, because orders for them are given together.
   *
   * @param isWanted for each day of picks and each stock: 1 for one to find
   */
  findAll(isWanted: Uint8Array): void {
    const { stocks, span } = this.#market;
    const days = this.#days.at(-1) === span.lastDay ? this.#days.length - 1 : this.#days.length;
    const known = this.#count;
    this.#makeRoomFor(isWanted.reduce((count, one) => count + one, 0));
    for (let at = 0; at < days * stocks; at++)
      if (isWanted[at] === 1 && this.#numbers[at] === 0) this.#numbers[at] = ++this.#count;
    for (let stock = 0; stock < stocks; stock++)
      for (let pickDay = 0; pickDay < days; pickDay++)
        if (this.#numbers[pickDay * stocks + stock]! > known) this.#find(pickDay, stock);
  }

  /** The price of the order, IDR of the next day. Known before that day begins. */
  limitAt(place: number): number {
    return this.#outcomes[place + AT.limit]!;
  }

  fillAt(place: number): Fill {
    return FILLS[this.#outcomes[place + AT.fill]!]!;
  }

  /** What a share costs on average where the order is filled, IDR of the day; not always a whole number. */
  priceAt(place: number): number {
    return this.#outcomes[place + AT.price]!;
  }

  /** The most shares that the order buys; 0 where it is not filled. */
  entrySharesAt(place: number): number {
    return this.#outcomes[place + AT.entryShares]!;
  }

  /** The first day on which the position can be sold; {@link NEVER} if the span has none. */
  saleDayAt(place: number): number {
    return this.#outcomes[place + AT.saleDay]!;
  }

  /** The price of a share on that day, IDR. */
  salePriceAt(place: number): number {
    return this.#outcomes[place + AT.salePrice]!;
  }

  /** The most shares that can be sold on that day. */
  saleSharesAt(place: number): number {
    return this.#outcomes[place + AT.saleShares]!;
  }

  exitAt(place: number): Exit {
    return EXITS[this.#outcomes[place + AT.exit]!]!;
  }

  /** What the rest of a position fetches on a day after its first sale, and how many shares of it; undefined if nobody bids. */
  laterSale(day: number, stock: number): { price: number; shares: number } | undefined {
    const { panel } = this.#market;
    const { volume, value } = panel.columns;
    const row = this.#market.rowOn(day, stock);
    if (row < 0 || volume[row] === 0 || !hadBids(panel, row)) return undefined;
    const price = averagePrice(panel, row);
    return { price, shares: this.#tradable(value[row]!, price) };
  }

  /** The most shares that an order may trade of a value that is traded on a day. */
  #tradable(valueIdr: number, price: number): number {
    const { volumeShare } = this.#rules;
    if (volumeShare === Infinity) return Infinity;
    return Math.floor((volumeShare * valueIdr) / (price * LOT_SHARES)) * LOT_SHARES;
  }

  #place(at: number): number {
    return (this.#numbers[at]! - 1) * WIDTH;
  }

  #makeRoomFor(more: number): void {
    const needed = (this.#count + more) * WIDTH;
    if (needed <= this.#outcomes.length) return;
    const larger = new Float64Array(Math.max(needed, 2 * this.#outcomes.length));
    larger.set(this.#outcomes);
    this.#outcomes = larger;
  }

  #find(pickDay: number, stock: number): void {
    const { panel } = this.#market;
    const { day, close, value, offsets } = panel.columns;
    const place = this.#place(pickDay * this.#market.stocks + stock);
    const outcome = this.#outcomes.subarray(place, place + WIDTH);
    outcome[AT.saleDay] = NEVER;
    const picked = this.#days[pickDay]!;
    const row = this.#market.rowOn(picked, stock);
    const next = row + 1;
    const hasNext = next < offsets[stock + 1]! && day[next] === picked + 1;
    outcome[AT.limit] = hasNext
      ? limitPrice(panel, row, next)
      : floorToTick(close[row]! * (1 + ENTRY_SPREAD_PCT / 100), dateOf(panel, row));
    const fill = hasNext ? this.#fillOn(next, outcome[AT.limit]!) : HALTED;
    const isCounted = this.#rules.countsImpossible && hasNext && (fill === LOCKED || fill === HALTED);
    outcome[AT.fill] = isCounted ? FILLED : fill;
    if (outcome[AT.fill] !== FILLED) return;
    outcome[AT.price] = isCounted ? outcome[AT.limit]! : filledPrice(panel, next, outcome[AT.limit]!);
    outcome[AT.entryShares] = this.#tradable(value[next]!, outcome[AT.price]!);
    this.#findSale(outcome, { ticker: stock, row, entered: next });
  }

  #fillOn(next: number, limit: number): number {
    const { panel } = this.#market;
    const { low, volume } = panel.columns;
    if (isFilled(panel, next, limit)) return FILLED;
    if (volume[next] === 0) return HALTED;
    return low[next]! >= upperLimit(referencePrice(panel, next), dateOf(panel, next)) ? LOCKED : ABOVE_LIMIT;
  }

  #findSale(outcome: Float64Array, position: Position): void {
    const { panel, span } = this.#market;
    const { day, value } = panel.columns;
    const levels = levelsOf(panel, position.row, this.#rules.barriers);
    const end = endOf(panel, position, levels, span.lastDay);
    if (!end) return;
    const { countsImpossible } = this.#rules;
    const row = countsImpossible ? end.row : saleRow(panel, position, end, levels, span.lastDay);
    if (row === undefined) return;
    const priceOn = countsImpossible ? barrierPrice : salePrice;
    outcome[AT.exit] = EXITS.indexOf(end.reached);
    outcome[AT.saleDay] = day[row]!;
    outcome[AT.salePrice] = priceOn(panel, position, end, levels, row);
    outcome[AT.saleShares] = this.#tradable(value[row]!, outcome[AT.salePrice]!);
  }
}
