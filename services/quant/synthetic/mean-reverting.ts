import type { Random } from './random.ts';

/**
 * A mean-reverting level (AR(1) process) that starts in its stationary state: deviation `deviation`,
 * correlation from day to day `persistence`.
 */
export class MeanReverting {
  readonly #random: Random;
  readonly #persistence: number;
  readonly #step: number;
  #level: number;

  constructor(random: Random, persistence: number, deviation: number) {
    this.#random = random;
    this.#persistence = persistence;
    this.#step = deviation * Math.sqrt(1 - persistence * persistence);
    this.#level = deviation * random.normal();
  }

  next(): number {
    this.#level = this.#persistence * this.#level + this.#step * this.#random.normal();
    return this.#level;
  }
}
