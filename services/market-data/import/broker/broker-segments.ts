import type { ClickHouseSettings } from '@clickhouse/client';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { segmentName } from '../stored-broker-rows.ts';
import { stockDaysSql } from './broker-findings.ts';
import type { BrokerStaging } from './broker-staging.ts';
import { batchBarsSql, goodRowsSql, type BatchParams } from './refuse-broker-rows.ts';

/** A batch is gathered whole before it is written, so that every month becomes one part. */
const ONE_PART_A_MONTH: ClickHouseSettings = {
  max_insert_threads: '1',
  min_insert_block_size_rows: '10000000',
  min_insert_block_size_bytes: '1000000000',
  max_partitions_per_insert_block: '0',
};

/**
 * Writes a segment for every month of the batch that has rows which may stay: these, and the rows of the base of other
 * stock-days and markets. Returns the segments.
 */
export async function writeMonths(
  client: ClickHouseClient,
  staging: BrokerStaging,
  params: BatchParams,
): Promise<string[]> {
  const { kept, stockDays } = staging;
  await client.command({ query: `TRUNCATE TABLE ${kept}` });
  await client.command({ query: `INSERT INTO ${kept} ${keptRowsSql(staging)}`, query_params: params });
  const months = await monthsOf(client, kept);
  await client.command({
    query: `INSERT INTO market.broker_flow
            SELECT concat(substring(toString(date), 1, 7), {ending:String}), *
            FROM (SELECT * FROM ${kept} UNION ALL ${otherRowsOfBaseSql(kept)})`,
    query_params: { ...params, ending: segmentName('', params.version) },
    clickhouse_settings: ONE_PART_A_MONTH,
  });
  await client.command({
    query: `INSERT INTO ${stockDays} ${stockDaysSql(staging, batchBarsSql(staging))}`,
    query_params: params,
  });
  return months.map((month) => segmentName(month, params.version));
}

/** Trades for cash stand with the negotiated ones. Differences of both are one difference again. */
function keptRowsSql(staging: BrokerStaging): string {
  const side = (name: string, other: string) =>
    `if(is_difference = 1, greatest(toInt64(sum(${name})) - toInt64(sum(${other})), 0), toInt64(sum(${name})))`;
  return `SELECT ticker, date, market, broker, if(max(is_net) AS is_difference = 1, 'net', 'gross') AS mode,
    ${side('buy_shares', 'sell_shares')}, ${side('buy_value', 'sell_value')},
    ${side('sell_shares', 'buy_shares')}, ${side('sell_value', 'buy_value')}
  FROM (${goodRowsSql(staging)}) GROUP BY ticker, date, market, broker`;
}

function otherRowsOfBaseSql(kept: string): string {
  return `SELECT ticker, date, market, broker, mode, buy_shares, buy_value, sell_shares, sell_value
    FROM market.broker_flow
    WHERE segment IN {baseSegments:Array(String)} AND NOT has({quietDays:Array(Date)}, date)
      AND toYYYYMM(date) IN (SELECT toYYYYMM(date) FROM ${kept})
      AND (ticker, date, market) NOT IN (SELECT ticker, date, market FROM ${kept})`;
}

async function monthsOf(client: ClickHouseClient, kept: string): Promise<string[]> {
  const answer = await client.query({
    query: `SELECT DISTINCT substring(toString(date), 1, 7) AS month FROM ${kept} ORDER BY month`,
    format: 'JSONEachRow',
  });
  return (await answer.json<{ month: string }>()).map(({ month }) => month);
}
