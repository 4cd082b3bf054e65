import { LOT_SHARES } from '#quant/exchange/exchange.ts';
import type { Random } from '#quant/random.ts';
import { logValueAt, valueAt, type Company, type QuantileCurve } from './company.ts';
import { MeanReverting, type MarketPath } from './market-path.ts';
import type { ReturnPath } from './session.ts';

const MOOD_PERSISTENCE = 0.93;
/** Moves beyond this many usual deviations draw no more trading. */
const MOVE_CAP = 4;
const USUAL_MOVE = 0.7;

/** Turnover in IDR that each day of the listing calls for, whether or not it can be traded. */
export function turnoverPath(
  random: Random,
  company: Company,
  path: MarketPath,
  returns: ReturnPath,
): Float64Array {
  const mood = new MeanReverting(random, MOOD_PERSISTENCE, company.moodDeviation);
  return returns.fair.map((move, i) => {
    const size = Math.min(MOVE_CAP, Math.abs(move) / company.deviation);
    const noise = company.noiseDeviation * random.normal();
    const attention = mood.next() + noise + company.moveWeight * (size - USUAL_MOVE);
    return company.valueIdr * Math.exp(attention + path.activity[company.firstDay + i]!);
  });
}

const NET_PERSISTENCE = 0.4;
/** Foreigners lean with the price of the day, a little. */
const LEAN = 0.12;

/**
 * Shares bought and sold by foreigners, each a share of the day's volume in whole lots. What they buy
 * beyond what they sell follows a mean-reverting path, so buying tends to be followed by buying.
 */
export class ForeignFlow {
  readonly #random: Random;
  readonly #company: Company;
  readonly #net: MeanReverting;

  constructor(random: Random, company: Company) {
    this.#random = random;
    this.#company = company;
    this.#net = new MeanReverting(random, NET_PERSISTENCE, company.foreignNetDeviation);
  }

  /** `move` is the day's return in usual deviations. Called once a day, also on days without trades. */
  next(volume: number, move: number): { buy: number; sell: number } {
    const { foreignShare, foreignActiveProbability, foreignNetDeviation } = this.#company;
    const net = this.#net.next() + LEAN * foreignNetDeviation * move;
    const usual = foreignShare * Math.exp(0.5 * this.#random.normal());
    const active = this.#random.chance(foreignActiveProbability);
    if (!active || volume === 0) return { buy: 0, sell: 0 };
    return { buy: lotsOf(volume, usual + Math.max(net, 0)), sell: lotsOf(volume, usual + Math.max(-net, 0)) };
  }
}

function lotsOf(volume: number, share: number): number {
  return Math.floor((volume / LOT_SHARES) * Math.min(1, share)) * LOT_SHARES;
}

/** Negotiated trades of a day: shares (odd lots too), IDR, number of deals. */
interface NegoTrades {
  volume: number;
  value: number;
  frequency: number;
}

const NO_NEGO: Readonly<NegoTrades> = { volume: 0, value: 0, frequency: 0 };

/** Price agreed against the close, as measured on the real market: crossings at the close, and odd deals far off. */
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

/** IDR of a day with such trades: many odd lots, few blocks of tens of billions. */
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

/** Blocks happen on days without regular trades too, but seldom. */
const UNTRADED_DAY_FACTOR = 0.3;
const MAX_SHARE_OF_COMPANY = 0.05;

export function negoTrades(
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
