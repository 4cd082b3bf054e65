import {
  leaningFactor,
  measuredPersistence,
  percentOfCrossings,
  percentOfTurnover,
} from './known-brokers.ts';

/** A line of a broker table; who is neither retail nor foreign is a local institution. */
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
  /** Correlation of the side a broker leans to with that of the day before. */
  persistence: Float64Array;
  /** How far a broker leans, against others of its class. */
  leaningFactor: Float64Array;
}

/** What brokers are worth in one month; entries follow {@link Brokers}. */
export interface BrokerMonth {
  /** Logarithm of the share of turnover, -Infinity for a broker that does not trade in the month. */
  logShare: Float64Array;
  /** Weight on the negotiated market. */
  crossing: Float64Array;
}

const MOST_BROKERS = 256;
/** By LOCAL, RETAIL, FOREIGN. */
const PERSISTENCE_OF_CLASS = [0.2, 0.05, 0.25] as const;
/**
 * Net buying of a day is a leaning times a size, and sizes differ from day to day: its correlation with the day before
 * is weaker than that of the leaning by about so much.
 */
const LOST_BY_SIZE = 1.9;
/** Retail houses are seldom asked to cross a block. */
const RETAIL_CROSSING = 0.15;

/** @throws RangeError when there are more than an index can name, or none */
export function brokersOf(table: Iterable<BrokerEntry>): Brokers {
  const entries = [...table].sort((a, b) => (a.code < b.code ? -1 : 1));
  if (entries.length === 0 || entries.length > MOST_BROKERS) {
    throw new RangeError(`a market needs 1 to ${MOST_BROKERS} brokers, got ${entries.length}`);
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
 * In a table of nobody but brokers that have left, all trade alike: somebody must.
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
