/**
 * Time cycles: a turn is said to fall due when a fixed number of days has passed since an earlier turn; the lengths
 * are parts of a circle of 360 degrees and squares (Gann, Truth of the Stock Tape, 1923, and How to Make Profits
 * Trading in Commodities, 1941). There is no academic support for it.
 *
 * Lengths are whole days from 1; repeated ones count once and their order does not matter. Look-ups are O(1).
 */
export class TimeCycles {
  /** Ascending, each once. */
  readonly lengths: readonly number[];
  /** For each number of days passed: the nearest length within the tolerance, 0 for none. */
  readonly #due: Uint16Array;
  readonly #closeness: Float64Array;
  readonly #toNext: Float64Array;

  constructor(lengths: readonly number[], tolerance: number) {
    this.lengths = [...new Set(lengths)].sort((a, b) => a - b);
    const count = (this.lengths.at(-1) ?? 0) + tolerance + 1;
    const perDay = (of: (passed: number) => number) =>
      Array.from({ length: count }, (_, passed) => of(passed));
    this.#due = Uint16Array.from(perDay((passed) => dueAfter(this.lengths, tolerance, passed)));
    this.#closeness = Float64Array.from(this.#due, (length, passed) =>
      length === 0 ? 0 : 1 - Math.abs(length - passed) / (tolerance + 1),
    );
    this.#toNext = Float64Array.from(
      perDay((passed) => (this.lengths.find((length) => length > passed) ?? Infinity) - passed),
    );
  }

  /** The length that falls due `passed` days after a turn, the shorter of two as near; 0 for none. */
  dueAfter(passed: number): number {
    return this.#due[passed] ?? 0;
  }

  /** 1 on the very day, falling by equal steps to 0 one day outside the tolerance. */
  closeness(passed: number): number {
    return this.#closeness[passed] ?? 0;
  }

  /** Days from now to the next cycle of a turn `passed` days ago, at least 1; Infinity when none is left. */
  daysToNext(passed: number): number {
    return this.#toNext[passed] ?? Infinity;
  }
}

function dueAfter(lengths: readonly number[], tolerance: number, passed: number): number {
  const distance = (length: number) => Math.abs(length - passed);
  const nearest = Math.min(...lengths.map(distance));
  return nearest <= tolerance ? lengths.find((length) => distance(length) === nearest)! : 0;
}
