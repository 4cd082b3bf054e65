/**
 * One value per row. A row is a (ticker, trading day) pair; rows are grouped by ticker, days ascending. Prices are IDR as
 * printed on that day (never adjusted), volumes are shares, values are IDR. A suspended day keeps its row: volume 0 and open
 * = high = low = close, carried over from the day before.
 */
export interface RowColumns {
  /** Index into {@link PanelColumns.dates}. */
  day: Uint16Array;
  open: Float32Array;
  high: Float32Array;
  low: Float32Array;
  close: Float32Array;
  /** The exchange's reference price of the day: yesterday's close, restated for corporate actions. */
  previous: Float32Array;
  volume: Float64Array;
  value: Float64Array;
  /** Number of trades. */
  frequency: Uint32Array;
  /** Shares bought and sold by foreign investors; each is at most `volume`. */
  foreign_buy: Float64Array;
  foreign_sell: Float64Array;
  /** Negotiated market: shares, IDR, number of trades. */
  nego_volume: Float64Array;
  nego_value: Float64Array;
  nego_frequency: Uint32Array;
  listed_shares: Float64Array;
  /** Best bid at the end of the day, IDR; 0 where nobody bid, NaN where the source does not say. */
  bid: Float32Array;
}

/**
 * The terms in which prices and share counts of rows are stated. They change only on the day of a corporate action, so all rows
 * of the stretch between two of them share one entry: 2 bytes a row instead of 24. A plain object over shared memory, like
 * `PanelColumns`.
 */
export interface TermsColumns {
  /** For each row: index of its stretch. Consecutive rows of one stretch have one entry in each of the columns below. */
  stretch: Uint16Array | Uint32Array;
  /** The factor of the first row of the stretch: `previous` / close of the row before. All its other rows have 1. */
  factor: Float64Array;
  /**
   * Product of the factors from the ticker's first row up to the stretch. Because it runs forward, adjusted prices have no
   * look-ahead: no later row can change these numbers.
   */
  cum_factor: Float64Array;
  /** The same of factors that differ from 1 only on confirmed splits, the only corporate actions that restate volume. */
  cum_share_factor: Float64Array;
}

/** Listing facts per ticker, in ticker order; null where the dataset has none. A snapshot, not a history. */
export interface ListingColumns {
  name: (string | null)[];
  sector: (string | null)[];
  /** The board when the dataset was made. Filtering a past day by it would be look-ahead. */
  board: (string | null)[];
  /** ISO date. */
  listed_on: (string | null)[];
}

/**
 * The whole market in memory. A plain object over shared memory: posting it to a worker thread copies only the lists of
 * strings.
 */
export interface PanelColumns extends RowColumns {
  /** Ascending by code unit. */
  tickers: string[];
  /** Trading days that occur in the data, ISO, ascending. */
  dates: string[];
  /**
   * Indices of the days that follow a run of trading days without any row, ascending. Absent if there is none: the neighbours of a
   * day are then those of the exchange.
   */
  gaps?: readonly number[];
  /** Number of leading `dates` up to the last whole day. The days after it are partial: they are shown, and nothing is judged by them. Absent = all. */
  wholeDays?: number;
  /** Rows of ticker i are `offsets[i]` (inclusive) to `offsets[i + 1]` (exclusive). */
  offsets: Uint32Array;
  terms: TermsColumns;
  listing: ListingColumns;
  /** Rows whose factors became known later than on their day; see {@link panelKnownOn} for their use. Usually there are none. */
  late_factors?: readonly LateFactor[];
  /** Old tickers whose rows stand under a new one. */
  renamed?: Readonly<Record<string, NewName>>;
}

/** What a stock is called now, and since which day (YYYY-MM-DD) it has not had its old name. */
export interface NewName {
  ticker: string;
  since: string;
}

/** What applied on a row before the corporate action was known by which it has its factors. */
export interface LateFactor {
  row: number;
  /** Calendar index of the first day as of which the factors of the row itself apply; the number of days if there is none yet. */
  knownDay: number;
  factor: number;
  share_factor: number;
}

export type ColumnArray = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;
export type ColumnConstructor<T extends ColumnArray> = {
  readonly name: string;
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: SharedArrayBuffer, byteOffset?: number, length?: number): T;
};

export const ROW_COLUMN_TYPES = {
  day: Uint16Array,
  open: Float32Array,
  high: Float32Array,
  low: Float32Array,
  close: Float32Array,
  previous: Float32Array,
  volume: Float64Array,
  value: Float64Array,
  frequency: Uint32Array,
  foreign_buy: Float64Array,
  foreign_sell: Float64Array,
  nego_volume: Float64Array,
  nego_value: Float64Array,
  nego_frequency: Uint32Array,
  listed_shares: Float64Array,
  bid: Float32Array,
} satisfies { [K in keyof RowColumns]: ColumnConstructor<RowColumns[K]> };

export const ROW_COLUMN_NAMES = Object.keys(ROW_COLUMN_TYPES) as (keyof RowColumns)[];

/** A zeroed column in shared memory. */
export function sharedColumn<T extends ColumnArray>(type: ColumnConstructor<T>, length: number): T {
  return new type(new SharedArrayBuffer(length * type.BYTES_PER_ELEMENT));
}

/** New columns of `length` rows that start with the first `keep` rows of `from`. */
export function resizeRowColumns(from: RowColumns | null, keep: number, length: number): RowColumns {
  const columns: Partial<Record<keyof RowColumns, ColumnArray>> = {};
  for (const name of ROW_COLUMN_NAMES) {
    const column = sharedColumn<ColumnArray>(ROW_COLUMN_TYPES[name], length);
    if (from !== null) column.set(from[name].subarray(0, keep));
    columns[name] = column;
  }
  return columns as RowColumns;
}
