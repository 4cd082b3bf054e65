import { orderedKey } from '../sorting/ascending-order.ts';

const KEYS = 1 << 16;
const HALF = KEYS / 2;
const EXPONENT_OF_NOT_FINITE = 0x7f80;

/**
 * Finds the bin of a value through the upper 16 of its bits: sign, exponent and seven bits of mantissa name an
 * interval of floats, and the table holds the bin of its lowest one. What remains is to step over the cuts inside
 * that interval, seldom even one.
 */
export class BinTable {
  readonly #first = new Uint8Array(KEYS);
  readonly #cuts: Float32Array;

  /** @param cuts ascending, at most 255, none of them -0, whose bits lie below those of its equal 0 */
  constructor(cuts: Float32Array) {
    this.#cuts = Float32Array.of(...cuts, Infinity);
    this.#fillFirstBins(cuts);
  }

  /**
   * Writes the bins of `values` to `out`: the number of cuts below each value.
   *
   * @param bits the upper and lower 16 bits of the same values in turn, lower first
   * @returns false when a value is not finite; its bin means nothing then
   */
  assign(values: Float32Array, bits: Uint16Array, out: Uint8Array): boolean {
    const first = this.#first;
    const cuts = this.#cuts;
    let largestExponent = 0;
    for (let i = 0; i < values.length; i++) {
      const key = bits[2 * i + 1]!;
      const value = values[i]!;
      let bin = first[key]!;
      while (value > cuts[bin]!) bin++;
      out[i] = bin;
      largestExponent = Math.max(largestExponent, key & EXPONENT_OF_NOT_FINITE);
    }
    return largestExponent < EXPONENT_OF_NOT_FINITE;
  }

  /** A cut raises the bin of every interval above its own. */
  #fillFirstBins(cuts: Float32Array): void {
    const ascending = new Uint8Array(KEYS);
    const bits = new Uint32Array(Float32Array.from(cuts).buffer);
    for (let i = 0; i < bits.length; i++) ascending.fill(i + 1, (orderedKey(bits[i]!) >>> 16) + 1);
    this.#first.set(ascending.subarray(HALF), 0);
    this.#first.set(ascending.subarray(0, HALF).reverse(), HALF);
  }
}
