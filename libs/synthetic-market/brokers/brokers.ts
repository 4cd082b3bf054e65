/*
 * Known facts about single brokers of the exchange. A code that is missing here is treated as a small local house. A code
 * that is missing in the broker table is ignored.
 */

/** Percent of the exchange's turnover in 2025 and 2026, for brokers with a measurement. */
const MEASURED_PERCENT: Readonly<Record<string, number>> = {
  CC: 10.0,
  AK: 9.3,
  XL: 8.8,
  ZP: 6.6,
  YP: 5.9,
  YU: 5.7,
  BK: 4.0,
  PD: 3.9,
  MG: 3.3,
  CP: 2.9,
  XC: 2.8,
  LG: 2.6,
  SQ: 2.4,
};

/** Named houses by size. Their shares decline evenly, so that twenty houses have four fifths of the total. */
const DECLINING = [
  'NI',
  'KZ',
  'AZ',
  'DH',
  'RX',
  'OD',
  'KK',
  'BB',
  'IF',
  'KI',
  'GR',
  'DR',
  'BQ',
  'EP',
  'TP',
  'YB',
  'SS',
  'XA',
  'HD',
  'HP',
  'AI',
  'AP',
  'DX',
  'AG',
  'YJ',
  'RB',
  'AO',
  'DP',
  'FS',
  'LS',
  'RO',
  'DU',
  'AH',
  'QA',
  'GI',
  'GW',
  'LH',
];
const FIRST_DECLINING_PERCENT = 2.1;
const DECLINE = 0.93;

/** Some fifty small houses have 5 percent together. Their order by size is not known. */
const SMALL_PERCENT = [0.01, 0.3] as const;

/** Foreign houses that left the exchange, with the last month in which they traded. Their shares are a guess. */
const LEFT: Readonly<Record<string, { percent: number; lastMonth: string }>> = {
  CS: { percent: 4, lastMonth: '2023-06' },
  CG: { percent: 2, lastMonth: '2021-09' },
  MS: { percent: 3, lastMonth: '2020-12' },
  DB: { percent: 1.5, lastMonth: '2020-02' },
  ML: { percent: 2, lastMonth: '2019-07' },
};

/**
 * Houses of the new retail investors, with their growth up to `sinceYear`, as a logarithm per year. Their share is constant
 * since.
 */
const GROWN: Readonly<Record<string, { sinceYear: number; aYear: number }>> = {
  XL: { sinceYear: 2025.5, aYear: 0.7 },
  XC: { sinceYear: 2025.5, aYear: 0.3 },
};

/**
 * Percent of the turnover of the negotiated market for houses where it differs from their overall share; one does little else.
 */
const CROSSING_PERCENT: Readonly<Record<string, number>> = { AP: 12, SS: 4, RB: 3, BS: 2 };

/** Measured correlation of net buying in a stock with that of the previous day. */
const PERSISTENCE: Readonly<Record<string, number>> = {
  BK: 0.33,
  ZP: 0.27,
  NI: 0.24,
  AK: 0.22,
  YP: 0.17,
  CC: 0.14,
  XL: 0.03,
  MG: -0.14,
};

/** Factor on the leaning of houses that buy and sell much within a day and hold little. */
const NEARLY_FLAT: Readonly<Record<string, number>> = { MG: 0.5 };

/** Percent of the exchange's turnover in a month `YYYY-MM`. All brokers together have about 100. */
function percentOfTurnover(code: string, month: string): number {
  const left = LEFT[code];
  if (left !== undefined) return month <= left.lastMonth ? left.percent : 0;
  return (MEASURED_PERCENT[code] ?? decliningPercent(code)) * grownBy(code, month);
}

/** Weight on the negotiated market in a month `YYYY-MM`. */
function percentOfCrossings(code: string, month: string): number {
  return CROSSING_PERCENT[code] ?? percentOfTurnover(code, month);
}

/** Measured correlation of net buying with that of the previous day; undefined if there is no measurement. */
function measuredPersistence(code: string): number | undefined {
  return PERSISTENCE[code];
}

/** How far a house leans to one side of the market, relative to others of its class. */
function leaningFactor(code: string): number {
  return NEARLY_FLAT[code] ?? 1;
}

function decliningPercent(code: string): number {
  const rank = DECLINING.indexOf(code);
  if (rank >= 0) return FIRST_DECLINING_PERCENT * Math.exp(rank * Math.log(DECLINE));
  const [least, most] = SMALL_PERCENT;
  return least * Math.exp(placeOf(code) * Math.log(most / least));
}

/** A pseudo-random place in 0..1 that depends only on the code. */
function placeOf(code: string): number {
  let place = 0;
  for (let i = 0; i < code.length; i++) place = (place * 37 + code.charCodeAt(i) * 11) % 101;
  return place / 100;
}

function grownBy(code: string, month: string): number {
  const grown = GROWN[code];
  if (grown === undefined) return 1;
  const year = Number(month.slice(0, 4)) + (Number(month.slice(5, 7)) - 0.5) / 12;
  return Math.exp(Math.min(0, year - grown.sinceYear) * grown.aYear);
}

/** A line of a broker table. A broker that is neither retail nor foreign is a local institution. */
export interface BrokerEntry {
  code: string;
  is_retail: boolean;
  is_foreign: boolean;
}

export const LOCAL = 0;
export const RETAIL = 1;
export const FOREIGN = 2;

/** The brokers of a table in the order of their codes. */
export interface Brokers {
  codes: readonly string[];
  /** LOCAL, RETAIL or FOREIGN. */
  class: Uint8Array;
  /** Correlation of the side a broker leans to with that of the previous day. */
  persistence: Float64Array;
  /** How far a broker leans, relative to others of its class. */
  leaningFactor: Float64Array;
}

/** The weight of each broker in one month; entries follow {@link Brokers}. */
export interface BrokerMonth {
  /** Logarithm of the share of turnover, -Infinity for a broker that does not trade in the month. */
  logShare: Float64Array;
  /** Weight on the negotiated market. */
  crossing: Float64Array;
}

const MAX_BROKERS = 256;
/** By LOCAL, RETAIL, FOREIGN. */
const PERSISTENCE_OF_CLASS = [0.2, 0.05, 0.25] as const;
/**
 * How many times weaker the day-to-day correlation of net buying is than that of the leaning. Net buying is a leaning times a
 * size, and sizes differ from day to day.
 */
const LOST_BY_SIZE = 1.9;
/** Factor on the negotiated weight of retail houses, which rarely cross a block. */
const RETAIL_CROSSING = 0.15;

/** @throws RangeError when there are no brokers, or more than an index can address */
export function brokersOf(table: Iterable<BrokerEntry>): Brokers {
  const entries = [...table].sort((a, b) => (a.code < b.code ? -1 : 1));
  if (entries.length === 0 || entries.length > MAX_BROKERS) {
    throw new RangeError(`a market needs 1 to ${MAX_BROKERS} brokers, got ${entries.length}`);
  }
  const classes = entries.map(({ is_retail, is_foreign }) =>
    is_retail ? RETAIL : is_foreign ? FOREIGN : LOCAL,
  );
  return {
    codes: entries.map(({ code }) => code),
    class: Uint8Array.from(classes),
    persistence: Float64Array.from(entries, ({ code }, i) => {
      return LOST_BY_SIZE * (measuredPersistence(code) ?? PERSISTENCE_OF_CLASS[classes[i]!]);
    }),
    leaningFactor: Float64Array.from(entries, ({ code }) => leaningFactor(code)),
  };
}

/**
 * Weights of the brokers in a month. If every broker of the table has left, all get the same weight, because some must trade.
 * @param month `YYYY-MM`
 */
export function brokerMonth(brokers: Brokers, month: string): BrokerMonth {
  const percent = Float64Array.from(brokers.codes, (code) => percentOfTurnover(code, month));
  const crossing = Float64Array.from(
    brokers.codes,
    (code, i) => percentOfCrossings(code, month) * (brokers.class[i] === RETAIL ? RETAIL_CROSSING : 1),
  );
  for (const weights of [percent, crossing]) if (weights.every((weight) => weight === 0)) weights.fill(1);
  return { logShare: percent.map((one) => Math.log(one / 100)), crossing };
}
