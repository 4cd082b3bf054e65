import { exchangeable, exchanged, randomExchange } from '../performance/exchanged-names.ts';
import { Random } from '../random.ts';
import { followTogether, type Account } from './account.ts';
import type { Choice, Picks } from './picks.ts';
import type { SimulatedMarket } from './simulated-market.ts';

/** Draws of random picks, so that the ends of their distribution move little with another seed. */
export const DRAWS = 500;
/** Draws that go through the span side by side: as many as fit into a processor's cache. */
const TOGETHER = 100;
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
  { open, draws = DRAWS }: { open: () => Account; draws?: number },
): Float64Array {
  const members = exchangeable(picks.stocks, isCandidate, market.stocks);
  const random = new Random(SEED);
  const accounts = Array.from({ length: Math.min(TOGETHER, draws) }, open);
  const equities = new Float64Array(draws);
  for (let done = 0; done < draws; done += accounts.length) {
    const some = accounts.slice(0, draws - done);
    for (const account of some) {
      const next = randomExchange(members, market.stocks, random);
      account.begin(picks, new Permuted(isCandidate, next));
    }
    equities.set(followTogether(market, picks, some), done);
  }
  return equities;
}

/** Puts another candidate of the day in the place of each pick. */
class Permuted implements Choice {
  readonly #isCandidate: Uint8Array;
  readonly #next: Uint16Array;

  constructor(isCandidate: Uint8Array, next: Uint16Array) {
    this.#isCandidate = isCandidate;
    this.#next = next;
  }

  of(pickDay: number, stock: number): number {
    return exchanged(this.#next, stock, this.#isCandidate, pickDay * this.#next.length);
  }
}
