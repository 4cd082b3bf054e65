import { LOT_SHARES } from '../exchange/exchange.ts';
import { BUY_FEE, SELL_FEE, STAMP_DUTY_IDR, stampDuty } from '../exchange/fees.ts';
import { averagePrice } from '../labels/entry.ts';
import { hadBids } from '../labels/triple-barrier.ts';
import type { ExitReason, Journal, Miss, Trade } from './journal.ts';
import type { OrderOutcomes } from './order-outcomes.ts';
import { AS_PICKED, type Choice, type Picks } from './picks.ts';
import { NEVER, type SimulatedMarket } from './simulated-market.ts';

/** Whose money, and how it is divided. */
export interface MoneyRules {
  capitalIdr: number;
  maxPositions: number;
  /** Of the equity, for each position. */
  positionShare: number;
  /** Of the value that is traded in a stock on a day: what an order may buy or sell at most. Infinity for no bound. */
  volumeShare: number;
}

/** Most trading days from a trade to its settlement. */
const LONGEST_SETTLEMENT_DAYS = 3;

interface Position {
  stock: number;
  place: number;
  shares: number;
  /** The first day on which it can be sold. */
  saleDay: number;
  /** The next day on which a corporate action restates its shares. */
  actionDay: number;
  trade: Trade | undefined;
}

interface Order {
  stock: number;
  place: number;
  shares: number;
}

/**
 * The account of somebody who follows picks by the rules of the market. All money is whole rupiahs.
 *
 * At the end of a day with picks, orders are given for the first picks that are not held, one for each free position: as many whole
 * lots as `positionShare` of the equity buys at the limit. They are paid with money that is free on the next day: that of a sale is
 * free once it is settled, so nothing is bought on unsettled money. An order buys at most `volumeShare` of what is traded on the day,
 * and what is left of it lapses. Positions end as their `OrderOutcomes` say, never because a stock is no longer picked; what one day
 * cannot take is sold at the average price of later days on which somebody bids. A corporate action changes the number of shares
 * by its price factor; what is no whole lot is paid out at the reference price, less the costs of a sale.
 */
export class Account {
  readonly #market: SimulatedMarket;
  readonly #outcomes: OrderOutcomes;
  readonly #rules: MoneyRules;
  readonly #isTaken: Uint8Array;
  /** What is settled on each of the next days: that of a day is where its number, divided by the length, leaves. */
  readonly #due = new Float64Array(LONGEST_SETTLEMENT_DAYS + 1);
  /** The first are held; the others are used again. */
  readonly #positions: Position[];
  #held = 0;
  readonly #orders: Order[];
  #ordered = 0;
  /** No corporate action of a held stock comes before. */
  #actionDay = NEVER;
  #picks: Picks | undefined;
  #choice = AS_PICKED;
  #journal: Journal | undefined;
  #cash = 0;
  #unsettled = 0;
  /** Of the present day: bought and sold, received for sales, and costs. */
  #traded = 0;
  #received = 0;
  #costs = 0;

  constructor(market: SimulatedMarket, outcomes: OrderOutcomes, rules: MoneyRules) {
    this.#market = market;
    this.#outcomes = outcomes;
    this.#rules = rules;
    this.#isTaken = new Uint8Array(market.stocks);
    const length = rules.maxPositions;
    const none = { stock: 0, place: 0, shares: 0 };
    this.#orders = Array.from({ length }, () => ({ ...none }));
    this.#positions = Array.from({ length }, () => ({ ...none, saleDay: 0, actionDay: 0, trade: undefined }));
  }

  /** Follows the picks through the span. Returns the equity at its end. */
  follow(picks: Picks, choice: Choice, journal?: Journal): number {
    this.begin(picks, choice, journal);
    return followTogether(this.#market, picks, [this])[0]!;
  }

  /** Begins anew, with the money of the beginning. */
  begin(picks: Picks, choice: Choice, journal?: Journal): void {
    [this.#picks, this.#choice, this.#journal] = [picks, choice, journal];
    [this.#held, this.#ordered, this.#actionDay] = [0, 0, NEVER];
    this.#isTaken.fill(0);
    this.#due.fill(0);
    this.#cash = this.#rules.capitalIdr;
    this.#unsettled = 0;
  }

  /**
   * Goes through the next day of the span.
   * @param pickDay which day of the picks it is; -1 for none
   */
  pass(day: number, pickDay: number): void {
    [this.#traded, this.#received, this.#costs] = [0, 0, 0];
    this.#settle(day);
    if (day >= this.#actionDay) this.#restate(day);
    this.#fill(day);
    this.#sell(day);
    this.#stamp(day);
    if (this.#journal) this.#write(this.#journal, day);
    if (pickDay >= 0 && day < this.#market.span.lastDay) this.#order(pickDay, day);
  }

  /** Free and unsettled money, and positions at the close of a day that has been passed. */
  equityOn(day: number): number {
    return this.#cash + this.#unsettled + this.#invested(day);
  }

  #settle(day: number): void {
    const at = day % this.#due.length;
    this.#cash += this.#due[at]!;
    this.#unsettled -= this.#due[at]!;
    this.#due[at] = 0;
  }

  #restate(day: number): void {
    this.#actionDay = NEVER;
    for (let i = this.#held - 1; i >= 0; i--) {
      const position = this.#positions[i]!;
      const isRestated = position.actionDay <= day;
      if (isRestated) position.actionDay = this.#market.actionAfter(day, position.stock);
      this.#actionDay = Math.min(this.#actionDay, position.actionDay);
      if (!isRestated) continue;
      const { panel } = this.#market;
      const row = this.#market.rowOn(day, position.stock);
      const shares = position.shares / panel.priceScale(row - 1, row);
      // In floats, a split of 1 to 5 may leave 499.99999999999994 shares.
      position.shares = Math.floor(shares / LOT_SHARES + 1e-9) * LOT_SHARES;
      const left = Math.max(0, shares - position.shares);
      const value = Math.round(left * panel.columns.previous[row]!);
      if (value > 0) this.#receive(position, left, value, day);
      if (position.shares === 0) this.#end(i, 'odd_lot');
    }
  }

  #fill(day: number): void {
    for (let i = 0; i < this.#ordered; i++) {
      const order = this.#orders[i]!;
      const { stock, place, shares: asked } = order;
      const fill = this.#outcomes.fillAt(place);
      const price = this.#outcomes.priceAt(place);
      const most = this.#tradable(this.#outcomes.entryValueAt(place), price);
      const shares = fill === 'filled' ? Math.min(asked, most) : 0;
      if (shares < asked) this.#miss(fill === 'filled' ? 'too_thin' : fill, order, shares, day - 1);
      if (shares > 0) this.#buy(order, shares, price, day);
      else this.#isTaken[stock] = 0;
    }
    this.#ordered = 0;
  }

  #buy({ stock, place }: Order, shares: number, price: number, day: number): void {
    const value = Math.round(shares * price);
    const paidIdr = costOf(value);
    this.#cash -= paidIdr;
    this.#traded += value;
    this.#costs += paidIdr - value;
    const position = this.#positions[this.#held++]!;
    position.stock = stock;
    position.place = place;
    position.shares = shares;
    position.saleDay = this.#outcomes.saleDayAt(place);
    position.actionDay = this.#market.actionAfter(day, stock);
    this.#actionDay = Math.min(this.#actionDay, position.actionDay);
    position.trade = this.#journal && opened(stock, { shares, price, paidIdr, boughtDay: day });
    if (position.trade) this.#journal!.trades.push(position.trade);
  }

  #sell(day: number): void {
    for (let i = this.#held - 1; i >= 0; i--) {
      const position = this.#positions[i]!;
      const { saleDay, stock, place } = position;
      if (saleDay > day) continue;
      const isFirst = day === saleDay;
      const price = isFirst ? this.#outcomes.salePriceAt(place) : this.#laterPrice(day, stock);
      if (price === undefined) continue;
      const traded = isFirst ? this.#outcomes.saleValueAt(place) : this.#valueOn(day, stock);
      const shares = Math.min(position.shares, this.#tradable(traded, price));
      if (shares < position.shares && position.trade) position.trade.thinDays++;
      if (shares === 0) continue;
      position.shares -= shares;
      const value = Math.round(shares * price);
      this.#receive(position, shares, value, day);
      if (position.shares === 0) this.#end(i, this.#outcomes.exitAt(place));
    }
  }

  /** What the rest of a position fetches on a day after its first sale; undefined if nobody bids. */
  #laterPrice(day: number, stock: number): number | undefined {
    const { panel } = this.#market;
    const row = this.#market.rowOn(day, stock);
    return row >= 0 && panel.columns.volume[row]! > 0 && hadBids(panel, row)
      ? averagePrice(panel, row)
      : undefined;
  }

  #valueOn(day: number, stock: number): number {
    return this.#market.panel.columns.value[this.#market.rowOn(day, stock)]!;
  }

  /** The most shares that an order may trade of a value that is traded on a day. */
  #tradable(valueIdr: number, price: number): number {
    const { volumeShare } = this.#rules;
    if (volumeShare === Infinity) return Infinity;
    return Math.floor((volumeShare * valueIdr) / (price * LOT_SHARES)) * LOT_SHARES;
  }

  #receive({ trade }: Position, shares: number, value: number, day: number): void {
    const costs = Math.round(value * SELL_FEE);
    this.#traded += value;
    this.#costs += costs;
    this.#received += value - costs;
    this.#credit(value - costs, day);
    if (!trade) return;
    trade.receivedIdr += value - costs;
    trade.soldShares += shares;
    trade.soldIdr += value;
    trade.soldDay = day;
  }

  #credit(amount: number, day: number): void {
    this.#due[(day + this.#market.settlementDays(day)) % this.#due.length]! += amount;
    this.#unsettled += amount;
  }

  #end(at: number, reason: ExitReason): void {
    const ended = this.#positions[at]!;
    if (ended.trade) ended.trade.reason = reason;
    this.#isTaken[ended.stock] = 0;
    this.#positions[at] = this.#positions[--this.#held]!;
    this.#positions[this.#held] = ended;
  }

  /** Deducted from what was received on the day, where that is enough, otherwise from the money kept for it. */
  #stamp(day: number): void {
    const duty = stampDuty(this.#traded, this.#market.dateOf(day));
    if (duty === 0) return;
    this.#costs += duty;
    if (this.#received >= duty) this.#credit(-duty, day);
    else this.#cash -= duty;
  }

  #order(pickDay: number, day: number): void {
    const { starts, stocks } = this.#picks!;
    const { maxPositions, positionShare } = this.#rules;
    let open = maxPositions - this.#held;
    if (open === 0) return;
    const budget = positionShare * this.equityOn(day);
    let free = this.#cash + this.#due[(day + 1) % this.#due.length]! - STAMP_DUTY_IDR;
    const end = starts[pickDay + 1]!;
    for (let i = starts[pickDay]!; i < end && open > 0; i++) {
      const stock = this.#choice.of(pickDay, stocks[i]!);
      if (stock < 0 || this.#isTaken[stock] === 1) continue;
      open--;
      const order = this.#orders[this.#ordered]!;
      order.stock = stock;
      order.place = this.#outcomes.placeOf(pickDay, stock);
      const lotIdr = LOT_SHARES * this.#outcomes.limitAt(order.place);
      const lots = lotsFor(Math.min(budget, free), lotIdr);
      order.shares = lots * LOT_SHARES;
      if (lots === 0) {
        this.#miss('no_money', order, 0, day);
        continue;
      }
      free -= costOf(lots * lotIdr);
      this.#isTaken[stock] = 1;
      this.#ordered++;
    }
  }

  #miss(why: Miss, { stock, shares: asked }: Order, bought: number, pickedDay: number): void {
    this.#journal?.missed.push({ stock, pickedDay, why, asked, bought });
  }

  #invested(day: number): number {
    let value = 0;
    for (let i = 0; i < this.#held; i++) {
      const { stock, shares } = this.#positions[i]!;
      value += shares * this.#market.closeOn(day, stock);
    }
    return value;
  }

  #write(journal: Journal, day: number): void {
    const invested = this.#invested(day);
    journal.equityIdr.push(this.#cash + this.#unsettled + invested);
    journal.investedIdr.push(invested);
    journal.costsIdr.push(this.#costs);
    journal.tradedIdr.push(this.#traded);
    journal.cashIdr.push(this.#cash);
  }
}

/**
 * Lets accounts that have begun go through the span side by side, so that each day of the market is in the processor's caches for all of
 * them. Returns their equities at its end.
 */
export function followTogether(
  { span }: SimulatedMarket,
  { days }: Picks,
  accounts: readonly Account[],
): Float64Array {
  let next = 0;
  for (let day = span.firstDay; day <= span.lastDay; day++) {
    const pickDay = days[next] === day ? next++ : -1;
    for (const account of accounts) account.pass(day, pickDay);
  }
  return Float64Array.from(accounts, (account) => account.equityOn(span.lastDay));
}

/** A purchase with its fee, IDR. */
function costOf(valueIdr: number): number {
  return valueIdr + Math.round(valueIdr * BUY_FEE);
}

/** The most lots that so much money buys. */
function lotsFor(moneyIdr: number, lotIdr: number): number {
  const lots = Math.max(0, Math.floor(moneyIdr / (lotIdr * (1 + BUY_FEE))));
  return lots > 0 && costOf(lots * lotIdr) > moneyIdr ? lots - 1 : lots;
}

function opened(stock: number, bought: Pick<Trade, 'shares' | 'price' | 'paidIdr' | 'boughtDay'>): Trade {
  return {
    stock,
    pickedDay: bought.boughtDay - 1,
    ...bought,
    receivedIdr: 0,
    soldDay: undefined,
    soldShares: 0,
    soldIdr: 0,
    reason: undefined,
    thinDays: 0,
  };
}
