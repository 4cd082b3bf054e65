import { Random } from '../random.ts';
import { STREAMS } from '../streams.ts';
import type { Brokers } from './brokers.ts';
import { fillNormal } from './quick-draws.ts';

/**
 * To which side each broker leans in one stock, in standard deviations: an AR(1) process over the stock's traded days,
 * one for each broker. Its innovations depend on seed, stock and day, so that any two walks that reach a day from far
 * enough before it agree on it.
 */
export class Leanings {
  readonly #seed: number;
  readonly #persistence: Float64Array;
  /** Deviation of an innovation. */
  readonly #step: Float64Array;
  readonly #innovation: Float64Array;
  #isFresh = true;
  /** By broker. */
  readonly level: Float64Array;

  constructor(seed: number, { codes, persistence }: Brokers) {
    this.#seed = seed;
    this.#persistence = persistence;
    this.#step = persistence.map((rho) => Math.sqrt(1 - rho * rho));
    this.#innovation = new Float64Array(codes.length);
    this.level = new Float64Array(codes.length);
  }

  /** Forgets all days: the next one begins in the stationary state. */
  reset(): void {
    this.#isFresh = true;
  }

  /** Goes on to the stock's next traded day. */
  next(stock: readonly number[], epochDay: number): void {
    const [level, innovation] = [this.level, this.#innovation];
    fillNormal(new Random(this.#seed, STREAMS.brokerLeaning, ...stock, epochDay), innovation);
    if (this.#isFresh) level.set(innovation);
    else {
      for (let i = 0; i < level.length; i++) {
        level[i] = this.#persistence[i]! * level[i]! + this.#step[i]! * innovation[i]!;
      }
    }
    this.#isFresh = false;
  }
}
