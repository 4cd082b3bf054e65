import { LOT_SHARES } from '../exchange/exchange.ts';
import { BUY_FEE, SELL_FEE, STAMP_DUTY_IDR, stampDuty } from '../exchange/fees.ts';
import type { ExitReason, Journal, MissedOrder, Trade } from './journal.ts';
import type { OrderOutcomes } from './order-outcomes.ts';
import type { Choices, Picks } from './picks.ts';
import { Positions } from './positions.ts';
import { SlotsByDay } from './slots-by-day.ts';
import type { SimulatedMarket } from './simulated-market.ts';

/** How money is divided. */
export interface MoneyRules {
  maxPositions: number;
  /** The share of the equity that each position gets. */
  positionShare: number;
}

/** Today, and as many days after it as a settlement can take. */
const DUE_DAYS = 4;

/**
 * Accounts of people who follow picks by the rules of the market. All money is whole rupiahs.
 *
 * At the end of a day with picks, orders are given for the first picks that are not held, one for each free position: as many whole
 * lots as `positionShare` of the equity buys at the limit. They are paid with money that is free on the next day: that of a sale is
 * free once it is settled, so nothing is bought on unsettled money. What the day cannot take of an order lapses. Positions end as
 * their `OrderOutcomes` say, never because a stock is no longer picked; what one day cannot take is sold at the average price of
 * later days on which somebody bids. A corporate action changes the number of shares by its price factor; what is no whole lot is
 * paid out at the reference price, less the costs of a sale.
 *
 * Accounts know nothing of each other. They go through the days side by side and are kept in columns, so that a day of the market is
 * read once for hundreds of them, and all of them fit into a processor's cache meanwhile.
 */
export class Accounts {
  readonly #market: SimulatedMarket;
  readonly #outcomes: OrderOutcomes;
  readonly #rules: MoneyRules;
  readonly #capitalsIdr: Float64Array;
  readonly #positions: Positions;
  /** Slots of the positions that are ordered, and how many shares are asked for. */
  readonly #ordered: Int32Array;
  readonly #asked: Float64Array;
  #orderCount = 0;
  /** Slots of positions by the day of their next sale. */
  readonly #sales: SlotsByDay;
  /** For each account: money that is free, IDR. */
  readonly #cash: Float64Array;
  /** What is settled on each of the next days, for each account: a day has the row of its number modulo the rows. */
  readonly #due: Float64Array;
  /** What each account bought and sold, received for sales, and paid in costs on the present day. */
  readonly #traded: Float64Array;
  readonly #received: Float64Array;
  readonly #costs: Float64Array;
  #journals: readonly Journal[] | undefined;

  /** @param capitalsIdr the money with which each account begins */
  constructor(
    market: SimulatedMarket,
    outcomes: OrderOutcomes,
    rules: MoneyRules,
    capitalsIdr: ArrayLike<number>,
  ) {
    this.#market = market;
    this.#outcomes = outcomes;
    this.#rules = rules;
    this.#capitalsIdr = Float64Array.from(capitalsIdr);
    const count = capitalsIdr.length;
    this.#positions = new Positions(count, rules.maxPositions);
    this.#ordered = new Int32Array(count * rules.maxPositions);
    this.#asked = new Float64Array(this.#ordered.length);
    this.#sales = new SlotsByDay(market.span, this.#ordered.length);
    this.#cash = new Float64Array(count);
    this.#due = new Float64Array(DUE_DAYS * count);
    this.#traded = new Float64Array(count);
    this.#received = new Float64Array(count);
    this.#costs = new Float64Array(count);
  }

  get count(): number {
    return this.#cash.length;
  }

  /**
   * Follows the picks through the span, from the beginning.
   * @param choices what each account picks
   * @param journals of each account; if absent, nothing is written down
   * @returns the equity of each account at the end, IDR
   */
  follow(picks: Picks, choices: Choices, journals?: readonly Journal[]): Float64Array {
    const { firstDay, lastDay } = this.#market.span;
    this.#begin(journals);
    let next = 0;
    for (let day = firstDay; day <= lastDay; day++) {
      this.#settle(day);
      this.#restate(day);
      this.#fill(day);
      this.#sell(day);
      this.#stamp(day);
      journals?.forEach((journal, account) => this.#write(journal, account, day));
      if (picks.days[next] !== day) continue;
      if (day < lastDay) this.#order(day, choices.on(next), next);
      next++;
    }
    journals?.forEach((journal, account) => (journal.stuckIdr = this.#stuckOn(lastDay, account)));
    return Float64Array.from({ length: this.count }, (_, account) => this.#equityOn(lastDay, account));
  }

  #begin(journals: readonly Journal[] | undefined): void {
    this.#journals = journals;
    this.#cash.set(this.#capitalsIdr);
    this.#due.fill(0);
    this.#positions.clear();
    this.#sales.clear();
    this.#orderCount = 0;
  }

  #settle(day: number): void {
    const [cash, due] = [this.#cash, this.#dueOn(day)];
    for (let account = 0; account < due.length; account++) cash[account]! += due[account]!;
    for (const ofDay of [due, this.#traded, this.#received, this.#costs]) ofDay.fill(0);
  }

  #dueOn(day: number): Float64Array {
    const row = day % DUE_DAYS;
    return this.#due.subarray(row * this.count, (row + 1) * this.count);
  }

  #restate(day: number): void {
    const { stock, shares } = this.#positions;
    for (const restated of this.#market.restatedOn(day))
      for (let slot = 0; slot < stock.length; slot++)
        if (stock[slot] === restated && shares[slot]! > 0) this.#restateAt(slot, day);
  }

  #restateAt(slot: number, day: number): void {
    const { panel } = this.#market;
    const { stock, place, shares } = this.#positions;
    const row = this.#market.rowOn(day, stock[slot]!);
    const restated = shares[slot]! / panel.priceScale(row - 1, row);
    // In floats, a split of 1 to 5 may leave 499.99999999999994 shares.
    const whole = Math.floor(restated / LOT_SHARES + 1e-9) * LOT_SHARES;
    shares[slot] = whole;
    const left = Math.max(0, restated - whole);
    const { previous, close } = panel.columns;
    const price = previous[row]! || close[row - 1]! * panel.priceScale(row - 1, row);
    const value = Math.round(left * price);
    if (value > 0) this.#receive(slot, left, value, day);
    if (whole > 0) return;
    this.#sales.remove(slot, Math.max(day, this.#outcomes.saleDayAt(place[slot]!)));
    this.#end(slot, 'odd_lot');
  }

  #fill(day: number): void {
    const { place, shares } = this.#positions;
    for (let i = 0; i < this.#orderCount; i++) {
      const slot = this.#ordered[i]!;
      const asked = this.#asked[i]!;
      const bought = Math.min(asked, this.#outcomes.entrySharesAt(place[slot]!));
      shares[slot] = bought;
      if (bought < asked && this.#journals) this.#missAt(slot, asked, day - 1);
      if (bought > 0) this.#buy(slot, day);
      else this.#positions.remove(slot);
    }
    this.#orderCount = 0;
  }

  #buy(slot: number, day: number): void {
    const { place, shares, stock } = this.#positions;
    const account = this.#positions.account[slot]!;
    const price = this.#outcomes.priceAt(place[slot]!);
    const value = Math.round(shares[slot]! * price);
    const paidIdr = costOf(value);
    this.#cash[account]! -= paidIdr;
    this.#traded[account]! += value;
    this.#sales.add(slot, this.#outcomes.saleDayAt(place[slot]!));
    if (!this.#journals) return;
    this.#costs[account]! += paidIdr - value;
    const trade = opened(stock[slot]!, { shares: shares[slot]!, price, paidIdr, boughtDay: day });
    this.#positions.trade[slot] = trade;
    this.#journals[account]!.trades.push(trade);
  }

  #sell(day: number): void {
    const { stock, place, shares } = this.#positions;
    for (let slot = this.#sales.takeFirst(day); slot >= 0; slot = this.#sales.takeFirst(day)) {
      const at = place[slot]!;
      if (day === this.#outcomes.saleDayAt(at))
        this.#sellAt(slot, day, this.#outcomes.salePriceAt(at), this.#outcomes.saleSharesAt(at));
      else {
        const later = this.#outcomes.laterSale(day, stock[slot]!);
        if (later) this.#sellAt(slot, day, later.price, later.shares);
      }
      if (shares[slot] === 0) this.#end(slot);
      else this.#sales.add(slot, day + 1);
    }
  }

  /** Sells as much of a position as the day takes. */
  #sellAt(slot: number, day: number, price: number, most: number): void {
    const { shares: held, trade } = this.#positions;
    const shares = Math.min(held[slot]!, most);
    if (shares < held[slot]! && this.#journals) trade[slot]!.thinDays++;
    if (shares === 0) return;
    held[slot]! -= shares;
    this.#receive(slot, shares, Math.round(shares * price), day);
  }

  #receive(slot: number, shares: number, value: number, day: number): void {
    const account = this.#positions.account[slot]!;
    const costs = Math.round(value * SELL_FEE);
    this.#traded[account]! += value;
    this.#received[account]! += value - costs;
    this.#credit(account, value - costs, day);
    if (!this.#journals) return;
    this.#costs[account]! += costs;
    const trade = this.#positions.trade[slot]!;
    trade.receivedIdr += value - costs;
    trade.soldShares += shares;
    trade.soldIdr += value;
    trade.soldDay = day;
  }

  #credit(account: number, amount: number, day: number): void {
    const row = (day + this.#market.settlementDays(day)) % DUE_DAYS;
    this.#due[row * this.#cash.length + account]! += amount;
  }

  /** @param reason if absent, that of its outcome */
  #end(slot: number, reason?: ExitReason): void {
    const { place, trade } = this.#positions;
    if (this.#journals) trade[slot]!.reason = reason ?? this.#outcomes.exitAt(place[slot]!);
    this.#positions.remove(slot);
  }

  /** Deducted from what was received on the day, where that is enough, otherwise from the money kept for it. */
  #stamp(day: number): void {
    const date = this.#market.dateOf(day);
    for (let account = 0; account < this.count; account++) {
      const duty = stampDuty(this.#traded[account]!, date);
      if (duty === 0) continue;
      this.#costs[account]! += duty;
      if (this.#received[account]! >= duty) this.#credit(account, -duty, day);
      else this.#cash[account]! -= duty;
    }
  }

  /** @param chosen for each pick of the day and each account: the stock that takes its place, -1 for none */
  #order(day: number, chosen: Int32Array, pickDay: number): void {
    const { positionShare } = this.#rules;
    const [positions, outcomes] = [this.#positions, this.#outcomes];
    const dueTomorrow = this.#dueOn(day + 1);
    const closes = this.#market.closesOn(day);
    const accounts = this.count;
    for (let account = 0; account < accounts; account++) {
      let open = positions.freeCount(account);
      if (open === 0) continue;
      const cash = this.#cash[account]!;
      const budget = positionShare * (cash + this.#unsettled(account) + positions.valueOf(account, closes));
      let free = cash + dueTomorrow[account]! - STAMP_DUTY_IDR;
      for (let at = account; at < chosen.length && open > 0; at += accounts) {
        const stock = chosen[at]!;
        if (stock < 0 || positions.has(account, stock)) continue;
        open--;
        const place = outcomes.placeOf(pickDay, stock);
        const lotIdr = LOT_SHARES * outcomes.limitAt(place);
        const lots = lotsFor(Math.min(budget, free), lotIdr);
        if (lots > 0) {
          free -= costOf(lots * lotIdr);
          this.#asked[this.#orderCount] = lots * LOT_SHARES;
          this.#ordered[this.#orderCount++] = positions.add(account, stock, place);
        } else if (this.#journals)
          this.#miss(account, { stock, pickedDay: day, why: 'no_money', asked: 0, bought: 0 });
      }
    }
  }

  /** Writes down that an order bought less than it asked for. */
  #missAt(slot: number, asked: number, pickedDay: number): void {
    const { account, stock, place, shares } = this.#positions;
    const fill = this.#outcomes.fillAt(place[slot]!);
    const why = fill === 'filled' ? 'too_thin' : fill;
    this.#miss(account[slot]!, { stock: stock[slot]!, pickedDay, why, asked, bought: shares[slot]! });
  }

  #miss(account: number, missed: MissedOrder): void {
    this.#journals![account]!.missed.push(missed);
  }

  /** Free and unsettled money, and positions at the close of a day that has been passed. */
  #equityOn(day: number, account: number): number {
    return this.#cash[account]! + this.#unsettled(account) + this.#invested(day, account);
  }

  #unsettled(account: number): number {
    let sum = 0;
    for (let at = account; at < this.#due.length; at += this.count) sum += this.#due[at]!;
    return sum;
  }

  #invested(day: number, account: number): number {
    return this.#positions.valueOf(account, this.#market.closesOn(day));
  }

  #stuckOn(day: number, account: number): number {
    const closes = this.#market.closesOn(day);
    const isStuck = (stock: number) => this.#outcomes.laterSale(day, stock) === undefined;
    return this.#positions.valueOf(account, closes, isStuck);
  }

  #write(journal: Journal, account: number, day: number): void {
    const invested = this.#invested(day, account);
    journal.equityIdr.push(this.#cash[account]! + this.#unsettled(account) + invested);
    journal.investedIdr.push(invested);
    journal.costsIdr.push(this.#costs[account]!);
    journal.tradedIdr.push(this.#traded[account]!);
    journal.cashIdr.push(this.#cash[account]!);
  }
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
