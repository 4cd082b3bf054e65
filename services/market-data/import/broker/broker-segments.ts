import type { Dataset } from '#proto/saring/market_data/v1/datasets.ts';
import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { clickhouseRows } from '#platform/clickhouse/rows.ts';
import { monthOf, segmentName } from '../staging/stored-names.ts';
import type { DraftVersion } from '../merging/draft-version.ts';

/** What a dataset states about its stored broker rows. */
export type StoredBrokerRows = Pick<
  Dataset,
  'broker_data' | 'broker_rows' | 'broker_first_date' | 'broker_last_date' | 'broker_segments' | 'broker_seed'
>;

export const NO_BROKER_ROWS: StoredBrokerRows = {
  broker_data: 'none',
  broker_rows: 0,
  broker_first_date: '',
  broker_last_date: '',
  broker_segments: [],
};

export async function keepBrokerRows(
  client: ClickHouseClient,
  { version, base, quietDays }: Pick<DraftVersion, 'version' | 'quietDays'> & { base: Dataset },
): Promise<StoredBrokerRows> {
  const segments = await keepSegments(client, { version, quietDays, segments: base.broker_segments });
  const { broker_data, broker_rows, broker_first_date, broker_last_date } = base;
  if (segments.every((segment) => base.broker_segments.includes(segment)))
    return { broker_data, broker_rows, broker_first_date, broker_last_date, broker_segments: segments };
  return { broker_data, ...(await describeSegments(client, segments)) };
}

/**
 * The base's segments for a version. Days that lost their bars lose their broker rows too: segments of their months are
 * written again without these days. All others are shared.
 */
export async function keepSegments(
  client: ClickHouseClient,
  wanted: { version: string; quietDays: string[]; segments: string[] },
): Promise<string[]> {
  const { version, quietDays } = wanted;
  const segments: string[] = [];
  for (const segment of wanted.segments) {
    const isTouched = quietDays.some((day) => segment.startsWith(day.slice(0, 7)));
    const renewed = isTouched ? segmentName(monthOf(segment), version) : segment;
    if (isTouched) await copyWithout(client, { segment, renewed, quietDays });
    segments.push(renewed);
  }
  return segments;
}

async function copyWithout(
  client: ClickHouseClient,
  params: { segment: string; renewed: string; quietDays: string[] },
): Promise<void> {
  await client.command({
    query: `INSERT INTO market.broker_flow SELECT {renewed:String}, * EXCEPT segment
            FROM market.broker_flow
            WHERE segment = {segment:String} AND NOT has({quietDays:Array(Date)}, date)`,
    query_params: params,
  });
}

/** Computes what a dataset states about its broker rows. Segments without rows are left out. */
export async function describeSegments(
  client: ClickHouseClient,
  segments: string[],
): Promise<Omit<StoredBrokerRows, 'broker_data'>> {
  const query = `SELECT toString(segment) AS segment, toUInt32(count()) AS rows
    FROM market.broker_flow WHERE segment IN {segments:Array(String)}
    GROUP BY segment ORDER BY segment`;
  const found = await clickhouseRows<{ segment: string; rows: number }>(client, query, { segments });
  const broker_segments = found.map(({ segment }) => segment);
  return {
    broker_rows: found.reduce((sum, { rows }) => sum + rows, 0),
    ...(await spanOf(client, broker_segments)),
    broker_segments,
  };
}

/** The first and the last day of segments in order. Only their months are read: the rows between them are a hundred times as many. */
async function spanOf(
  client: ClickHouseClient,
  segments: readonly string[],
): Promise<Pick<StoredBrokerRows, 'broker_first_date' | 'broker_last_date'>> {
  const months = segments.map(monthOf);
  const ends = segments.filter((_, i) => months[i] === months[0] || months[i] === months.at(-1));
  const query = `SELECT if(count() = 0, '', toString(min(date))) AS broker_first_date,
      if(count() = 0, '', toString(max(date))) AS broker_last_date
    FROM market.broker_flow WHERE segment IN {ends:Array(String)}`;
  const [row] = await clickhouseRows<Pick<StoredBrokerRows, 'broker_first_date' | 'broker_last_date'>>(
    client,
    query,
    { ends },
  );
  return row!;
}
