import type { RecordBatch } from 'apache-arrow';
import {
  emptyMonth,
  brokerNumber,
  AT,
  MEASURE_COUNT,
  MEASURES,
  type BrokerMonth,
  type Measure,
} from '#quant/broker-measures/measures.ts';
import { epochDayFromIso } from '#foundation/iso-day.ts';
import type { Panel } from '#quant/panel/panel.ts';
import { epochDayValues, numericValues, type ReadArrow } from './arrow-batch.ts';
import { numberIn } from './read-broker-flow.ts';

/** Codes of the brokers whose class is not `bandar`, ascending. */
export interface BrokerClasses {
  retail: readonly string[];
  foreign: readonly string[];
}

/** The classes of a dataset version's broker table. */
export async function loadBrokerClasses(readArrow: ReadArrow, version: string): Promise<BrokerClasses> {
  const [retail, foreign]: [string[], string[]] = [[], []];
  for await (const batch of readArrow(CLASSES_SQL, { version })) {
    for (const row of batch) {
      const { code, is_retail, is_foreign } = row as unknown as ClassRow;
      if (is_retail === 1) retail.push(code);
      if (is_foreign === 1) foreign.push(code);
    }
  }
  return { retail, foreign };
}

interface ClassRow {
  code: string;
  is_retail: number;
  is_foreign: number;
}

/**
 * Summarises the gross rows of a segment, `YYYY-MM.…`, of the regular market, on the days and tickers of a panel.
 * @throws RangeError for rows that the panel has no stock or day for
 */
export async function loadBrokerMonth(
  readArrow: ReadArrow,
  panel: Panel,
  segment: string,
  { retail, foreign }: BrokerClasses,
): Promise<BrokerMonth> {
  const { tickers, dates } = panel.columns;
  const codes = await readCodes(readArrow, segment);
  const leaders = Float32Array.from(['', ...codes], (code) => (code === '' ? 0 : brokerNumber(code)));
  const month = emptyMonth(
    dates.filter((date) => date.slice(0, 7) === segment.slice(0, 7)),
    tickers,
  );
  // A panel may end before a partial day that has rows.
  const params = { segment, retail, foreign, until: dates.at(-1) };
  for await (const batch of readArrow(monthSql(tickers, codes), params)) place(batch, month, leaders);
  return month;
}

async function readCodes(readArrow: ReadArrow, segment: string): Promise<string[]> {
  const codes: string[] = [];
  for await (const batch of readArrow(CODES_SQL, { segment })) {
    for (const row of batch) codes.push((row as unknown as { code: string }).code);
  }
  return codes;
}

function place(batch: RecordBatch, month: BrokerMonth, leaders: Float32Array): void {
  const { values } = month;
  const starts = startsOf(batch, month);
  for (const [measure, name] of MEASURES.entries()) {
    const column = numericValues(batch, `of_${name}`);
    for (let row = 0; row < starts.length; row++) values[starts[row]! + measure] = column[row]!;
  }
  for (const start of starts) values[start + AT.leader] = leaders[values[start + AT.leader]!]!;
}

/** Index of the first number of each stock-day. */
function startsOf(batch: RecordBatch, { dates, tickers }: BrokerMonth): Uint32Array {
  const slots = new Map(dates.map((date, slot) => [epochDayFromIso(date), slot]));
  const days = epochDayValues(batch, 'date');
  const numbers = numericValues(batch, 'ticker_number');
  return Uint32Array.from({ length: batch.numRows }, (_, row) => {
    const [ticker, slot] = [numbers[row]! - 1, slots.get(days[row]!)];
    if (ticker < 0 || slot === undefined)
      throw new RangeError('broker rows of a stock or a day without bars');
    return (slot * tickers.length + ticker) * MEASURE_COUNT;
  });
}

/** A net and its broker's number share one whole number. Larger than the number of brokers in any table. */
const BROKERS = 65_536;

const CLASSES = ['retail', 'foreign', 'bandar'] as const;

/** Rows of a segment. `b` and `s` are the values that a broker bought and sold, IDR. */
const rows = (
  codes: readonly string[],
) => `SELECT ticker, date, mode, ${numberIn(codes, 'broker')} AS broker_number,
    toFloat64(buy_value) AS b, toFloat64(sell_value) AS s, b - s AS net, net > 0 AS is_buyer,
    toFloat64(buy_shares) AS buy_shares, toFloat64(sell_shares) AS sell_shares,
    broker IN {retail:Array(String)} AS is_retail, broker IN {foreign:Array(String)} AS is_foreign,
    NOT (is_retail OR is_foreign) AS is_bandar
  FROM market.broker_flow WHERE segment = {segment:String} AND market = 'REG' AND date <= {until:Date}`;

/** Sums of a stock-day. Leaves out stock-days with rows that only have the difference of the sides, or with unequal sides. */
const stockDays = (codes: readonly string[]) => `SELECT ticker, date, count() AS brokers,
    sum(b) AS bought, sum(s) AS sold, sum(buy_shares) AS bought_shares, sum(sell_shares) AS sold_shares,
    arrayReverseSort(groupArray(b)) AS buys, arrayReverseSort(groupArray(s)) AS sells,
    arraySort(groupArray(net)) AS nets,
    sum(b * b) AS buy_squares, sum(s * s) AS sell_squares, sum(least(b, s)) AS both_sides,
    sum(greatest(net, 0)) AS net_bought, sum(is_buyer) AS buyers, sum(net < 0) AS sellers,
    max(toInt64(net) * ${BROKERS} + ${BROKERS - 1} - broker_number) AS lead,
    sum(b * is_retail) AS retail_bought, ${CLASSES.map(sumsOf).join(', ')}
  FROM (${rows(codes)})
  GROUP BY ticker, date
  HAVING max(mode = 'net') = 0 AND bought > 0 AND bought_shares = sold_shares AND abs(bought - sold) <= 2 * brokers`;

function sumsOf(of: string): string {
  return `sum(net * is_${of}) AS ${of}_net, sum(b * is_${of} * is_buyer) AS ${of}_entry,
    sum(buy_shares * is_${of} * is_buyer) AS ${of}_entry_shares`;
}

const largest = (count: number, amounts: string) => `arraySum(arraySlice(${amounts}, 1, ${count}))`;

/** Measures from the sums above, see {@link MEASURES}. The leader is its number in `codes`. */
const EXPRESSIONS: Record<Measure, string> = {
  turnover: 'bought',
  bought_shares: 'bought_shares',
  top1_buy: `${largest(1, 'buys')} / bought`,
  top3_buy: `${largest(3, 'buys')} / bought`,
  top5_buy: `${largest(5, 'buys')} / bought`,
  top1_sell: `${largest(1, 'sells')} / sold`,
  top3_sell: `${largest(3, 'sells')} / sold`,
  top5_sell: `${largest(5, 'sells')} / sold`,
  hhi_buy: 'buy_squares / (bought * bought)',
  hhi_sell: 'sell_squares / (sold * sold)',
  top5_net: `(arraySum(net -> greatest(net, 0), arraySlice(nets, -5)) +
    arraySum(net -> least(net, 0), arraySlice(nets, 1, 5))) / bought`,
  net_bought: 'net_bought / bought',
  churn: 'both_sides / bought',
  breadth: '(toInt32(buyers) - toInt32(sellers)) / brokers',
  retail_net: 'retail_net / bought',
  foreign_net: 'foreign_net / bought',
  bandar_net: 'bandar_net / bought',
  retail_buy: 'retail_bought / bought',
  retail_entry: 'retail_entry / bought',
  retail_entry_price: priceOf('retail'),
  foreign_entry: 'foreign_entry / bought',
  foreign_entry_price: priceOf('foreign'),
  bandar_entry: 'bandar_entry / bought',
  bandar_entry_price: priceOf('bandar'),
  leader: `if(lead >= ${BROKERS}, ${BROKERS - 1} - lead % ${BROKERS}, 0)`,
};

function priceOf(of: string): string {
  return `if(${of}_entry_shares > 0, ${of}_entry / ${of}_entry_shares, 0)`;
}

/**
 * Summarises one segment, one row per stock-day. Tickers and brokers are numbered from 1. Parameters: `segment`; `retail` and
 * `foreign`, the codes of these classes; the last day.
 */
const monthSql = (
  tickers: readonly string[],
  codes: readonly string[],
) => `SELECT ${numberIn(tickers, 'ticker')} AS ticker_number, date,
  ${MEASURES.map((name) => `toFloat32(${EXPRESSIONS[name]}) AS of_${name}`).join(',\n  ')}
FROM (${stockDays(codes)})`;

/** Broker codes of a segment, ascending. */
const CODES_SQL = `SELECT DISTINCT toString(broker) AS code FROM market.broker_flow
WHERE segment = {segment:String} AND market = 'REG' ORDER BY code`;

const CLASSES_SQL = `SELECT code, is_retail, is_foreign FROM market.broker
WHERE dataset_version = {version:String} ORDER BY code`;
