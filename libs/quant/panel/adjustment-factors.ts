import { sharedColumn, type TermsColumns } from './panel-columns.ts';

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
    const isSame =
      factor === 1 && cumFactor === this.#cumFactor[last] && cumShareFactor === this.#cumShareFactor[last];
    if (!isSame) {
      this.#factor.push(factor);
      this.#cumFactor.push(cumFactor);
      this.#cumShareFactor.push(cumShareFactor);
    }
    if (this.#rows === this.#stretch.length) this.#grow();
    this.#stretch[this.#rows++] = this.#factor.length - 1;
  }

  finish(): TermsColumns {
    const isSmall = this.#factor.length <= MAX_STRETCHES_OF_16_BITS;
    const stretch = sharedColumn<Uint16Array | Uint32Array>(isSmall ? Uint16Array : Uint32Array, this.#rows);
    stretch.set(this.#stretch.subarray(0, this.#rows));
    return {
      stretch,
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

function sharedNumbers(numbers: readonly number[]): Float64Array {
  const column = sharedColumn(Float64Array, numbers.length);
  column.set(numbers);
  return column;
}
