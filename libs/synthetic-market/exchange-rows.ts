/**
 * Daily rows of one ticker in the columns of the exchange's daily summary, one entry per row, days ascending. Prices and values
 * are in IDR, volumes in shares. On a day without trades volume, high and low are 0 and the close is carried over. `open_price`
 * and `first_trade` are 0 unless a pre-opening session made a price.
 */
export interface ExchangeRows {
  date: string[];
  previous: Float64Array;
  open_price: Float64Array;
  first_trade: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  /** close - previous. */
  change: Float64Array;
  volume: Float64Array;
  value: Float64Array;
  frequency: Float64Array;
  listed_shares: Float64Array;
  foreign_sell: Float64Array;
  foreign_buy: Float64Array;
  non_regular_volume: Float64Array;
  non_regular_value: Float64Array;
  non_regular_frequency: Float64Array;
}

export type ExchangeColumn = Exclude<keyof ExchangeRows, 'date'>;

export const EXCHANGE_COLUMNS: readonly ExchangeColumn[] = [
  'previous',
  'open_price',
  'first_trade',
  'high',
  'low',
  'close',
  'change',
  'volume',
  'value',
  'frequency',
  'listed_shares',
  'foreign_sell',
  'foreign_buy',
  'non_regular_volume',
  'non_regular_value',
  'non_regular_frequency',
];

export function emptyRows(date: string[]): ExchangeRows {
  const columns: Partial<Record<ExchangeColumn, Float64Array>> = {};
  for (const name of EXCHANGE_COLUMNS) columns[name] = new Float64Array(date.length);
  return { date, ...(columns as Record<ExchangeColumn, Float64Array>) };
}

export function rowsFrom({ date, ...columns }: ExchangeRows, isoDate: string): ExchangeRows {
  const first = date.findIndex((day) => day >= isoDate);
  const from = first < 0 ? date.length : first;
  const cut = EXCHANGE_COLUMNS.map((name) => [name, columns[name].subarray(from)] as const);
  return {
    date: date.slice(from),
    ...(Object.fromEntries(cut) as unknown as Record<ExchangeColumn, Float64Array>),
  };
}
