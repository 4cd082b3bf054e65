import type { Random } from '../random.ts';
import { kthLargest } from './kth-largest.ts';
import { fillGumbel } from './quick-draws.ts';

/**
 * Brokers that trade a stock on a day, by the stock's turnover in IDR, as counted on the exchange in steps of half a
 * decade (each here at its middle); the first two are a guess.
 */
const ACTIVE_BY_VALUE: readonly (readonly [valueIdr: number, brokers: number])[] = [
  [1e5, 2],
  [2e6, 6],
  [3e7, 15],
  [1.7e8, 18],
  [5.5e8, 24],
  [1.7e9, 38],
  [5.5e9, 48],
  [1.7e10, 56],
  [5.5e10, 65],
  [1.7e11, 73],
  [5.5e11, 77],
  [2e12, 83],
];
/** Brokers are drawn by their weight to this power: the large ones are not as much likelier as they are larger. */
const EXPONENT = 0.6;
/** Deviation of the logarithm of their number. */
const COUNT_NOISE = 0.07;

/** How many brokers trade on a usual day of such turnover, straight between the points in the logarithm of it. */
export function usualActiveCount(valueIdr: number): number {
  const [least, most] = [ACTIVE_BY_VALUE[0]!, ACTIVE_BY_VALUE.at(-1)!];
  if (valueIdr <= least[0]) return least[1];
  if (valueIdr >= most[0]) return most[1];
  let next = 1;
  while (ACTIVE_BY_VALUE[next]![0] < valueIdr) next++;
  const [fromValue, from] = ACTIVE_BY_VALUE[next - 1]!;
  const [toValue, to] = ACTIVE_BY_VALUE[next]!;
  return from + ((to - from) * Math.log(valueIdr / fromValue)) / Math.log(toValue / fromValue);
}

/** Draws who trades on a day. */
export class ActiveBrokers {
  readonly #keys: Float64Array;
  readonly #reordered: Float64Array;

  constructor(brokerCount: number) {
    this.#keys = new Float64Array(brokerCount);
    this.#reordered = new Float64Array(brokerCount);
  }

  /**
   * Sets `into` to 1 for the brokers of the day, to 0 for the others.
   * @param most how many there can be, given the day's trades
   * @param logWeight -Infinity for a broker that cannot trade
   */
  draw(random: Random, valueIdr: number, most: number, logWeight: Float64Array, into: Uint8Array): void {
    const keys = this.#keys;
    fillGumbel(random, keys);
    const wanted = Math.round(usualActiveCount(valueIdr) * Math.exp(COUNT_NOISE * random.normal()));
    for (let i = 0; i < keys.length; i++) keys[i]! += EXPONENT * logWeight[i]!;
    this.#reordered.set(keys);
    const count = Math.max(1, Math.min(wanted, most, keys.length));
    const threshold = Math.max(-Number.MAX_VALUE, kthLargest(this.#reordered, count));
    for (let i = 0; i < keys.length; i++) into[i] = keys[i]! >= threshold ? 1 : 0;
  }
}
