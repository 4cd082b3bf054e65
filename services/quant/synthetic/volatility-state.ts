import { MeanReverting } from './mean-reverting.ts';
import type { Random } from './random.ts';

const CLUSTER_PERSISTENCE = 0.9;

/**
 * Clustered volatility: a positive factor with mean square 1, whose logarithm is a mean-reverting level
 * (Taylor's stochastic volatility model, 1986).
 */
export class VolatilityState {
  readonly #level: MeanReverting;
  readonly #centre: number;

  constructor(random: Random, deviation: number) {
    this.#level = new MeanReverting(random, CLUSTER_PERSISTENCE, deviation);
    this.#centre = deviation * deviation;
  }

  next(): number {
    return Math.exp(this.#level.next() - this.#centre);
  }
}
