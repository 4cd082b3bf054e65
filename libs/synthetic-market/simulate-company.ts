import { priceLimits, type PriceLimits, LOT_SHARES } from '#quant/exchange/exchange.ts';
import { Random } from '#quant/random.ts';
import { type Company, logValueAt, valueAt, type QuantileCurve } from './company.ts';
import { restate, type CorporateAction } from './corporate-actions.ts';
import { emptyRows, type ExchangeRows } from './exchange-rows.ts';
import { type MarketPath, MeanReverting } from './market-path.ts';
import { returnPath, trade, type ReturnPath, type Session } from './session.ts';
import { STREAMS } from './streams.ts';

/** Part of a move cut off by the price limits that carries over to the next day. */
const UNMET_DEMAND_KEPT = 0.6;
/** Lowest log of the fair price relative to a close at the lower limit. Without it a price could never leave the floor. */
const DEEPEST_BELOW_LIMIT = -0.12;
const MAX_DAILY_SHARE_OF_COMPANY = 0.15;

/**
 * Simulates one company day by day, from its first to its last day in the calendar `dates`. A day's row depends on nothing that
 * comes later, so a longer calendar begins with the same rows.
 */
export class CompanySimulation {
  readonly #company: Company;
  readonly #rows: ExchangeRows;
  readonly #returns: ReturnPath;
  readonly #turnover: Float64Array;
  readonly #suspended: Uint8Array;
  readonly #random: Random;
  readonly #negoRandom: Random;
  readonly #foreign: ForeignFlow;
  #close: number;
  #fairLog: number;
  #listedShares: number;
  /** Actions that are still to come, by day. */
  readonly #actions: CorporateAction[];

  constructor(seed: number, company: Company, path: MarketPath, dates: readonly string[]) {
    const stream = (purpose: number) => new Random(seed, purpose, company.index);
    this.#company = company;
    this.#rows = emptyRows(dates.slice(company.firstDay, company.endDay));
    this.#random = stream(STREAMS.session);
    this.#negoRandom = stream(STREAMS.nego);
    this.#foreign = new ForeignFlow(stream(STREAMS.foreign), company);
    this.#returns = returnPath(stream(STREAMS.price), stream(STREAMS.drift), company, path);
    this.#turnover = turnoverPath(stream(STREAMS.turnover), company, path, this.#returns);
    this.#suspended = suspendedDays(stream(STREAMS.suspension), company);
    this.#close = company.startPrice;
    this.#fairLog = Math.log(company.startPrice);
    this.#listedShares = company.listedShares;
    this.#actions = company.actions.filter(({ day }) => day > company.firstDay);
  }

  run(): ExchangeRows {
    for (let i = 0; i < this.#rows.date.length; i++) this.#day(i);
    return this.#rows;
  }

  #day(i: number): void {
    const rows = this.#rows;
    this.#fairLog += this.#returns.fair[i]!;
    const open = this.#suspended[i] === 0;
    const restated = open && this.#applyDueAction(i);
    const previous = this.#close;
    const session = open ? this.#trade(i, restated) : null;
    rows.previous[i] = previous;
    rows.listed_shares[i] = this.#listedShares;
    rows.close[i] = this.#close;
    rows.change[i] = this.#close - previous;
    if (session !== null) this.#writeSession(i, session);
    this.#writeForeign(i, session?.volume ?? 0);
    this.#writeNego(i, session !== null);
  }

  /** Restates price and shares overnight. Such a day always has trades, so that no price moves without one. */
  #applyDueAction(i: number): boolean {
    const [next] = this.#actions;
    if (next === undefined || this.#company.firstDay + i < next.day) return false;
    this.#actions.shift();
    const restated = restate(next, this.#close, this.#listedShares);
    if (restated === null) return false;
    this.#fairLog += Math.log(restated.previous / this.#close);
    this.#close = restated.previous;
    this.#listedShares = restated.listedShares;
    return true;
  }

  #trade(i: number, mustTrade: boolean): Session | null {
    const previous = this.#close;
    const limits = priceLimits(previous, this.#rows.date[i]!, this.#company.rule);
    const session = trade(this.#random, {
      previous,
      fairPrice: Math.exp(this.#fairLog),
      deviation: this.#returns.deviation[i]!,
      limits,
      turnoverIdr: this.#turnover[i]!,
      valuePerTradeIdr: this.#company.valuePerTradeIdr,
      sharesMax: this.#listedShares * MAX_DAILY_SHARE_OF_COMPANY,
      mustTrade,
    });
    if (session === null) return null;
    this.#close = session.close;
    this.#forgetUnmetDemand(limits);
    return session;
  }

  #forgetUnmetDemand({ lower, upper }: PriceLimits): void {
    const gap = this.#fairLog - Math.log(this.#close);
    const cutOff = (gap > 0 && this.#close === upper) || (gap < 0 && this.#close === lower);
    if (cutOff) this.#fairLog -= gap - Math.max(DEEPEST_BELOW_LIMIT, UNMET_DEMAND_KEPT * gap);
  }

  #writeSession(i: number, session: Session): void {
    const rows = this.#rows;
    rows.high[i] = session.high;
    rows.low[i] = session.low;
    rows.volume[i] = session.volume;
    rows.value[i] = session.value;
    rows.frequency[i] = session.frequency;
    if (!hasOpeningPrice(this.#random, this.#company, rows.date[i]!)) return;
    rows.open_price[i] = session.open;
    rows.first_trade[i] = session.open;
  }

  #writeForeign(i: number, volume: number): void {
    const move = this.#returns.fair[i]! / this.#company.deviation;
    const { buy, sell } = this.#foreign.next(volume, move, this.#returns.drift[i]!);
    this.#rows.foreign_buy[i] = buy;
    this.#rows.foreign_sell[i] = sell;
  }

  #writeNego(i: number, traded: boolean): void {
    const day = { close: this.#close, traded, listedShares: this.#listedShares };
    const { volume, value, frequency } = negoTrades(this.#negoRandom, this.#company, day);
    this.#rows.non_regular_volume[i] = volume;
    this.#rows.non_regular_value[i] = value;
    this.#rows.non_regular_frequency[i] = frequency;
  }
}

const SHORT_PER_DAY = 1 / 900;
const SHORT_DAYS_MAX = 5;
const LONG_PER_DAY = 1 / 4_000;
const LONG_DAYS_MEAN = 110;

/** 1 on the days of the listing on which the exchange suspends trading. */
function suspendedDays(random: Random, company: Company): Uint8Array {
  const suspended = new Uint8Array(company.endDay - company.firstDay);
  for (let i = 1; i < suspended.length; i++) {
    if (random.chance(SHORT_PER_DAY)) suspended.fill(1, i, i + 1 + random.below(SHORT_DAYS_MAX));
    if (random.chance(LONG_PER_DAY)) suspended.fill(1, i, i + 20 + exponential(random, LONG_DAYS_MEAN));
  }
  if (company.dormantFrom !== null) suspended.fill(1, Math.max(1, company.dormantFrom - company.firstDay));
  return suspended;
}

function exponential(random: Random, mean: number): number {
  return Math.floor(-mean * Math.log(random.uniform()));
}

/** Before this day only the most traded companies had a pre-opening session; from then on most of the market has one. */
const WIDENED_ON = '2024-12-09';
const LEADERS_RANK = 0.95;
const WIDENED_RANK = 0.3;
const PRICE_MADE = 0.85;

/** Whether the pre-opening session made a price. Most rows have none, and the open is published as 0. */
function hasOpeningPrice(random: Random, company: Company, isoDate: string): boolean {
  const rankFrom = isoDate < WIDENED_ON ? LEADERS_RANK : WIDENED_RANK;
  return company.liquidityRank >= rankFrom && random.chance(PRICE_MADE * company.liquidityRank);
}

const MOOD_PERSISTENCE = 0.93;
/** Moves beyond this many usual deviations attract no further trading. */
const MOVE_CAP = 4;
const USUAL_MOVE = 0.7;

/** Turnover in IDR demanded on each day of the listing, whether or not it can be traded. */
function turnoverPath(random: Random, company: Company, path: MarketPath, returns: ReturnPath): Float64Array {
  const mood = new MeanReverting(random, MOOD_PERSISTENCE, company.moodDeviation);
  return returns.fair.map((move, i) => {
    const size = Math.min(MOVE_CAP, Math.abs(move) / company.deviation);
    const noise = company.noiseDeviation * random.normal();
    const attention = mood.next() + noise + company.moveWeight * (size - USUAL_MOVE);
    return company.valueIdr * Math.exp(attention + path.activity[company.firstDay + i]!);
  });
}

const NET_PERSISTENCE = 0.3;
/** How much foreigners lean with the day's price, and with the drift and therefore with the coming days. */
const LEAN = 0.12;
const LEAN_AHEAD = 4;

/**
 * Shares bought and sold by foreigners, each a share of the day's volume in whole lots. Their net buying follows a
 * mean-reverting path, so buying tends to be followed by buying.
 */
class ForeignFlow {
  readonly #random: Random;
  readonly #company: Company;
  readonly #net: MeanReverting;

  constructor(random: Random, company: Company) {
    this.#random = random;
    this.#company = company;
    this.#net = new MeanReverting(random, NET_PERSISTENCE, company.foreignNetDeviation);
  }

  /**
   * `move` is the day's return and `drift` its drift, in usual deviations. Must be called once a day, also on days without
   * trades.
   */
  next(volume: number, move: number, drift: number): { buy: number; sell: number } {
    const { foreignShare, foreignActiveProbability, foreignNetDeviation } = this.#company;
    const net = this.#net.next() + foreignNetDeviation * (LEAN * move + LEAN_AHEAD * drift);
    const usual = foreignShare * Math.exp(0.5 * this.#random.normal());
    const active = this.#random.chance(foreignActiveProbability);
    if (!active || volume === 0) return { buy: 0, sell: 0 };
    return { buy: lotsOf(volume, usual + Math.max(net, 0)), sell: lotsOf(volume, usual + Math.max(-net, 0)) };
  }
}

function lotsOf(volume: number, share: number): number {
  return Math.floor((volume / LOT_SHARES) * Math.min(1, share)) * LOT_SHARES;
}

/** Negotiated trades of a day: shares (including odd lots), IDR, number of deals. */
interface NegoTrades {
  volume: number;
  value: number;
  frequency: number;
}

const NO_NEGO: Readonly<NegoTrades> = { volume: 0, value: 0, frequency: 0 };

/** Agreed price relative to the close, as measured on the real market: crossings at the close, and odd deals far from it. */
const PREMIUM: QuantileCurve = [
  [0, -0.9],
  [0.01, -0.54],
  [0.05, -0.24],
  [0.25, -0.014],
  [0.45, 0],
  [0.55, 0],
  [0.75, 0.01],
  [0.95, 0.17],
  [0.99, 0.44],
  [1, 1],
];

/** Value of a day with such trades, IDR: many odd lots, few blocks of tens of billions. */
const VALUE_IDR: QuantileCurve = [
  [0, 5e4],
  [0.25, 2e7],
  [0.63, 1e9],
  [0.815, 7e9],
  [0.963, 7.8e10],
  [0.996, 5e11],
  [1, 2e12],
];
const DEALS: QuantileCurve = [
  [0, 1],
  [0.35, 1],
  [0.5, 4],
  [0.9, 25],
  [1, 200],
];

/** Factor for days without regular trades, on which blocks are rarer. */
const UNTRADED_DAY_FACTOR = 0.3;
const MAX_SHARE_OF_COMPANY = 0.05;

function negoTrades(
  random: Random,
  company: Company,
  day: { close: number; traded: boolean; listedShares: number },
): NegoTrades {
  const probability = company.negoProbability * (day.traded ? 1 : UNTRADED_DAY_FACTOR);
  if (!random.chance(probability)) return NO_NEGO;
  const price = Math.max(1, Math.round(day.close * (1 + valueAt(PREMIUM, random.uniform()))));
  const wanted = Math.round(logValueAt(VALUE_IDR, random.uniform()) / price);
  const volume = Math.max(1, Math.min(wanted, Math.floor(day.listedShares * MAX_SHARE_OF_COMPANY)));
  const frequency = Math.min(volume, Math.round(logValueAt(DEALS, random.uniform())));
  return { volume, value: volume * price, frequency };
}
