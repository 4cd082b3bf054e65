import type { MayBeUnwanted } from '#foundation/unwanted.ts';

/**
 * Numbers of a field, one for each stock on each day: stock s on day d is at `d × stocks + s`. NaN is null. Values are 32-bit,
 * so they hold seven digits; numbers in rules are rounded to 32 bits before they are compared.
 */
export interface NumberColumn {
  readonly values: Float32Array;
  /**
   * For values that corporate actions restate, laid out in the same way: a value of an earlier day is comparable with one of a
   * later day of the same stock after multiplication by the later day's factor / the earlier day's factor. NaN where that is
   * not known, and then changes and crossings over such a day are unknown. Negative on days of which later days know other terms
   * than these days did themselves: see {@link restatingScale}.
   */
  readonly factors?: Float32Array;
}

/**
 * What a value of an earlier day must be multiplied by, to be compared with one of a later day. Days with negative factors compare
 * with earlier days and with each other, as they did then, but later days do not compare with them.
 */
export function restatingScale(factors: Float32Array | undefined, before: number, now: number): number {
  // Mostly nothing was restated in between, and a division takes longer than the rest.
  if (!factors || factors[before] === factors[now]) return 1;
  return factors[before]! < 0 && factors[now]! > 0 ? NaN : Math.abs(factors[now]! / factors[before]!);
}

/** Restated values hold seven digits, as factors do: within this part they are the same. A tick is at least 1e-5 of any price. */
const RESTATED_ROUNDING = 1e-6;

/** `now` - `before`, where `before` was multiplied by a factor unless that is 1; exactly 0 for the same value. */
export function restatedMove(before: number, now: number, factor: number): number {
  const move = now - before;
  return factor !== 1 && Math.abs(move) <= RESTATED_ROUNDING * Math.abs(before) ? 0 : move;
}

/** Texts, or true and false, in the same layout: `words[codes[at]]`, where a word of null is null. */
export interface CodeColumn {
  readonly codes: Uint8Array | Uint16Array;
  readonly words: readonly (string | boolean | null)[];
}

export type Column = NumberColumn | CodeColumn;

/**
 * The fields of a market, over days that follow each other. A plain object: over shared memory, any thread can evaluate some
 * of the days. What is evaluated on a day reads columns of that day and of days before it only.
 */
export interface MarketColumns extends MayBeUnwanted {
  /** Ascending by code unit. */
  readonly tickers: readonly string[];
  readonly dayCount: number;
  /** Columns by the name of the field: at least those of the rules; see `needsOf`. */
  readonly fields: Readonly<Record<string, Column>>;
  /** 1 for a stock with a row on the day. Others never match. */
  readonly listed: Uint8Array;
  /** 1 for a stock that counts in ranks and percentiles of the day. */
  readonly liquid: Uint8Array;
  /** Days before which trading days are missing, ascending; see `reachesAcross`. */
  readonly gaps?: readonly number[];
}

/** Days of a market, by their index; both included. */
export interface Days {
  firstDay: number;
  lastDay: number;
}

export function isNumbers(column: Column): column is NumberColumn {
  return 'values' in column;
}

/** @throws RangeError if the column was not given */
export function columnOf(market: MarketColumns, field: string): Column {
  const column = market.fields[field];
  if (!column) throw new RangeError(`the columns of field ${field} are missing`);
  return column;
}

/** @throws RangeError if the column was not given, or holds no numbers */
export function numbersOf(market: MarketColumns, field: string): NumberColumn {
  const column = columnOf(market, field);
  if (!isNumbers(column)) throw new RangeError(`field ${field} holds no numbers`);
  return column;
}

/** A value as it is shown: numbers with the seven digits that they hold. */
export function valueAt(column: Column, at: number): number | string | boolean | null {
  return isNumbers(column) ? shown(column.values[at]!) : column.words[column.codes[at]!]!;
}

/** The same with as many digits, up to nine, as make the same 32-bit number again: comparisons with it come out as they do here. */
export function exactValueAt(column: Column, at: number): number | string | boolean | null {
  const value = valueAt(column, at);
  if (typeof value !== 'number') return value;
  const { values } = column as NumberColumn;
  return Math.fround(value) === values[at] ? value : Number(values[at]!.toPrecision(EXACT_DIGITS));
}

const DIGITS = 7;
/** Enough to tell any two 32-bit numbers apart (IEEE 754, 5.12.2). */
const EXACT_DIGITS = 9;

export function shown(value: number): number | null {
  return Number.isNaN(value) ? null : Number(value.toPrecision(DIGITS));
}
