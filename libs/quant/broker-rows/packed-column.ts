import { sharedColumn, type ColumnConstructor } from '../panel/panel-columns.ts';

/**
 * A column of numbers in a fraction of their size, each exactly as it was given. Most are small multiples of a unit, and stored
 * as such. The others are exceptions, stored whole: twelve bytes each. A plain object over shared memory, like `PanelColumns`.
 */
export interface PackedColumn {
  unit: number;
  /** Value / unit, or `exception`. */
  multiples: Multiples;
  /** The largest number of their type. */
  exception: number;
  /** Rows of the exceptions, ascending, and their values. */
  exceptionRows: Uint32Array;
  exceptionValues: Float64Array;
  /** For each block of rows, and one past the last: number of exceptions in all blocks before it. */
  exceptionsBefore: Uint32Array;
}

type Multiples = Uint16Array | Uint32Array;

/** How a column is packed. Any number can be stored in any packing; what differs is how many of them are exceptions. */
export interface Packing {
  unit: number;
  type: ColumnConstructor<Multiples>;
}

/** Rows of a block, so that an exception is found among at most 256. */
const BLOCK_SHIFT = 8;

/** The number in a row of the column. */
export function numberAt(column: PackedColumn, row: number): number {
  const multiple = column.multiples[row]!;
  if (multiple !== column.exception) return multiple * column.unit;
  return column.exceptionValues[exceptionFrom(column, row)]!;
}

/** Index of the first exception in `row` or a later one of its block. */
function exceptionFrom({ exceptionRows, exceptionsBefore }: PackedColumn, row: number): number {
  const block = row >>> BLOCK_SHIFT;
  let [low, high] = [exceptionsBefore[block]!, exceptionsBefore[block + 1]!];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (exceptionRows[middle]! < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Fills a packed column, each row once, in any order. */
export class PackedColumnBuilder {
  readonly #unit: number;
  readonly #multiples: Multiples;
  readonly #exception: number;
  readonly #rows: number[] = [];
  readonly #values: number[] = [];

  constructor({ unit, type }: Packing, length: number) {
    this.#unit = unit;
    this.#multiples = sharedColumn(type, length);
    this.#exception = 2 ** (8 * type.BYTES_PER_ELEMENT) - 1;
  }

  set(row: number, value: number): void {
    const multiples = this.#multiples;
    multiples[row] = value / this.#unit;
    const stored = multiples[row];
    if (stored * this.#unit === value && stored !== this.#exception) return;
    multiples[row] = this.#exception;
    this.#rows.push(row);
    this.#values.push(value);
  }

  /** Copies the rows `from` (inclusive) to `to` (exclusive) of a column with the same packing to `at` and after. */
  copy(column: PackedColumn, from: number, to: number, at: number): void {
    this.#multiples.set(column.multiples.subarray(from, to), at);
    const { exceptionRows, exceptionValues } = column;
    for (let i = exceptionFrom(column, from); i < exceptionRows.length && exceptionRows[i]! < to; i++) {
      this.#rows.push(exceptionRows[i]! - from + at);
      this.#values.push(exceptionValues[i]!);
    }
  }

  finish(): PackedColumn {
    const [rows, values] = [this.#rows, this.#values];
    const order = Uint32Array.from(rows.keys()).sort((a, b) => rows[a]! - rows[b]!);
    const exceptionRows = sharedColumn(Uint32Array, rows.length);
    const exceptionValues = sharedColumn(Float64Array, rows.length);
    const exceptionsBefore = sharedColumn(Uint32Array, (this.#multiples.length >>> BLOCK_SHIFT) + 2);
    for (const [place, index] of order.entries()) {
      exceptionRows[place] = rows[index]!;
      exceptionValues[place] = values[index]!;
      exceptionsBefore[(rows[index]! >>> BLOCK_SHIFT) + 1]!++;
    }
    for (let block = 1; block < exceptionsBefore.length; block++)
      exceptionsBefore[block]! += exceptionsBefore[block - 1]!;
    return {
      unit: this.#unit,
      multiples: this.#multiples,
      exception: this.#exception,
      exceptionRows,
      exceptionValues,
      exceptionsBefore,
    };
  }
}
