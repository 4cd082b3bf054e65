import { exchangeable, RandomExchanges } from '../performance/exchanged-names.ts';
import { Random } from '../random.ts';
import type { Accounts } from './accounts.ts';
import type { Choices, Picks } from './picks.ts';
import type { SimulatedMarket } from './simulated-market.ts';

/** Draws of random picks, so that the ends of their distribution move little with another seed. */
export const DRAWS = 500;
const SEED = 1;

/**
 * What an account comes to with random picks: the equity at the end of the span, for each draw.
 *
 * A draw exchanges the names of the stocks by one random permutation for the whole span, as the past of a screen does, so that it
 * picks its stocks again as often as the screen picks its own. Where the stock of a draw is no candidate of the day, the permutation
 * is followed to the next one that is.
 *
 * @param isCandidate for each day of the picks and each stock
 */
export function randomEquities(
  market: SimulatedMarket,
  picks: Picks,
  isCandidate: Uint8Array,
  draws: Accounts,
): Float64Array {
  const members = exchangeable(picks.stocks, isCandidate, market.stocks);
  const random = new Random(SEED);
  const exchanges = new RandomExchanges(members, market.stocks, { count: draws.count, random });
  return draws.follow(picks, new Exchanged(picks, isCandidate, market.stocks, exchanges));
}

/** Puts another candidate of the day in the place of each pick. */
class Exchanged implements Choices {
  readonly #picks: Picks;
  readonly #isCandidate: Uint8Array;
  readonly #stocks: number;
  readonly #exchanges: RandomExchanges;

  constructor(picks: Picks, isCandidate: Uint8Array, stocks: number, exchanges: RandomExchanges) {
    this.#picks = picks;
    this.#isCandidate = isCandidate;
    this.#stocks = stocks;
    this.#exchanges = exchanges;
  }

  on(pickDay: number): Int32Array {
    const { starts, stocks } = this.#picks;
    const isCandidate = this.#isCandidate;
    const start = pickDay * this.#stocks;
    const picked = stocks.subarray(starts[pickDay], starts[pickDay + 1]);
    const draws = this.#exchanges.count;
    const chosen = new Int32Array(draws * picked.length);
    this.#exchanges.onDay(isCandidate, start);
    for (const [rank, stock] of picked.entries()) {
      chosen.set(this.#exchanges.inPlaceOf(stock), rank * draws);
      if (isCandidate[start + stock] === 1) continue;
      // The way has led back to the pick.
      for (let at = rank * draws; at < (rank + 1) * draws; at++) if (chosen[at] === stock) chosen[at] = -1;
    }
    return chosen;
  }
}
