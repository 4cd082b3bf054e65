import { IDX_COLUMNS, TICKER, type IdxColumn } from '#shared/data-format/idx-columns.ts';

/** A reason to refuse a row that depends on the row alone: SQL over the columns of the staging table. */
export interface RowRule {
  reason: string;
  holds: string;
}

/** The exchange reopened on this day. */
export const FIRST_DAY = '1977-08-10';
/** The last day of ClickHouse's type Date. */
export const LAST_STORABLE_DAY = '2149-06-06';
/** Whether a staged row, also a refused one, has a day that can be stored. A malformed date is staged as 1970-01-01. */
export const HAS_STORABLE_DAY = `date BETWEEN toDate32('1970-01-02') AND toDate32('${LAST_STORABLE_DAY}')`;
/** Far above all values of the exchange so far (250,000 IDR; 46 bn shares and 33 tn IDR a day; 1.2 tn listed). */
export const MAX_PRICE_IDR = 10_000_000;
export const MAX_SHARES = 1e14;
export const MAX_VALUE_IDR = 1e16;
const MAX_TRADES = 1e8;
/**
 * Prices are whole rupiahs and amounts whole shares, but sources that compute in binary fractions write 9949.999999999998. Differences
 * up to this say nothing. Half a rupiah is what a source says, and stays.
 */
export const NOISE = 0.001;
/** Average prices leave the day's range only by rounding. Lots mistaken for shares are off by a factor of 100. */
const AVERAGE_PRICE_SLACK = 2;

const PRICES = ['previous', 'open_price', 'high', 'low', 'close'];
const SHARES = ['volume', 'listed_shares', 'foreign_sell', 'foreign_buy', 'nego_volume'];
const VALUES = ['value', 'nego_value'];
const TRADES = ['frequency', 'nego_frequency'];
const NUMBERS = [...PRICES, ...SHARES, ...VALUES, ...TRADES];

/** In order of precedence: the first rule that holds gives the reason. A malformed number is stored as NaN. */
export const ROW_RULES: readonly RowRule[] = [
  { reason: 'wrong number of columns', holds: `length(fields) != ${IDX_COLUMNS.length}` },
  { reason: 'malformed ticker', holds: `NOT match(ticker, '${TICKER}')` },
  { reason: 'malformed date', holds: 'isNull(staged_date)' },
  {
    reason: 'date before 1977 or in the future',
    holds: `staged_date < toDate32('${FIRST_DAY}') OR staged_date > {latestDay:Date32}`,
  },
  { reason: 'not a trading day: a weekend', holds: 'toDayOfWeek(staged_date) > 5' },
  {
    reason: 'not a trading day: the exchange was closed',
    holds: 'staged_date IN {closedDays:Array(Date32)}',
  },
  { reason: 'missing close', holds: 'close = 0' },
  {
    reason: 'malformed number',
    holds: `isNaN(${NUMBERS.join(' + ')}) OR isNaN(bid) AND ${field('bid')} != ''`,
  },
  { reason: 'negative number', holds: `least(${NUMBERS.join(', ')}) < 0 OR bid < 0` },
  {
    reason: 'absurd number',
    holds: [
      `greatest(${PRICES.join(', ')}) > ${MAX_PRICE_IDR}`,
      `bid > ${MAX_PRICE_IDR}`,
      `greatest(${SHARES.join(', ')}) > ${MAX_SHARES}`,
      `greatest(${VALUES.join(', ')}) > ${MAX_VALUE_IDR}`,
      `greatest(${TRADES.join(', ')}) > ${MAX_TRADES}`,
    ].join(' OR '),
  },
  { reason: 'foreign volume above volume', holds: 'greatest(foreign_buy, foreign_sell) > volume' },
  { reason: 'value without volume', holds: 'volume = 0 AND (value > 0 OR frequency > 0)' },
  { reason: 'volume without value', holds: 'volume > 0 AND value = 0' },
  { reason: 'high below low', holds: `volume > 0 AND high < low - ${NOISE}` },
  {
    reason: 'close outside low and high',
    holds: `volume > 0 AND (close < low - ${NOISE} OR close > high + ${NOISE})`,
  },
  {
    reason: 'value does not fit volume and prices',
    holds:
      `volume > 0 AND (value > volume * high * ${AVERAGE_PRICE_SLACK}` +
      ` OR value * ${AVERAGE_PRICE_SLACK} < volume * low)`,
  },
];

/** Reasons that depend on other rows of the dataset. */
export const QUIET_DAY = 'not a trading day: almost nothing traded';
export const REPEATED_DAY = 'second row of the same ticker and day';
export const REPEATS_EARLIER = 'repeats an earlier day';
export const REPEATS_LATER = 'repeats a later day';
export const RESTATES = 'the day is there already, and this upload may not restate it';
export const BEFORE_FIRST_DAY = 'before the first day of the dataset, and this upload may not restate it';
/** The reasons to refuse a row that leave the row of the base as it is. */
export const KEEPING_BASE = [REPEATS_EARLIER, REPEATS_LATER, RESTATES, BEFORE_FIRST_DAY];

/** SQL of a field of the staged line, as text. */
export function field(column: IdxColumn): string {
  return `fields[${IDX_COLUMNS.indexOf(column) + 1}]`;
}

/** SQL of the reason to refuse a row; '' for a row that may stay. */
export function reasonSql(): string {
  const branches = ROW_RULES.map(({ reason, holds }) => `${holds}, '${reason}'`);
  return `multiIf(${branches.join(',\n    ')},\n    '')`;
}
