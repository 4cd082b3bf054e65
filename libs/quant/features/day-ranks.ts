import { orderedKey } from '../learning/ascending-order.ts';

/** The values of one feature, and which rows are reference names. */
export interface ValuesToRank {
  /** Bits of 32-bit floats, in any order. */
  bits: Uint32Array;
  /** For each row of the table: index of its value. */
  place: Uint32Array;
  /** For each row of the table: 1 or 0. */
  isReference: Uint8Array;
}

/** With fewer reference names than this, all names of the day are ranked among each other. */
const MIN_REFERENCES = 20;
/** Rank of a name above all references. A name that is itself a reference comes close to it. */
const MAX_RANK = 254;
const UNDEFINED_RANK = MAX_RANK / 2;

const NEGATIVE_ZERO = 0x8000_0000;
/** When all of these bits are set, the float is an infinity or NaN. */
const EXPONENT_BITS = 0x7f80_0000;
const DIGIT_BITS = 8;
const DIGITS = 1 << DIGIT_BITS;

/** Sort keys, in the order of the values, and the row of each. */
interface Keyed {
  keys: Uint32Array;
  rows: Uint32Array;
}

/**
 * Ranks of the names of a day, each in a byte: 254 times the share of the day's reference names whose value is below the
 * name's own, ties counted half, rounded. Names that are not references are ranked among the references too. 127, the middle,
 * where a value is not finite.
 *
 * Buffers for the largest day are allocated once, so ranking a day allocates nothing.
 */
export class DayRanks {
  readonly #starts = new Uint32Array(DIGITS);
  readonly #names: Keyed;
  readonly #scratch: Keyed;

  constructor(largestDay: number) {
    this.#names = { keys: new Uint32Array(largestDay), rows: new Uint32Array(largestDay) };
    this.#scratch = { keys: new Uint32Array(largestDay), rows: new Uint32Array(largestDay) };
  }

  /** Writes to `out` the ranks of the rows of a day, `from` (inclusive) to `to` (exclusive). */
  rank(from: number, to: number, { bits, place, isReference }: ValuesToRank, out: Uint8Array): void {
    const { keys, rows } = this.#names;
    let [count, references, common, any] = [0, 0, -1, 0];
    for (let row = from; row < to; row++) {
      const value = bits[place[row]!]!;
      if ((value & EXPONENT_BITS) === EXPONENT_BITS) {
        out[row] = UNDEFINED_RANK;
        continue;
      }
      const key = orderedKey(value === NEGATIVE_ZERO ? 0 : value);
      keys[count] = key;
      rows[count++] = row;
      references += isReference[row]!;
      common &= key;
      any |= key;
    }
    this.#sort(count, common ^ any);
    if (references < MIN_REFERENCES) placeAmongAll(this.#names, count, out);
    else placeAmongReferences(this.#names, count, isReference, references, out);
  }

  /**
   * Radix sort in two passes over the highest 16 bits in which any keys differ. Few names of a day agree in all of these
   * bits; an insertion sort orders those.
   */
  #sort(count: number, differing: number): void {
    const high = Math.max(0, 32 - Math.clz32(differing) - DIGIT_BITS);
    const low = Math.max(0, high - DIGIT_BITS);
    sortByDigit(this.#names, this.#scratch, count, low, this.#starts);
    sortByDigit(this.#scratch, this.#names, count, high, this.#starts);
    if (low > 0) insertionSort(this.#names, count);
  }
}

function sortByDigit(from: Keyed, to: Keyed, count: number, shift: number, starts: Uint32Array): void {
  const { keys, rows } = from;
  const { keys: nextKeys, rows: nextRows } = to;
  starts.fill(0);
  for (let i = 0; i < count; i++) starts[(keys[i]! >>> shift) & (DIGITS - 1)]!++;
  for (let digit = 0, start = 0; digit < DIGITS; digit++) {
    const size = starts[digit]!;
    starts[digit] = start;
    start += size;
  }
  for (let i = 0; i < count; i++) {
    const key = keys[i]!;
    const at = starts[(key >>> shift) & (DIGITS - 1)]!++;
    nextKeys[at] = key;
    nextRows[at] = rows[i]!;
  }
}

function insertionSort({ keys, rows }: Keyed, count: number): void {
  for (let i = 1; i < count; i++) {
    const key = keys[i]!;
    if (keys[i - 1]! <= key) continue;
    const row = rows[i]!;
    let at = i;
    for (; at > 0 && keys[at - 1]! > key; at--) {
      keys[at] = keys[at - 1]!;
      rows[at] = rows[at - 1]!;
    }
    keys[at] = key;
    rows[at] = row;
  }
}

function placeAmongReferences(
  { keys, rows }: Keyed,
  count: number,
  isReference: Uint8Array,
  references: number,
  out: Uint8Array,
): void {
  let below = 0;
  for (let start = 0; start < count;) {
    const key = keys[start]!;
    let tied = isReference[rows[start]!]!;
    let end = start + 1;
    for (; end < count && keys[end] === key; end++) tied += isReference[rows[end]!]!;
    const rank = rankOf(2 * below + tied, references);
    for (; start < end; start++) out[rows[start]!] = rank;
    below += tied;
  }
}

function placeAmongAll({ keys, rows }: Keyed, count: number, out: Uint8Array): void {
  for (let start = 0; start < count;) {
    let end = start + 1;
    while (end < count && keys[end] === keys[start]) end++;
    const rank = rankOf(start + end, count);
    for (; start < end; start++) out[rows[start]!] = rank;
  }
}

/** `halves` is twice the number of names below, plus ties. Operands are integers up to the division, so .5 rounds up. */
function rankOf(halves: number, references: number): number {
  return ((halves * MAX_RANK + references) / (2 * references)) | 0;
}
