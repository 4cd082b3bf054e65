import { conditionsOf, type EventFilter } from './event-conditions.ts';
import type {
  EndUser,
  KeyUsage,
  SummarizeAllUsageResponse,
  UsageGroup,
} from '#proto/saring/usage/v1/usage.ts';
import type { Grouping } from '#proto/saring/wire/v1/words.ts';
import { withDeadline, type LedgerClient } from './ledger-client.ts';

/** Limits answers grouped by something that can have millions of values: end users, or actors of a chat. */
const MAX_GROUPS = 1_000;

const OUTCOMES = `countIf(status = 'succeeded') AS succeeded, countIf(status = 'failed') AS failed`;
const FIRST_MS = 'toUnixTimestamp64Milli(min(ts)) AS first_ms';
const LAST_MS = 'toUnixTimestamp64Milli(max(ts)) AS last_ms';

/**
 * Counts the runs of `usage.event`, each once and in its latest state. Every method throws usage_unavailable if the
 * ledger cannot be read.
 */
export class UsageCounts {
  readonly #client: LedgerClient;

  constructor(client: LedgerClient) {
    this.#client = client;
  }

  /** Groups with most runs first; days newest first. `total_runs` includes groups beyond the first thousand. */
  async byGroup(
    filter: EventFilter,
    grouping: Grouping,
    signal: AbortSignal,
  ): Promise<Omit<SummarizeAllUsageResponse, 'group_by'>> {
    const { lasting, passing, params } = conditionsOf(filter);
    // An end user's id is scoped to its key: the same id under another key is a different person.
    const owner = grouping === 'end_user' && filter.of === 'every key' ? 'api_key_id' : 'NULL';
    const rows = await this.#client.query<GroupRow>(
      `SELECT toString(${GROUPINGS[grouping]}) AS key, ${owner} AS owner, count() AS runs, ${OUTCOMES},
         round(avgOrNullIf(duration_seconds, status != 'started'), 3) AS avg_duration_seconds, ${LAST_MS},
         sum(runs) OVER () AS total_runs
       FROM usage.event FINAL PREWHERE ${lasting} WHERE ${passing} GROUP BY key, owner
       ORDER BY ${grouping === 'day' ? 'key DESC' : 'runs DESC, key, owner'} LIMIT ${MAX_GROUPS}`,
      params,
      withDeadline(signal),
    );
    return { total_runs: rows[0]?.total_runs ?? 0, groups: rows.map(toRunGroup) };
  }

  /** Most recently seen first. */
  async byEndUser(filter: EventFilter, limit: number, signal: AbortSignal): Promise<EndUser[]> {
    const { lasting, passing, params } = conditionsOf(filter);
    const rows = await this.#client.query<Moments<EndUser>>(
      `SELECT end_user, api_key_id, count() AS runs, ${FIRST_MS}, ${LAST_MS},
         arraySort(groupUniqArray(model_id)) AS models
       FROM usage.event FINAL PREWHERE ${lasting} WHERE ${passing} GROUP BY end_user, api_key_id
       ORDER BY last_ms DESC, end_user, api_key_id LIMIT {limit:UInt32}`,
      { ...params, limit },
      withDeadline(signal),
    );
    return rows.map(({ first_ms, last_ms, ...row }) => ({
      ...row,
      first_seen: new Date(first_ms),
      last_seen: new Date(last_ms),
    }));
  }

  /** Most runs first. */
  async byKey(filter: EventFilter, signal: AbortSignal): Promise<KeyUsage[]> {
    const { lasting, passing, params } = conditionsOf(filter);
    const rows = await this.#client.query<Moments<KeyUsage>>(
      `SELECT api_key_id, count() AS runs, ${OUTCOMES}, uniqExact(end_user) AS end_users, ${FIRST_MS}, ${LAST_MS}
       FROM usage.event FINAL PREWHERE ${lasting} WHERE ${passing} GROUP BY api_key_id ORDER BY runs DESC, api_key_id`,
      params,
      withDeadline(signal),
    );
    return rows.map(({ first_ms, last_ms, ...row }) => ({
      ...row,
      first_run_at: new Date(first_ms),
      last_run_at: new Date(last_ms),
    }));
  }
}

/** A row in which times are milliseconds since 1970. */
type Moments<Row> = Omit<Row, 'first_seen' | 'last_seen' | 'first_run_at' | 'last_run_at'> & {
  first_ms: number;
  last_ms: number;
};

interface GroupRow extends Pick<UsageGroup, 'key' | 'runs' | 'succeeded' | 'failed'> {
  owner: string | null;
  avg_duration_seconds: number | null;
  last_ms: number;
  total_runs: number;
}

function toRunGroup({ owner, last_ms, avg_duration_seconds, total_runs: _, ...group }: GroupRow): UsageGroup {
  return {
    ...group,
    api_key_id: owner ?? undefined,
    avg_duration_seconds: avg_duration_seconds ?? undefined,
    last_run_at: new Date(last_ms),
  };
}

/** The SQL expression that each grouping groups by. */
export const GROUPINGS: Record<Grouping, string> = {
  model: 'model_id',
  end_user: 'end_user',
  status: 'status',
  channel: 'channel',
  day: `toDate(ts, 'Asia/Jakarta')`,
  api_key: 'api_key_id',
  actor: 'actor',
};
