import type { ScreenRunRecorded } from '#proto/saring/events/v1/usage.ts';
import type { SummarizeAllScreenRunsResponse } from '#proto/saring/usage/v1/usage.ts';
import type { ScreenGrouping } from '#proto/saring/wire/v1/words.ts';
import { conditionsOf, type EventFilter, type EventPosition, type RecordedRuns } from './event-conditions.ts';
import { withDeadline, type LedgerClient } from './ledger-client.ts';

export type ScreenRun = ScreenRunRecorded & { ts: Date };

/** An end user can have thousands of screens, and a key millions of end users. */
const MAX_GROUPS = 1_000;

const COLUMNS = `event_id, toUnixTimestamp64Milli(ts) AS ts_ms, api_key_id, end_user, kind, screen_id, version, rules_text,
  as_of, matched, duration_seconds, dataset_version, request_id`;

/** Reads `usage.screen_run`. */
export class ScreenRunLedger implements RecordedRuns<ScreenRun> {
  readonly #client: LedgerClient;

  constructor(client: LedgerClient) {
    this.#client = client;
  }

  async newest(
    filter: EventFilter,
    after: EventPosition | undefined,
    count: number,
    signal: AbortSignal,
  ): Promise<ScreenRun[]> {
    const { lasting, params } = conditionsOf(filter, after);
    // A message is hardly ever delivered twice, so one row for each event is read instead of FINAL, which cannot read backwards.
    const rows = await this.#client.query<Omit<ScreenRun, 'ts'> & { ts_ms: number }>(
      `SELECT ${COLUMNS} FROM usage.screen_run PREWHERE ${lasting}
       ORDER BY ts DESC, event_id DESC LIMIT 1 BY event_id LIMIT {count:UInt32}`,
      { ...params, count },
      withDeadline(signal),
    );
    return rows.map(({ ts_ms, ...run }) => ({ ...run, ts: new Date(ts_ms) }));
  }

  async count(filter: EventFilter, signal: AbortSignal): Promise<number> {
    const { lasting, params } = conditionsOf(filter);
    const [counted] = await this.#client.query<{ runs: number }>(
      `SELECT uniqExact(event_id) AS runs FROM usage.screen_run PREWHERE ${lasting}`,
      params,
      withDeadline(signal),
    );
    return counted!.runs;
  }

  /** Groups with most runs first; days newest first. `total_runs` includes groups beyond the first thousand. */
  async byGroup(
    filter: EventFilter,
    grouping: ScreenGrouping,
    signal: AbortSignal,
  ): Promise<Omit<SummarizeAllScreenRunsResponse, 'group_by'>> {
    const { lasting, params } = conditionsOf(filter);
    const owner = grouping === 'end_user' && filter.of === 'every key' ? 'api_key_id' : 'NULL';
    const found = await this.#client.query<GroupRow>(
      `SELECT toString(${GROUPINGS[grouping]}) AS key, ${owner} AS owner, count() AS runs,
         round(avg(duration_seconds), 6) AS avg_duration_seconds, toUnixTimestamp64Milli(max(ts)) AS last_ms,
         sum(runs) OVER () AS total_runs
       FROM usage.screen_run FINAL PREWHERE ${lasting} GROUP BY key, owner
       ORDER BY ${grouping === 'day' ? 'key DESC' : 'runs DESC, key, owner'} LIMIT ${MAX_GROUPS}`,
      params,
      withDeadline(signal),
    );
    const rows = found.map(({ owner: api_key_id, last_ms, total_runs: _, ...group }) => ({
      ...group,
      api_key_id: api_key_id ?? undefined,
      last_run_at: new Date(last_ms),
    }));
    return { total_runs: found[0]?.total_runs ?? 0, rows };
  }
}

interface GroupRow {
  key: string;
  owner: string | null;
  runs: number;
  avg_duration_seconds: number;
  last_ms: number;
  total_runs: number;
}

/** The SQL expression that each grouping groups by. */
const GROUPINGS: Record<ScreenGrouping, string> = {
  screen: 'screen_id',
  end_user: 'end_user',
  kind: 'kind',
  day: `toDate(ts, 'Asia/Jakarta')`,
  api_key: 'api_key_id',
};
