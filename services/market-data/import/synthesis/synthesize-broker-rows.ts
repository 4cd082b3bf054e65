import type { ClickHouseAddress } from '#shared/clickhouse/address.ts';
import type { ClickHouseClient } from '#shared/clickhouse/clickhouse.ts';
import { describeSegments, segmentName, type StoredBrokerRows } from '../broker/broker-segments.ts';
import type { Progress } from '../progress.ts';
import { runMonthThreads } from './month-threads.ts';

/** Which broker rows to make up. */
interface SynthesisToRun {
  /** Its bars and its broker table are stored, and it is not published. */
  version: string;
  seed: number;
  /** Months `YYYY-MM` to generate; all of the version's when absent. */
  months?: readonly string[];
  /** Segments of another version, of months that are not generated. */
  keptSegments?: readonly string[];
}

export type SynthesizeBrokerRows = (
  wanted: SynthesisToRun,
  progress: Progress,
  signal: AbortSignal,
) => Promise<StoredBrokerRows>;

/**
 * Makes up broker rows that add up to the bars of a version, and stores them, a segment a month. Threads of their own
 * do the work; they have ended when this returns, also when it fails or `signal` aborts. What they stored by then goes
 * with the version, which is not published.
 */
export function brokerSynthesis(
  clickhouseAt: ClickHouseAddress,
  client: ClickHouseClient,
): SynthesizeBrokerRows {
  return async ({ version, seed, months, keptSegments = [] }, progress, signal) => {
    progress.step = 'generating broker rows';
    progress.rowsRead = 0;
    const tasks = (months ?? (await monthsOf(client, version))).map((month) => ({
      month,
      segment: segmentName(month, version),
    }));
    const count = (more: number) => void (progress.rowsRead += more);
    await runMonthThreads(tasks, { clickhouseAt, version, seed }, count, signal);
    const segments = [...keptSegments, ...tasks.map(({ segment }) => segment)];
    return { broker_data: 'synthetic', broker_seed: seed, ...(await describeSegments(client, segments)) };
  };
}

async function monthsOf(client: ClickHouseClient, version: string): Promise<string[]> {
  const answer = await client.query({
    query: `SELECT DISTINCT formatDateTime(date, '%Y-%m') AS month FROM market.daily_bar
            WHERE dataset_version = {version:String} ORDER BY month`,
    query_params: { version },
    format: 'JSONEachRow',
  });
  return (await answer.json<{ month: string }>()).map(({ month }) => month);
}
