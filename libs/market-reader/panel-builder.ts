import type { RecordBatch } from 'apache-arrow';
import { isoFromEpochDay } from '#foundation/iso-day.ts';
import {
  resizeRowColumns,
  ROW_COLUMN_NAMES,
  sharedColumn,
  type ListingColumns,
  type PanelColumns,
  type RowColumns,
} from '#quant/panel/panel-columns.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { cumFactorAt, cumShareFactorAt, TermsBuilder } from '#quant/panel/adjustment-factors.ts';
import { epochDayValues, forEachRun, numericValues, type NumericValues } from './arrow-batch.ts';

const EPOCH_DAYS = 65_536;
const NUMBER_COLUMNS = ROW_COLUMN_NAMES.filter((name) => name !== 'day');

/** The dataset's data about one listing; `listed_on` is an ISO date. */
export interface ListingEntry {
  ticker: string;
  name: string;
  sector: string;
  board: string;
  listed_on: string | null;
}

/**
 * Builds panel columns from Arrow batches whose rows are ordered by (ticker, date). Columns are copied as blocks, so memory
 * bandwidth determines the cost. A row out of order or a duplicate row is refused.
 *
 * `expectedRows` avoids growing: with the exact number each column is allocated once. Where `continues` is given, its bars before
 * calendar index `dayCount` precede those to come, whose cumulative factors go on from there.
 */
export class PanelBuilder {
  #columns: RowColumns;
  #capacity: number;
  #rows = 0;
  readonly #terms: TermsBuilder;
  /** Products of the factors of the last ticker so far. */
  #cumFactor = 1;
  #cumShareFactor = 1;
  readonly #tickers: string[] = [];
  readonly #starts: number[] = [];
  readonly #dayOccurs = new Uint8Array(EPOCH_DAYS);

  readonly #continues: { panel: Panel; dayCount: number } | undefined;

  constructor(expectedRows = 65_536, continues?: { panel: Panel; dayCount: number }) {
    this.#continues = continues;
    this.#capacity = expectedRows;
    this.#columns = resizeRowColumns(null, 0, expectedRows);
    this.#terms = new TermsBuilder(expectedRows);
  }

  append(batch: RecordBatch): void {
    this.#reserve(this.#rows + batch.numRows);
    for (const name of NUMBER_COLUMNS) this.#columns[name].set(numericValues(batch, name), this.#rows);
    const epochDays = epochDayValues(batch, 'date');
    const factors = numericValues(batch, 'factor');
    const shareFactors = numericValues(batch, 'share_factor');
    forEachRun(batch, 'ticker', (ticker, from, to) => {
      const first = this.#rows;
      this.#appendRun(ticker, epochDays.subarray(from, to));
      this.#appendTerms(first, factors.subarray(from, to), shareFactors.subarray(from, to));
    });
  }

  finish(listing: Iterable<ListingEntry>): PanelColumns {
    if (this.#capacity > this.#rows) this.#resize(this.#rows);
    const offsets = sharedColumn(Uint32Array, this.#tickers.length + 1);
    offsets.set([...this.#starts, this.#rows]);
    const tickers = this.#tickers;
    const dates = this.#replaceEpochDaysByCalendarIndex();
    const columns = this.#columns;
    forgetBidsOfSilentDays(columns, dates.length);
    const terms = this.#terms.finish();
    return { tickers, dates, offsets, ...columns, terms, listing: listingColumns(tickers, listing) };
  }

  #appendRun(ticker: string, epochDays: ArrayLike<number>): void {
    const last = this.#tickers.at(-1);
    const continues = ticker === last;
    if (!continues) {
      if (last !== undefined && ticker < last) throw new RangeError(`ticker ${ticker} came after ${last}`);
      this.#tickers.push(ticker);
      this.#starts.push(this.#rows);
    }
    const { day } = this.#columns;
    let before = continues ? day[this.#rows - 1]! : -1;
    for (let i = 0; i < epochDays.length; i++) {
      const epochDay = epochDays[i]!;
      if (!(epochDay > before && epochDay < EPOCH_DAYS)) throw outOfOrder(ticker, epochDay, before);
      day[this.#rows++] = epochDay;
      this.#dayOccurs[epochDay] = 1;
      before = epochDay;
    }
  }

  /** Takes the factors of the newest rows, which belong to the last ticker. */
  #appendTerms(first: number, factors: NumericValues, shareFactors: NumericValues): void {
    for (let i = 0; i < factors.length; i++) {
      const isOfNewTicker = first + i === this.#starts.at(-1);
      if (isOfNewTicker) [this.#cumFactor, this.#cumShareFactor] = this.#factorsBefore(this.#tickers.at(-1)!);
      this.#cumFactor *= this.#positive(factors[i]!, first + i);
      this.#cumShareFactor *= this.#positive(shareFactors[i]!, first + i);
      this.#terms.append(factors[i]!, this.#cumFactor, this.#cumShareFactor);
    }
  }

  #factorsBefore(ticker: string): [number, number] {
    if (!this.#continues) return [1, 1];
    const { panel, dayCount } = this.#continues;
    const index = panel.tickerIndex(ticker);
    const row = index < 0 ? -1 : panel.lastRow(index, dayCount - 1);
    const { terms } = panel.columns;
    return row < 0 ? [1, 1] : [cumFactorAt(terms, row), cumShareFactorAt(terms, row)];
  }

  #positive(factor: number, row: number): number {
    if (factor > 0 && factor < Infinity) return factor;
    const day = isoFromEpochDay(this.#columns.day[row]!);
    throw new RangeError(
      `${this.#tickers.at(-1)} ${day}: adjustment factor ${factor} is not a positive number`,
    );
  }

  /** The calendar is known only after the last row. Until then `day` holds days since 1970. */
  #replaceEpochDaysByCalendarIndex(): string[] {
    const indexOf = new Uint16Array(EPOCH_DAYS);
    const dates: string[] = [];
    for (let epochDay = 0; epochDay < EPOCH_DAYS; epochDay++) {
      if (this.#dayOccurs[epochDay] === 1) indexOf[epochDay] = dates.push(isoFromEpochDay(epochDay)) - 1;
    }
    const { day } = this.#columns;
    for (let row = 0; row < day.length; row++) day[row] = indexOf[day[row]!]!;
    return dates;
  }

  #reserve(rows: number): void {
    if (rows > this.#capacity) this.#resize(Math.max(rows, Math.ceil(this.#capacity * 1.5)));
  }

  #resize(capacity: number): void {
    this.#columns = resizeRowColumns(this.#columns, this.#rows, capacity);
    this.#capacity = capacity;
  }
}

/**
 * A day on which nobody bid for any stock is a hole in the source, as is 2019-12-30 in that of the exchange: its zeros say nothing.
 */
function forgetBidsOfSilentDays({ day, bid }: RowColumns, dayCount: number): void {
  const hasBids = new Uint8Array(dayCount);
  for (let row = 0; row < day.length; row++) if (bid[row]! > 0) hasBids[day[row]!] = 1;
  for (let row = 0; row < day.length; row++) if (hasBids[day[row]!] === 0) bid[row] = NaN;
}

function outOfOrder(ticker: string, epochDay: number, before: number): RangeError {
  if (epochDay < 0 || epochDay >= EPOCH_DAYS) {
    return new RangeError(`${ticker}: day ${epochDay} since 1970-01-01 is outside 0..${EPOCH_DAYS - 1}`);
  }
  return new RangeError(
    `${ticker}: ${isoFromEpochDay(epochDay)} came after ${isoFromEpochDay(before)}; days must ascend`,
  );
}

export function listingColumns(tickers: string[], listing: Iterable<ListingEntry>): ListingColumns {
  const byTicker = new Map<string, ListingEntry>();
  for (const entry of listing) byTicker.set(entry.ticker, entry);
  const entries = tickers.map((ticker) => byTicker.get(ticker));
  return {
    name: entries.map((entry) => entry?.name ?? null),
    sector: entries.map((entry) => entry?.sector ?? null),
    board: entries.map((entry) => entry?.board ?? null),
    listed_on: entries.map((entry) => entry?.listed_on ?? null),
  };
}
