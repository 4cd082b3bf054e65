import { sharedColumn, type TermsColumns } from './panel-columns.ts';
import type { RowRange } from './ranges.ts';

/** `previous` / close of the row before; exactly 1 without a corporate action. */
export function factorAt({ stretch, factor }: TermsColumns, row: number): number {
  return stretch[row] === stretch[row - 1] ? 1 : factor[stretch[row]!]!;
}

export function cumFactorAt({ stretch, cum_factor }: TermsColumns, row: number): number {
  return cum_factor[stretch[row]!]!;
}

export function cumShareFactorAt({ stretch, cum_share_factor }: TermsColumns, row: number): number {
  return cum_share_factor[stretch[row]!]!;
}

const MAX_STRETCHES_OF_16_BITS = 65_536;

/** Takes the terms of one row after the other. */
export class TermsBuilder {
  #stretch: Uint32Array;
  #rows = 0;
  readonly #factor: number[] = [];
  readonly #cumFactor: number[] = [];
  readonly #cumShareFactor: number[] = [];

  constructor(expectedRows: number) {
    this.#stretch = new Uint32Array(expectedRows);
  }

  append(factor: number, cumFactor: number, cumShareFactor: number): void {
    const last = this.#factor.length - 1;
    // A first row has 1 of its own: a stretch that an action began is not shared with the next ticker.
    const isShared = cumFactor !== 1 || this.#factor[last] === 1;
    const isSame =
      isShared &&
      factor === 1 &&
      cumFactor === this.#cumFactor[last] &&
      cumShareFactor === this.#cumShareFactor[last];
    if (!isSame) {
      this.#factor.push(factor);
      this.#cumFactor.push(cumFactor);
      this.#cumShareFactor.push(cumShareFactor);
    }
    if (this.#rows === this.#stretch.length) this.#grow();
    this.#stretch[this.#rows++] = this.#factor.length - 1;
  }

  finish(): TermsColumns {
    return {
      stretch: stretches(this.#stretch.subarray(0, this.#rows), this.#factor.length),
      factor: sharedNumbers(this.#factor),
      cum_factor: sharedNumbers(this.#cumFactor),
      cum_share_factor: sharedNumbers(this.#cumShareFactor),
    };
  }

  #grow(): void {
    const larger = new Uint32Array(2 * this.#rows + 1);
    larger.set(this.#stretch);
    this.#stretch = larger;
  }
}

/** The terms with those that `append` gives to all the rows of some tickers; every other row keeps its own. */
export function replacedTerms(
  terms: TermsColumns,
  ranges: readonly RowRange[],
  append: (added: TermsBuilder, rows: RowRange) => void,
): TermsColumns {
  const builder = new TermsBuilder(0);
  for (const rows of ranges) append(builder, rows);
  const added = builder.finish();
  const joined = (name: 'factor' | 'cum_factor' | 'cum_share_factor') =>
    sharedNumbers([...terms[name], ...added[name]]);
  const stretch = stretches(terms.stretch, terms.factor.length + added.factor.length);
  let next = 0;
  for (const { from, to } of ranges) {
    for (let row = from; row < to; row++) stretch[row] = terms.factor.length + added.stretch[next++]!;
  }
  return {
    stretch,
    factor: joined('factor'),
    cum_factor: joined('cum_factor'),
    cum_share_factor: joined('cum_share_factor'),
  };
}

function stretches(of: Uint16Array | Uint32Array, count: number): Uint16Array | Uint32Array {
  const isSmall = count <= MAX_STRETCHES_OF_16_BITS;
  const copy = sharedColumn<Uint16Array | Uint32Array>(isSmall ? Uint16Array : Uint32Array, of.length);
  copy.set(of);
  return copy;
}

function sharedNumbers(numbers: readonly number[]): Float64Array {
  const column = sharedColumn(Float64Array, numbers.length);
  column.set(numbers);
  return column;
}
