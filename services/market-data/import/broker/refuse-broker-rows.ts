import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { SHARES_PER_LOT } from '#shared/data-format/broker-layout.ts';
import type { BrokerStaging } from '../staging/broker-staging.ts';
import type { MonthBatch } from './month-batches.ts';

/** The days of a version, both included. */
export interface DaysOfVersion {
  version: string;
  firstDay: string;
  lastDay: string;
}

/** Query parameters for checking and storing a batch of rows. */
export interface BatchParams extends DaysOfVersion, Record<string, unknown> {
  /** The first day of the batch's first month; `toMonth` is that of the last month. */
  fromMonth: string;
  toMonth: string;
  /** Segments of the base for these months. */
  baseSegments: string[];
  /** Days whose rows of the base are dropped. */
  quietDays: string[];
  newestFirst: boolean;
}

/**
 * How far an average price may lie outside the day's range. None of 113,000 real prices does. Prices of vendors that
 * round to three digits are off by up to 1 %.
 */
const PRICE_SLACK = 0.03;

const REPEATED_ROW = 'second row of the same broker, stock, day and market';
const SAME_ROW = 'same row in another file';
const NET_BESIDE_GROSS = 'net row of a stock and day that has gross rows';

/** Stores references to the rows of a batch that do not fit the bars of their stock, or each other. */
export async function refuseInBatch(
  client: ClickHouseClient,
  staging: BrokerStaging,
  { hasNet }: MonthBatch,
  params: BatchParams,
): Promise<void> {
  const { refused } = staging;
  const good = goodRowsSql(staging);
  const queries = [
    `INSERT INTO ${refused} ${unfitRowsSql(staging)}`,
    `INSERT INTO ${refused} ${repeatedRowsSql(good, params.newestFirst)}`,
  ];
  const market = 'ticker, date, market';
  const grossOfBase = `SELECT ${market} FROM market.broker_flow
    WHERE segment IN {baseSegments:Array(String)} AND mode = 'gross'`;
  if (hasNet) {
    queries.push(
      `INSERT INTO ${refused} SELECT file, line, '${NET_BESIDE_GROSS}' FROM (${good})
       WHERE is_net = 1 AND ((${market}) IN (SELECT ${market} FROM (${good}) WHERE is_net = 0)
         OR (${market}) IN (${grossOfBase}))`,
    );
  }
  for (const query of queries) await client.command({ query, query_params: params });
}

/** A broker's trades of a stock and day in a market. */
const ROW_KEY = 'ticker, date, board, broker, is_net';
const [BUYS, SELLS] = ['buy_shares + buy_value > 0', 'sell_shares + sell_value > 0'];

/**
 * Rows that say again what another row says: of a side that its file has already, or what another file says in the same numbers.
 * A row of buys and one of sells complete each other.
 */
function repeatedRowsSql(good: string, newestFirst: boolean): string {
  const list = newestFirst ? ROW_KEY : `${ROW_KEY}, file`;
  const before = `OVER (PARTITION BY ${list} ORDER BY file, line ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)`;
  const amounts = 'buy_shares, buy_value, sell_shares, sell_value';
  return `SELECT file, line, why FROM (
      SELECT file, line, multiIf(
        ${BUYS} AND countIf(${BUYS}) ${before} > 0 OR ${SELLS} AND countIf(${SELLS}) ${before} > 0, '${REPEATED_ROW}',
        row_number() OVER (PARTITION BY ${ROW_KEY}, ${amounts} ORDER BY file, line) > 1, '${SAME_ROW}', '') AS why
      FROM (${good})
      WHERE (${ROW_KEY}) IN (SELECT ${ROW_KEY} FROM (${good}) GROUP BY ${ROW_KEY} HAVING count() > 1))
    WHERE why != ''`;
}

/** SQL of the stock-days and markets in which amounts of several files add up to the same side of a broker. */
export function addedUpSql(staging: BrokerStaging): string {
  return `SELECT ticker, date, market FROM (${goodRowsSql(staging)})
    GROUP BY market, ${ROW_KEY} HAVING countIf(${BUYS}) > 1 OR countIf(${SELLS}) > 1`;
}

export function goodRowsSql({ rows, refused }: BrokerStaging): string {
  return `SELECT *, if(board = 'REG', 'REG', 'NEGO') AS market FROM ${rows}
    WHERE ${IN_BATCH} AND (file, line) NOT IN (SELECT file, line FROM ${refused})`;
}

const IN_BATCH = `reason = '' AND month BETWEEN {fromMonth:Date} AND {toMonth:Date}
  AND date BETWEEN {firstDay:Date} AND {lastDay:Date}`;

export function batchBarsSql({ rows }: BrokerStaging): string {
  return `SELECT ticker, date, low, high, volume, nego_volume FROM market.daily_bar
    WHERE dataset_version = {version:String} AND toStartOfMonth(date) BETWEEN {fromMonth:Date} AND {toMonth:Date}
      AND ticker IN (SELECT ticker FROM ${rows} WHERE ${IN_BATCH})`;
}

function unfitRowsSql(staging: BrokerStaging): string {
  const ofVersion = 'FROM market.daily_bar WHERE dataset_version = {version:String}';
  const isPriced = `board = 'REG' AND is_net = 0`;
  const fits = (scale: string) =>
    `lowest ${scale} >= low * ${1 - PRICE_SLACK} AND highest ${scale} <= high * ${1 + PRICE_SLACK}`;
  const reasons = [
    [
      `high = 0 AND ticker NOT IN (SELECT ticker ${ofVersion})`,
      'unknown ticker: the dataset has no bar of it',
    ],
    [`high = 0 AND date NOT IN (SELECT date ${ofVersion})`, 'not a trading day of the dataset'],
    ['high = 0', 'the ticker has no bar of that day'],
    [`NOT (${isPriced}) OR (${fits('')})`, ''],
    [fits(`/ ${SHARES_PER_LOT}`), 'average price a hundred times the day’s: these counts may be lots'],
    [fits(`* ${SHARES_PER_LOT}`), 'average price a hundredth of the day’s: these counts may be shares'],
  ] as const;
  return `SELECT file, line, why
  FROM (
    SELECT file, line,
      least(if(buy_shares > 0, buy_value / buy_shares, inf),
            if(sell_shares > 0, sell_value / sell_shares, inf)) AS lowest,
      greatest(if(buy_shares > 0, buy_value / buy_shares, 0),
               if(sell_shares > 0, sell_value / sell_shares, 0)) AS highest,
      multiIf(${reasons.map(([holds, reason]) => `${holds}, '${reason}'`).join(',\n        ')},
        'average price outside low and high of the day') AS why
    FROM (SELECT * FROM ${staging.rows} WHERE ${IN_BATCH}) AS staged
    LEFT ANY JOIN (${batchBarsSql(staging)}) AS bar USING (ticker, date)
  )
  WHERE why != ''`;
}
