import { LOT_SHARES } from '../exchange/tick-size.ts';
import type { Company } from './company.ts';
import { MeanReverting } from './mean-reverting.ts';
import type { Random } from './random.ts';

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
