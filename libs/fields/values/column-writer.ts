import { stockReachesAcross } from '#quant/panel/gaps.ts';
import { sharedColumn } from '#quant/panel/panel-columns.ts';
import type { DaySpan } from '#quant/panel/ranges.ts';
import type { CodeColumn, Column, NumberColumn } from '../evaluation/market-columns.ts';
import type { Field } from './field.ts';
import type { FieldInputs, Stock } from './stock.ts';

/** Where a panel row of a stock stands in columns that start with the first day of a span. */
function placeOf({ panel, ticker }: Stock, row: number, { firstDay }: DaySpan): number {
  return (panel.columns.day[row]! - firstDay) * panel.tickerCount + ticker;
}

/** Fills the column of a field, one stock after the other. */
export interface ColumnWriter {
  readonly field: Field;
  /** Writes the days that are wanted of the stock. */
  write(stock: Stock): void;
  /** The column, once every stock is written. */
  finish(factors?: Float32Array): Column;
}

export function columnWriter(field: Field, inputs: FieldInputs, span: DaySpan): ColumnWriter {
  const size = (span.lastDay + 1 - span.firstDay) * inputs.panel.tickerCount;
  return field.type === 'number'
    ? new NumberWriter(field, span, size)
    : new CodeWriter(field, inputs, span, size);
}

class NumberWriter implements ColumnWriter {
  readonly field: Field;
  readonly #span: DaySpan;
  readonly #values: Float32Array;

  constructor(field: Field, span: DaySpan, size: number) {
    this.field = field;
    this.#span = span;
    this.#values = sharedColumn(Float32Array, size).fill(NaN);
  }

  /** A ratio with a divisor of 0 is null. */
  write(stock: Stock): void {
    const values = valuesOf(this.field, stock);
    for (let i = 0; i < values.length; i++) {
      if (Number.isFinite(values[i]!)) this.#values[placeOf(stock, stock.from + i, this.#span)] = values[i]!;
    }
  }

  finish(factors?: Float32Array): NumberColumn {
    return { values: this.#values, ...(factors && { factors }) };
  }
}

const YES_NO = [false, true] as const;

/** Code 0 is null, which is what unwritten places hold. */
class CodeWriter implements ColumnWriter {
  readonly field: Field;
  readonly #inputs: FieldInputs;
  readonly #span: DaySpan;
  readonly #codes: Uint8Array | Uint16Array;
  readonly #words: (string | boolean | null)[];
  readonly #codeOf = new Map<number, number>();

  constructor(field: Field, inputs: FieldInputs, span: DaySpan, size: number) {
    const known = field.type === 'boolean' ? YES_NO : field.values;
    this.field = field;
    this.#inputs = inputs;
    this.#span = span;
    this.#codes = sharedColumn<Uint8Array | Uint16Array>(known ? Uint8Array : Uint16Array, size);
    this.#words = [null, ...(known ?? [])];
    known?.forEach((_, value) => this.#codeOf.set(value, value + 1));
  }

  write(stock: Stock): void {
    const values = valuesOf(this.field, stock);
    for (let i = 0; i < values.length; i++) {
      if (!Number.isNaN(values[i]!))
        this.#codes[placeOf(stock, stock.from + i, this.#span)] = this.#code(values[i]!);
    }
  }

  finish(): CodeColumn {
    return { codes: this.#codes, words: this.#words };
  }

  #code(value: number): number {
    const known = this.#codeOf.get(value);
    if (known !== undefined) return known;
    const word = this.field.textOf!(value, this.#inputs);
    // Two numbers may have one text: the tickers of a sector.
    const at = this.#words.indexOf(word);
    const code = at > 0 ? at : this.#words.push(word) - 1;
    this.#codeOf.set(value, code);
    return code;
  }
}

/**
 * The values of a field, one for each wanted row of a stock; null where the window of a value reaches across trading days that the data
 * lack, for every field alike. So a value that reads its own day alone has a value right after a hole, and `ret_3d` has none on three
 * traded days after it.
 */
function valuesOf(field: Field, stock: Stock): Float64Array {
  const values = field.of(stock);
  const { panel, ticker } = stock;
  const { gaps, day } = panel.columns;
  if (!gaps || (field.readsDays === null && !field.firstDayRead)) return values;
  for (let i = 0; i < values.length; i++) {
    const row = stock.from + i;
    if (Number.isNaN(values[i]!) || day[row]! < gaps[0]!) continue;
    const window = { firstDay: firstDayOf(field, stock, row), lastDay: day[row]! };
    if (stockReachesAcross(panel, ticker, window)) values[i] = NaN;
  }
  return values;
}

function firstDayOf({ readsDays, firstDayRead, of, needs }: Field, stock: Stock, row: number): number {
  const { day } = stock.panel.columns;
  if (firstDayRead) return firstDayRead(stock, row);
  const countsBars = of.isOfTradedDays && !needs.includes('broker_days');
  if (!countsBars) return day[row]! + 1 - readsDays!;
  return day[stock.bars.rows[Math.max(0, stock.barAt(row) + 1 - readsDays!)]!]!;
}
