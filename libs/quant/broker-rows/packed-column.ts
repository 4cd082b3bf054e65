import { sharedColumn, type ColumnConstructor } from '../panel/panel-columns.ts';

/**
 * A column of numbers in a fraction of their size, each exactly as it was given. Most are small multiples of a unit, and stored
 * as such. The others are exceptions, stored whole beside them: eight bytes each. A plain object over shared memory, like
 * `PanelColumns`.
 */
export interface PackedColumn {
  unit: number;
  /** Number / unit; for an exception `firstException` + its place among the exceptions of its block of rows. */
  multiples: Multiples;
  firstException: number;
  /** In the order of the rows. */
  exceptions: Float64Array;
  /** For each block: number of exceptions in all blocks before it. */
  exceptionsBefore: Uint32Array;
}

type Multiples = Uint16Array | Uint32Array;

/** How a column is packed. Any number can be stored in any packing; what differs is how many of them are exceptions. */
export interface Packing {
  unit: number;
  type: ColumnConstructor<Multiples>;
}

/** A block of 256 rows leaves nearly all numbers of 16 bits to multiples, and has no more exceptions than those that are left. */
const BLOCK_SHIFT = 8;
const BLOCK_ROWS = 2 ** BLOCK_SHIFT;

/** The number in a row of the column. */
export function numberAt(column: PackedColumn, row: number): number {
  const multiple = column.multiples[row]!;
  if (multiple < column.firstException) return multiple * column.unit;
  const before = column.exceptionsBefore[row >>> BLOCK_SHIFT]!;
  return column.exceptions[before + multiple - column.firstException]!;
}

/** Fills a packed column, each row at most once, in any order. Rows that are not set are 0. */
export class PackedColumnBuilder {
  readonly #unit: number;
  readonly #multiples: Multiples;
  readonly #firstException: number;
  /** Rows of the exceptions, and their numbers. */
  readonly #rows: number[] = [];
  readonly #numbers: number[] = [];

  constructor({ unit, type }: Packing, length: number) {
    this.#unit = unit;
    this.#multiples = sharedColumn(type, length);
    this.#firstException = 2 ** (8 * type.BYTES_PER_ELEMENT) - BLOCK_ROWS;
  }

  set(row: number, number: number): void {
    const multiples = this.#multiples;
    multiples[row] = number / this.#unit;
    const stored = multiples[row];
    if (stored * this.#unit === number && stored < this.#firstException) return;
    this.#rows.push(row);
    this.#numbers.push(number);
  }

  /** Copies the rows `from` (inclusive) to `to` (exclusive) of a column with the same packing to `at` and after. */
  copy(column: PackedColumn, from: number, to: number, at: number): void {
    const { multiples } = column;
    this.#multiples.set(multiples.subarray(from, to), at);
    for (let row = from; row < to; row++) {
      if (multiples[row]! >= this.#firstException) this.set(at + row - from, numberAt(column, row));
    }
  }

  finish(): PackedColumn {
    const [rows, numbers, multiples] = [this.#rows, this.#numbers, this.#multiples];
    const exceptions = sharedColumn(Float64Array, rows.length);
    const exceptionsBefore = sharedColumn(Uint32Array, Math.ceil(multiples.length / BLOCK_ROWS));
    const [unit, firstException] = [this.#unit, this.#firstException];
    // Numbers without a comparison of their own are sorted several times faster.
    const ascending = Uint32Array.from(rows).sort();
    let block = -1;
    for (let place = 0; place < ascending.length; place++) {
      const row = ascending[place]!;
      while (block < row >>> BLOCK_SHIFT) exceptionsBefore[++block] = place;
      multiples[row] = firstException + place - exceptionsBefore[block]!;
    }
    for (const [index, row] of rows.entries()) {
      const before = exceptionsBefore[row >>> BLOCK_SHIFT]!;
      exceptions[before + multiples[row]! - firstException] = numbers[index]!;
    }
    return { unit, multiples, firstException, exceptions, exceptionsBefore };
  }
}
