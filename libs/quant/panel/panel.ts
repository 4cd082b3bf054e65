import type { PanelColumns } from './panel-columns.ts';
import { cumFactorAt, cumShareFactorAt } from './adjustment-factors.ts';

/**
 * Look-ups over {@link PanelColumns}. Tickers, days and rows are passed as indices, so that inner loops allocate nothing; -1
 * means "none". Methods that take a day read only rows up to that day.
 */
export class Panel {
  readonly columns: PanelColumns;
  readonly #indexOfTicker: ReadonlyMap<string, number>;

  constructor(columns: PanelColumns) {
    this.columns = columns;
    this.#indexOfTicker = new Map(columns.tickers.map((ticker, index) => [ticker, index]));
  }

  get tickerCount(): number {
    return this.columns.tickers.length;
  }

  get dayCount(): number {
    return this.columns.dates.length;
  }

  /** Index of the last whole trading day, by which the market is judged. Later ones are partial. */
  get lastWholeDay(): number {
    return (this.columns.wholeDays ?? this.dayCount) - 1;
  }

  get rowCount(): number {
    return this.columns.day.length;
  }

  /** Index of an upper-case ticker code, -1 when the panel does not hold it. */
  tickerIndex(code: string): number {
    return this.#indexOfTicker.get(code) ?? -1;
  }

  /** Index of the last trading day on or before an ISO date; -1 when the date is before the first trading day. */
  dayOnOrBefore(isoDate: string): number {
    const { dates } = this.columns;
    let [low, high] = [0, dates.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (dates[middle]! <= isoDate) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** Index of the first trading day on or after an ISO date; the number of days if there is none yet. */
  dayOnOrAfter(isoDate: string): number {
    const day = this.dayOnOrBefore(isoDate);
    return this.columns.dates[day] === isoDate ? day : day + 1;
  }

  firstRow(ticker: number): number {
    return this.columns.offsets[ticker]!;
  }

  /** One past the ticker's last row up to and including `day`; equals `firstRow` when there is none. */
  endRow(ticker: number, day: number): number {
    const { offsets, day: dayOf } = this.columns;
    let [low, high] = [offsets[ticker]!, offsets[ticker + 1]!];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (dayOf[middle]! <= day) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The ticker's first row on an ISO date or later; one past its last row if there is none. */
  firstRowFrom(ticker: number, isoDate: string): number {
    return this.endRow(ticker, this.dayOnOrAfter(isoDate) - 1);
  }

  /** The ticker's last row on or before `day`, -1 when it was not listed yet. */
  lastRow(ticker: number, day: number): number {
    const end = this.endRow(ticker, day);
    return end > this.firstRow(ticker) ? end - 1 : -1;
  }

  /** The ticker's last row on or before `day` with trades in the regular market, -1 when it never traded. */
  lastTradedRow(ticker: number, day: number): number {
    const first = this.firstRow(ticker);
    let row = this.endRow(ticker, day) - 1;
    while (row >= first && this.columns.volume[row] === 0) row--;
    return row < first ? -1 : row;
  }

  /** The ticker's row of exactly `day`, -1 when it has none. */
  rowAt(ticker: number, day: number): number {
    const row = this.lastRow(ticker, day);
    return row >= 0 && this.columns.day[row] === day ? row : -1;
  }

  /** Rows of one day across the market: entry i is the row of ticker i, -1 when it has none. */
  rowsOn(day: number): Int32Array {
    return Int32Array.from({ length: this.tickerCount }, (_, ticker) => this.rowAt(ticker, day));
  }

  /**
   * Factor by which a price of `row` must be multiplied to be comparable with prices of `asOfRow`, a row of the same ticker:
   * the product of the adjustment factors of the days after `row` up to `asOfRow`.
   */
  priceScale(row: number, asOfRow: number): number {
    const { terms } = this.columns;
    return cumFactorAt(terms, asOfRow) / cumFactorAt(terms, row);
  }

  /** The same factor for share counts, which only splits restate. */
  shareScale(row: number, asOfRow: number): number {
    const { terms } = this.columns;
    return cumShareFactorAt(terms, row) / cumShareFactorAt(terms, asOfRow);
  }
}
