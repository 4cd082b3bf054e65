import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { Clock } from '#shared/clock.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { DatasetStore } from '../store/dataset-store.ts';
import { dropVersion } from '../store/leftovers.ts';
import { barsSql } from './bars-sql.ts';
import type { Staging } from './staging.ts';
import type { StoreBrokerRows } from './stored-broker-rows.ts';

export type Origin = Pick<Dataset, 'kind' | 'source' | 'fingerprint'>;

/** The whole of a refused line can be any size; the start of it is enough to find the mistake. */
const MAX_TEXT_LENGTH = 500;

/**
 * Stores the cleaned rows under a new version and publishes it with one last insert. A failure before that insert
 * leaves nothing behind.
 * @throws ServiceError import_rejected when no row may stay
 */
export async function publish(
  { client, store, clock }: { client: ClickHouseClient; store: DatasetStore; clock: Clock },
  staging: Staging,
  origin: Origin,
  storeBrokerRows: StoreBrokerRows,
): Promise<Dataset> {
  const kept = await countKept(client, staging);
  const published = await store.list();
  const version = nextVersion(origin.kind, kept.lastDate, published);
  const stored = await storeRows(client, staging, version, kept.bars);
  const publishedAt = Math.max(clock().getTime(), (published[0]?.published_at?.getTime() ?? 0) + 1);
  const brokers = await storeBrokerRows(version).catch(async (error: unknown) => {
    await dropVersion(client, version);
    throw error;
  });
  const dataset = { version, ...origin, ...stored, ...brokers, published_at: new Date(publishedAt) };
  try {
    await store.insert(dataset);
  } catch (error) {
    // The answer may have been lost and not the row: then the version is published, and its rows must stay.
    const isPublished = (await store.list()).some((other) => other.version === version);
    if (!isPublished) {
      await dropVersion(client, version);
      throw error;
    }
  }
  return dataset;
}

/** `real-20240628-1`: kind, last day, and a number that no published version of that kind and day has. */
export function nextVersion(kind: string, lastDate: string, published: Pick<Dataset, 'version'>[]): string {
  const prefix = `${kind}-${lastDate.replaceAll('-', '')}-`;
  const numbers = published
    .filter(({ version }) => version.startsWith(prefix))
    .map(({ version }) => Number(version.slice(prefix.length)));
  return `${prefix}${Math.max(0, ...numbers) + 1}`;
}

async function countKept(client: ClickHouseClient, { rows, refused }: Staging) {
  const answer = await client.query({
    query: `SELECT toUInt32(countIf(kept)) AS bars, toUInt32(count()) AS staged,
              toString(toDate(maxIf(date, kept))) AS lastDate
            FROM (SELECT date, reason = '' AND (file, line) NOT IN (SELECT file, line FROM ${refused}) AS kept
                  FROM ${rows})`,
    format: 'JSONEachRow',
  });
  const [kept] = await answer.json<{ bars: number; staged: number; lastDate: string }>();
  if (kept!.staged === 0) throw new ServiceError('import_rejected', 'The upload has no bars.');
  if (kept!.bars > 0) return kept!;
  const first = await firstRefused(client, refused);
  throw new ServiceError(
    'import_rejected',
    `None of the ${kept!.staged} rows can be used; the first is refused at ${first.file}:${first.line}: ${first.reason}.`,
  );
}

async function firstRefused(client: ClickHouseClient, refused: string) {
  const answer = await client.query({
    query: `SELECT file, line, reason FROM ${refused} ORDER BY file, line LIMIT 1`,
    format: 'JSONEachRow',
  });
  return (await answer.json<{ file: string; line: number; reason: string }>())[0]!;
}

async function storeRows(client: ClickHouseClient, staging: Staging, version: string, expectedBars: number) {
  try {
    await insertRows(client, staging, version);
    const stored = await describe(client, version);
    if (stored.bars === expectedBars) return stored;
    throw new Error(`${version}: ${stored.bars} bars are stored, ${expectedBars} should be`);
  } catch (error) {
    await dropVersion(client, version);
    throw error;
  }
}

async function insertRows(client: ClickHouseClient, staging: Staging, version: string): Promise<void> {
  const { rows, refused, listing } = staging;
  // What an unpublished version of the same name may have left, had its clean-up failed.
  await dropVersion(client, version);
  for (const query of [
    `INSERT INTO market.daily_bar ${barsSql(staging)}`,
    `INSERT INTO market.listing
     SELECT {version:String}, ticker, argMin(name, rank), max(sector), argMin(board, rank),
       argMin(listed_on, rank)
     FROM (SELECT *, (sector != '', file) AS rank FROM ${listing}) GROUP BY ticker`,
    `INSERT INTO market.rejected_row
     SELECT {version:String}, file, line, why.reason, toValidUTF8(substringUTF8(text, 1, ${MAX_TEXT_LENGTH}))
     FROM ${rows} AS row INNER JOIN ${refused} AS why USING (file, line)
     WHERE (file, line) IN (SELECT file, line FROM ${refused})`,
  ]) {
    await client.command({ query, query_params: { version } });
  }
}

async function describe(client: ClickHouseClient, version: string) {
  const answer = await client.query({
    query: `SELECT toString(min(date)) AS first_date, toString(max(date)) AS last_date,
              toUInt32(uniqExact(date)) AS trading_days, toUInt32(uniqExact(ticker)) AS tickers,
              toUInt32(count()) AS bars,
              (SELECT toUInt32(count()) FROM market.rejected_row WHERE dataset_version = {version:String})
                AS rejected_rows
            FROM market.daily_bar WHERE dataset_version = {version:String}`,
    query_params: { version },
    format: 'JSONEachRow',
  });
  type Description = Pick<
    Dataset,
    'first_date' | 'last_date' | 'trading_days' | 'tickers' | 'bars' | 'rejected_rows'
  >;
  return (await answer.json<Description>())[0]!;
}
