import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import { renamesOf, type Rename } from '#quant/corporate-actions/renames.ts';
import type { StatedAction } from '#quant/corporate-actions/corporate-action.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { monthOf } from '../staging/stored-names.ts';
import { isRenamedSql, renamedTickerSql } from './renamed-sql.ts';
import type { Staging } from '../staging/staging.ts';

/**
 * Gives staged rows of renamed stocks the names of today, so that everything after it sees one stock. Sets `staging.renames`, by
 * which rows of the base are read. Tickers and days in SQL come from a checked table.
 */
export async function renameStagedRows(
  client: ClickHouseClient,
  staging: Staging,
  { actions, base }: { actions: readonly StatedAction[]; base: Dataset | undefined },
): Promise<void> {
  if (!actions.some(({ kind }) => kind === 'ticker_change')) return;
  staging.renames = renamesOf(actions, await lastDateOf(client, staging, base));
  if (staging.renames.length === 0) return;
  for (const table of [staging.rows, staging.brokers.rows]) {
    const isRenamed = isRenamedSql(staging.renames);
    // The ticker is part of the order of the tables, so it cannot be updated.
    await client.command({
      query: `INSERT INTO ${table} SELECT * REPLACE (${renamedTickerSql(staging.renames)} AS ticker)
              FROM (SELECT * FROM ${table} WHERE ${isRenamed})`,
    });
    await client.command({ query: `DELETE FROM ${table} WHERE ${isRenamed}` });
  }
}

async function lastDateOf(
  client: ClickHouseClient,
  { rows }: Staging,
  base: Dataset | undefined,
): Promise<string> {
  const query = `SELECT toString(max(toDate(date))) AS last FROM ${rows} WHERE reason = ''`;
  const [{ last } = { last: '' }] = await clickhouseRows<{ last: string }>(client, query);
  return base && base.last_date > last ? base.last_date : last;
}

/**
 * The segments of the base in which broker rows of renamed stocks have the names of today. Only those that have such rows are written
 * again, once for each rename.
 */
export async function renamedSegments(
  client: ClickHouseClient,
  renames: readonly Rename[],
  { version, segments }: { version: string; segments: string[] },
): Promise<string[]> {
  if (renames.length === 0) return segments;
  const query = `SELECT DISTINCT toString(segment) AS name FROM market.broker_flow
    WHERE segment IN {segments:Array(String)} AND ${isRenamedSql(renames)}`;
  const found = await clickhouseRows<{ name: string }>(client, query, { segments });
  const touched = new Set(found.map(({ name }) => name));
  const renewed: string[] = [];
  for (const segment of segments) {
    // Another name than that of a month that gets other rows in this version. Both end with the version, which cleans up.
    const name = touched.has(segment) ? `${monthOf(segment)}.renamed.${version}` : segment;
    if (touched.has(segment))
      await client.command({
        query: `INSERT INTO market.broker_flow
                SELECT {name:String}, * EXCEPT segment REPLACE (${renamedTickerSql(renames)} AS ticker)
                FROM (SELECT * FROM market.broker_flow WHERE segment = {segment:String})`,
        query_params: { name, segment },
      });
    renewed.push(name);
  }
  return renewed;
}
