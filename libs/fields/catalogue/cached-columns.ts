import { LRUCache } from 'lru-cache';
import type { DaySpan } from '#quant/panel/ranges.ts';
import { isNumbers, type CodeColumn, type Column, type MarketColumns } from '../evaluation/market-columns.ts';
import { FIELDS } from './catalogue.ts';
import { fieldColumns, flagsOf, frameOf, LIQUID } from './columns.ts';
import { Factors } from './restating-factors.ts';
import type { FieldInputs } from './stock.ts';

/** Some 90 fields over five years of 930 stocks. */
const MAX_BYTES = 400 * 2 ** 20;

/**
 * Columns of all days of a panel, made when they are first asked for and kept until others need their place. Those asked for at
 * once are all given, also where they take more than the limit together; beside the limit, some 15 MB are kept for what columns
 * share. Making a column of five years takes some 0.2 s for most fields, and a minute for turning points; see `estimatedMs`.
 */
export class CachedColumns {
  readonly #inputs: FieldInputs;
  readonly #span: DaySpan;
  readonly #factors: Factors;
  readonly #frame: ReturnType<typeof frameOf>;
  readonly #kept: LRUCache<string, Column>;
  #liquid: Uint8Array | undefined;

  constructor(inputs: FieldInputs, maxBytes = MAX_BYTES) {
    this.#inputs = inputs;
    this.#span = { firstDay: 0, lastDay: inputs.panel.dayCount - 1 };
    this.#factors = new Factors(inputs.panel, this.#span);
    this.#frame = frameOf(inputs.panel, this.#span);
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: bytesOf });
  }

  /** Bytes of the columns that are kept. */
  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  /** Estimated milliseconds to make those of the columns that are not kept. Names that are no fields take none. */
  estimatedMs(names: readonly string[]): number {
    const missing = names.filter((name) => !this.#kept.has(name));
    const us = missing.reduce((sum, name) => sum + (FIELDS.get(name)?.computeUs ?? 0), 0);
    return (us * this.#inputs.panel.rowCount) / 1000;
  }

  /**
   * The columns of fields, by calendar index.
   * @throws RangeError for a name that is no field
   */
  market(names: readonly string[]): MarketColumns {
    const wanted = this.#liquid ? names : [...names, LIQUID];
    const found = new Map<string, Column>();
    for (const name of wanted) {
      const column = this.#kept.get(name);
      if (column) found.set(name, column);
    }
    const missing = wanted.filter((name) => !found.has(name));
    for (const [name, column] of fieldColumns(missing, this.#inputs, this.#span, this.#factors)) {
      found.set(name, column);
      this.#kept.set(name, column);
    }
    this.#liquid ??= flagsOf(found.get(LIQUID) as CodeColumn);
    return { ...this.#frame, fields: Object.fromEntries(found), liquid: this.#liquid };
  }
}

function bytesOf(column: Column): number {
  return isNumbers(column) ? column.values.byteLength : column.codes.byteLength;
}
