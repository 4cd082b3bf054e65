/**
 * sfc32, the small fast chaotic generator of Chris Doty-Humphrey's PractRand 0.9x (public domain): 128 bits of state, a
 * counter that rules out short cycles, integer arithmetic only.
 *
 * All other draws use only Math.log, Math.exp and Math.sqrt on top of the uniform. Node computes the first two with its own
 * port of fdlibm, and the third is exact by the standard, so every machine gets the same numbers. Math.pow and the
 * trigonometric functions do not guarantee that and are not used.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;
  #spareNormal: number | null = null;

  /** Generators with the same seed and different streams are independent of each other. */
  constructor(seed: number, ...stream: number[]) {
    const words = [seed, ...stream];
    this.#a = hash(words, 0x9e3779b9);
    this.#b = hash(words, 0x85ebca6b);
    this.#c = hash(words, 0xc2b2ae35);
    for (let i = 0; i < 15; i++) this.uint32();
  }

  /** An integer in [0, 2^32). */
  uint32(): number {
    const out = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + out) | 0;
    return out >>> 0;
  }

  /** Uniform in (0, 1). Never an end point, so its logarithm is finite. */
  uniform(): number {
    return (this.uint32() + 0.5) / 0x1_0000_0000;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.uniform();
  }

  /** An integer in [0, bound). */
  below(bound: number): number {
    return Math.floor(this.uniform() * bound);
  }

  chance(probability: number): boolean {
    return this.uniform() < probability;
  }

  /** Standard normal, by Marsaglia's polar method. */
  normal(): number {
    if (this.#spareNormal !== null) {
      const spare = this.#spareNormal;
      this.#spareNormal = null;
      return spare;
    }
    const { u, v, w } = this.#pointInDisc();
    const scale = Math.sqrt((-2 * Math.log(w)) / w);
    this.#spareNormal = v * scale;
    return u * scale;
  }

  /** Student's t with `degrees` > 2 degrees of freedom, scaled to unit variance, by Bailey's polar method (1994). */
  studentT(degrees: number): number {
    const { u, w } = this.#pointInDisc();
    const t = u * Math.sqrt((degrees * (Math.exp((-2 / degrees) * Math.log(w)) - 1)) / w);
    return t * Math.sqrt((degrees - 2) / degrees);
  }

  /** Poisson number of events with the given mean, by multiplying uniforms (Knuth). Meant for means below 30. */
  poisson(mean: number): number {
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = this.uniform(); product > limit; product *= this.uniform()) count++;
    return count;
  }

  /** The integers 0..length - 1 in random order (Fisher-Yates). */
  permutation(length: number): Uint32Array {
    const order = new Uint32Array(length);
    for (let i = 0; i < length; i++) order[i] = i;
    for (let i = length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const last = order[i]!;
      order[i] = order[j]!;
      order[j] = last;
    }
    return order;
  }

  #pointInDisc(): { u: number; v: number; w: number } {
    for (;;) {
      const u = 2 * this.uniform() - 1;
      const v = 2 * this.uniform() - 1;
      const w = u * u + v * v;
      if (w < 1) return { u, v, w };
    }
  }
}

/** MurmurHash3's mixing of 32-bit words (Appleby, public domain). */
function hash(words: readonly number[], salt: number): number {
  let h = salt;
  for (const word of words) {
    let k = Math.imul(word, 0xcc9e2d51);
    k = Math.imul((k << 15) | (k >>> 17), 0x1b873593);
    h ^= k;
    h = (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
  }
  h ^= words.length * 4;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
