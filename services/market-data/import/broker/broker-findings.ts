import { ROUNDING_OF_A_SIDE, VOLUME_TOLERANCE } from '#quant/broker-rows/completeness.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { SHARES_PER_LOT } from '#shared/data-format/broker-layout.ts';
import type { BrokerStaging } from '../staging/broker-staging.ts';

/** Vendors silently limit their lists to this many rows per side. */
const VENDOR_LIMIT = 25;

/** Buys and sells must be equal. Values from vendors that send fractions of a rupiah are off by rounding. */
const IS_BALANCED = `buy_shares = sell_shares
  AND abs(toInt64(buy_value) - toInt64(sell_value)) <= ${ROUNDING_OF_A_SIDE} * (buyers + sellers)`;
/**
 * Compares with the volume that the exchange publishes. Net rows cannot be compared, except that they must not exceed
 * it. It is not a number where no source says it.
 */
const IS_COVERED = `(is_net = 1 OR isNaN(volume) OR greatest(abs(buy_shares - volume), abs(sell_shares - volume))
  <= ${VOLUME_TOLERANCE} * volume)`;

/**
 * Rows per side, to recognise a cut list. Each net row is on one side, so the longer side counts. A cut list of gross rows
 * has equally many on both sides; other lists have that only by chance, and count as 0 otherwise.
 */
const MAX_SIDE = `multiIf(is_net = 1, greatest(buyers, sellers), buyers = sellers, buyers, 0)`;

/** What a reader of a stock-day's rows should know. */
const OF_STOCK_DAYS: { finding: string; holds: string }[] = [
  { finding: 'buys and sells are not equal', holds: `NOT (${IS_BALANCED})` },
  {
    finding: `incomplete: not within ${100 * VOLUME_TOLERANCE} % of the exchange’s volume`,
    holds: `NOT ${IS_COVERED}`,
  },
  {
    finding: `list that seems to be cut at ${VENDOR_LIMIT} rows a side`,
    holds: `${MAX_SIDE} = ${VENDOR_LIMIT} AND NOT (${IS_BALANCED} AND ${IS_COVERED})`,
  },
  { finding: 'only net rows', holds: 'is_net = 1' },
  {
    finding: 'net buys above the volume of the exchange: lots or shares?',
    holds: 'is_net = 1 AND buy_shares > volume',
  },
  { finding: 'regular trades that are no whole lots', holds: 'has_odd_lots = 1' },
  { finding: 'sides of a broker that add up from several files', holds: 'is_added_up = 1' },
];

/** Enough to see a pattern in the codes, and few enough for one line. */
const NAMED_BROKERS = 10;
const UNKNOWN_BROKER = 'broker that the broker table does not have';

/** SQL that sums the rows of a batch by stock-day, together with the exchange's volume. */
export function stockDaysSql(
  { kept }: BrokerStaging,
  { batchBarsSql, addedUpSql }: { batchBarsSql: string; addedUpSql: string },
): string {
  return `SELECT ticker, date, market, max(mode = 'net'), countIf(buy_shares > 0), countIf(sell_shares > 0),
    max(market = 'REG' AND (buy_shares % ${SHARES_PER_LOT} != 0 OR sell_shares % ${SHARES_PER_LOT} != 0)),
    (ticker, date, market) IN (${addedUpSql}),
    sum(buy_shares), sum(buy_value), sum(sell_shares), sum(sell_value),
    any(if(market = 'REG', volume, nego_volume))
  FROM ${kept} LEFT ANY JOIN (${batchBarsSql}) AS bar USING (ticker, date)
  GROUP BY ticker, date, market`;
}

/**
 * Stores findings about the uploaded rows that a version keeps, and the brokers of all its rows that its broker table
 * does not have. The broker table must be stored first.
 */
export async function storeFindings(
  client: ClickHouseClient,
  { stockDays }: BrokerStaging,
  version: string,
  segments: string[],
): Promise<void> {
  const first = 'min((ticker, date, market))';
  const found = OF_STOCK_DAYS.map(
    ({ finding, holds }) =>
      `SELECT '${finding}' AS finding, count() AS count,
         concat(${first}.1, ' ', toString(${first}.2), ' ', ${first}.3) AS first_at
       FROM ${stockDays} WHERE ${holds}`,
  );
  found.push(
    `SELECT '${UNKNOWN_BROKER}', uniqExact(broker),
       arrayStringConcat(arraySlice(arraySort(groupUniqArray(broker)), 1, ${NAMED_BROKERS}), ', ')
     FROM market.broker_flow
     WHERE segment IN {segments:Array(String)}
       AND broker NOT IN (SELECT code FROM market.broker WHERE dataset_version = {version:String})`,
  );
  await client.command({
    query: `INSERT INTO market.finding
            SELECT {version:String}, finding, count, first_at FROM (${found.join(' UNION ALL ')}) WHERE count > 0`,
    query_params: { version, segments },
  });
}
