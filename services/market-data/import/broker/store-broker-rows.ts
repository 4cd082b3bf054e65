import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import type { ServiceError } from '#foundation/errors/service-error.ts';
import { rejected } from '../rejected.ts';
import { describeSegments, keepSegments, type StoredBrokerRows } from './broker-segments.ts';
import { monthOf, segmentName } from '../staging/stored-names.ts';
import type { BrokerOptions } from '../request/import-source.ts';
import type { Progress } from '../request/progress.ts';
import { refusedRowsSql, rejectedRowsSql, rejectionsSql } from '../rules/rejected-rows.ts';
import { storeFindings, stockDaysSql } from './broker-findings.ts';
import type { BrokerStaging } from '../staging/broker-staging.ts';
import { monthBatches } from './month-batches.ts';
import {
  addedUpSql,
  refuseInBatch,
  type DaysOfVersion,
  batchBarsSql,
  goodRowsSql,
  type BatchParams,
} from './refuse-broker-rows.ts';
import type { ClickHouseSettings } from '@clickhouse/client';

interface BrokerRowsToStore {
  client: ClickHouseClient;
  staging: BrokerStaging;
  /** Its bars and its broker table are already stored; it is not published yet. */
  version: string;
  /** Whether the rows are `real` or `synthetic`. */
  kind: string;
  /** The dataset to which the rows are added; undefined if they stand alone. */
  base: Dataset | undefined;
  /** Days whose rows of the base are dropped. */
  quietDays: string[];
  brokers: Pick<BrokerOptions, 'newestFirst'>;
}

/**
 * Stores the staged rows that may stay, the refused rows, and findings about the rows that stay. Uploaded stock-days
 * replace those of the base; one that has only buys, or only sells, replaces that side. Months without uploaded rows are shared with the base.
 * @throws ServiceError import_rejected when there are staged rows, but none of them may stay
 */
export async function storeBrokerRows(
  wanted: BrokerRowsToStore,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<StoredBrokerRows> {
  const { client, staging, version, kind, base, quietDays, brokers } = wanted;
  const days = await daysOf(client, version);
  const baseSegments = base?.broker_data === kind ? base.broker_segments : [];
  const written: string[] = [];
  for (const batch of await monthBatches(client, staging, { ...days, baseSegments })) {
    signal.throwIfAborted();
    progress.step = `storing broker rows of ${batch.months[0]!} and after`;
    const params = {
      ...days,
      fromMonth: `${batch.months[0]!}-01`,
      toMonth: `${batch.months.at(-1)!}-01`,
      baseSegments: baseSegments.filter((segment) => batch.months.includes(monthOf(segment))),
      quietDays,
      newestFirst: brokers.newestFirst ?? false,
    };
    await refuseInBatch(client, staging, batch, params);
    written.push(...(await writeMonths(client, staging, params)));
  }
  if (written.length === 0) throw await noneOf(client, staging, days);
  for (const query of [
    `INSERT INTO market.rejected_row SELECT {version:String}, * FROM (${rejectedRowsSql(staging)})`,
    `INSERT INTO market.rejection SELECT {version:String}, * FROM (${rejectionsSql(refusedRowsSql(staging))})`,
  ]) {
    await client.command({ query, query_params: { ...days } });
  }
  const months = new Set(written.map(monthOf));
  const untouched = baseSegments.filter((segment) => !months.has(monthOf(segment)));
  const kept = await keepSegments(client, { version, quietDays, segments: untouched });
  const segments = [...kept, ...written];
  await storeFindings(client, staging, version, segments);
  return { broker_data: kind, ...(await describeSegments(client, segments)) };
}

async function daysOf(client: ClickHouseClient, version: string) {
  const query = `SELECT toString(min(date)) AS firstDay, toString(max(date)) AS lastDay FROM market.daily_bar
    WHERE dataset_version = {version:String}`;
  const [days] = await clickhouseRows<{ firstDay: string; lastDay: string }>(client, query, { version });
  return { version, ...days! };
}

async function noneOf(
  client: ClickHouseClient,
  staging: BrokerStaging,
  days: DaysOfVersion,
): Promise<ServiceError> {
  const query = `SELECT file, line, reason, (SELECT toUInt32(count()) FROM ${staging.rows}) AS staged
    FROM (${refusedRowsSql(staging)}) ORDER BY file, line LIMIT 1`;
  type Refused = { file: string; line: number; reason: string; staged: number };
  const [refused] = await clickhouseRows<Refused>(client, query, { ...days });
  const { file, line, reason, staged } = refused!;
  return rejected(
    `None of the ${staged} broker rows can be used; the first is refused at ${file}:${line}: ${reason}.`,
  );
}

/** Collect the whole batch before writing it, so that every month becomes one part. */
const ONE_PART_A_MONTH: ClickHouseSettings = {
  max_insert_threads: '1',
  min_insert_block_size_rows: '10000000',
  min_insert_block_size_bytes: '1000000000',
  max_partitions_per_insert_block: '0',
};

/**
 * Writes a segment for every month of the batch with rows that may stay. It contains these rows, and the base's rows of
 * other stock-days and markets. Returns the segments.
 */
async function writeMonths(
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
    query: `INSERT INTO ${stockDays} ${stockDaysSql(staging, {
      batchBarsSql: batchBarsSql(staging),
      addedUpSql: addedUpSql(staging),
    })}`,
    query_params: params,
  });
  return months.map((month) => segmentName(month, params.version));
}

const AMOUNTS = 'buy_shares, buy_value, sell_shares, sell_value';

/** Cash-market trades are merged with the negotiated ones. Net rows of both are netted again. */
function keptRowsSql(staging: BrokerStaging): string {
  const side = (name: string, other: string) =>
    `if(is_difference = 1, greatest(toInt64(sum(${name})) - toInt64(sum(${other})), 0), toInt64(sum(${name})))`;
  return `SELECT ticker, date, market, broker, if(max(is_net) AS is_difference = 1, 'net', 'gross') AS mode,
    ${side('buy_shares', 'sell_shares')}, ${side('buy_value', 'sell_value')},
    ${side('sell_shares', 'buy_shares')}, ${side('sell_value', 'buy_value')}
  FROM (SELECT ticker, date, market, broker, is_net, ${AMOUNTS} FROM (${goodRowsSql(staging)})
        UNION ALL ${otherSidesOfBaseSql(staging)})
  GROUP BY ticker, date, market, broker`;
}

/**
 * All buys of a stock are somebody's sells. So an upload without either is half of a stock-day, whose other half the base may
 * have. It is kept if it is of the same mode.
 */
function otherSidesOfBaseSql(staging: BrokerStaging): string {
  const kept = ['buy', 'sell'].flatMap((side) =>
    ['shares', 'value'].map((amount) => `if(${side}s = 0, ${side}_${amount}, 0) AS ${side}_${amount}`),
  );
  return `SELECT ticker, date, market, broker, is_net, ${kept.join(', ')}
    FROM (SELECT *, toUInt8(mode = 'net') AS is_net FROM market.broker_flow
          WHERE segment IN {baseSegments:Array(String)} AND NOT has({quietDays:Array(Date)}, date)) AS flow
    INNER JOIN (SELECT ticker, date, market, is_net, sum(buy_value) AS buys, sum(sell_value) AS sells
                FROM (${goodRowsSql(staging)}) GROUP BY ticker, date, market, is_net
                HAVING buys = 0 OR sells = 0) AS half USING (ticker, date, market, is_net)
    WHERE flow.buy_value > 0 AND buys = 0 OR flow.sell_value > 0 AND sells = 0`;
}

function otherRowsOfBaseSql(kept: string): string {
  return `SELECT ticker, date, market, broker, mode, ${AMOUNTS}
    FROM market.broker_flow
    WHERE segment IN {baseSegments:Array(String)} AND NOT has({quietDays:Array(Date)}, date)
      AND toYYYYMM(date) IN (SELECT toYYYYMM(date) FROM ${kept})
      AND (ticker, date, market) NOT IN (SELECT ticker, date, market FROM ${kept})`;
}

async function monthsOf(client: ClickHouseClient, kept: string): Promise<string[]> {
  const query = `SELECT DISTINCT substring(toString(date), 1, 7) AS month FROM ${kept} ORDER BY month`;
  const found = await clickhouseRows<{ month: string }>(client, query);
  return found.map(({ month }) => month);
}
