import { numberIn } from '../broker-flow/flow-query.ts';
import type { Measure } from './measures.ts';
import { MEASURES } from './measures.ts';

/** A net and the number of its broker share a whole number: more than any table has brokers. */
const BROKERS = 65_536;

const CLASSES = ['retail', 'foreign', 'bandar'] as const;

/** Rows of a segment with b and s, IDR, for what a broker bought and sold. */
const ROWS = `SELECT ticker, date, mode, ${numberIn('codes', 'broker')} AS broker_number,
    toFloat64(buy_value) AS b, toFloat64(sell_value) AS s, b - s AS net, net > 0 AS is_buyer,
    toFloat64(buy_shares) AS buy_shares, toFloat64(sell_shares) AS sell_shares,
    broker IN {retail:Array(String)} AS is_retail, broker IN {foreign:Array(String)} AS is_foreign,
    NOT (is_retail OR is_foreign) AS is_bandar
  FROM market.broker_flow WHERE segment = {segment:String} AND market = 'REG'`;

/** Sums of a stock-day. Rows of which only the difference of the sides is known, or whose sides differ, are left out. */
const STOCK_DAYS = `SELECT ticker, date, count() AS brokers,
    sum(b) AS bought, sum(s) AS sold, sum(buy_shares) AS bought_shares, sum(sell_shares) AS sold_shares,
    arrayReverseSort(groupArray(b)) AS buys, arrayReverseSort(groupArray(s)) AS sells,
    arraySort(groupArray(net)) AS nets,
    sum(b * b) AS buy_squares, sum(s * s) AS sell_squares, sum(least(b, s)) AS both_sides,
    sum(greatest(net, 0)) AS net_bought, sum(is_buyer) AS buyers, sum(net < 0) AS sellers,
    max(toInt64(net) * ${BROKERS} + ${BROKERS - 1} - broker_number) AS lead,
    sum(b * is_retail) AS retail_bought, ${CLASSES.map(sumsOf).join(', ')}
  FROM (${ROWS})
  GROUP BY ticker, date
  HAVING max(mode = 'net') = 0 AND bought > 0 AND bought_shares = sold_shares AND abs(bought - sold) <= 2 * brokers`;

function sumsOf(of: string): string {
  return `sum(net * is_${of}) AS ${of}_net, sum(b * is_${of} * is_buyer) AS ${of}_entry,
    sum(buy_shares * is_${of} * is_buyer) AS ${of}_entry_shares`;
}

const largest = (count: number, amounts: string) => `arraySum(arraySlice(${amounts}, 1, ${count}))`;

/** Of the sums above, see {@link MEASURES}; the leader as its number in `codes`. */
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
 * Summarises one segment: a row a stock-day. Parameters: `segment`; `tickers` and `codes`, lists that number tickers and
 * brokers from 1; `retail` and `foreign`, the codes of these classes.
 */
export const MONTH_SQL = `SELECT ${numberIn('tickers', 'ticker')} AS ticker_number, date,
  ${MEASURES.map((name) => `toFloat32(${EXPRESSIONS[name]}) AS of_${name}`).join(',\n  ')}
FROM (${STOCK_DAYS})`;

/** Broker codes of a segment, ascending. */
export const CODES_SQL = `SELECT DISTINCT toString(broker) AS code FROM market.broker_flow
WHERE segment = {segment:String} AND market = 'REG' ORDER BY code`;

export const CLASSES_SQL = `SELECT code, is_retail, is_foreign FROM market.broker
WHERE dataset_version = {version:String} ORDER BY code`;
