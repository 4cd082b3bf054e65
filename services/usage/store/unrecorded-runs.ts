import type { FindUnrecordedResponse, RunState } from '#proto/saring/usage/v1/usage.ts';
import type { RecordedStatus } from '#proto/saring/wire/v1/words.ts';
import { STATE_VERSION } from './ledger-row.ts';
import { withDeadline, type LedgerClient } from './ledger-client.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

/** A run that the ledger should have recorded in this state. */
export interface RunToFind extends RunState {
  ts: Date;
  status: RecordedStatus;
}

/** Ids of events that are absent, or recorded in an older state. */
type Unrecorded = Pick<FindUnrecordedResponse, 'missing' | 'stale'>;

interface LedgerReach {
  /** Days for which runs are kept; 0 keeps them for ever. */
  retentionDays: number;
  /** Runs that are kept; 0 keeps all. */
  ceilingRows: number;
}

/** A run that is about to expire need not be recorded again. */
const RETENTION_MARGIN_MS = 3_600_000;

/** Finds runs that `usage.event` should have recorded but has not. */
export class UnrecordedRuns {
  readonly #client: LedgerClient;
  readonly #reach: LedgerReach;

  constructor(client: LedgerClient, reach: LedgerReach) {
    this.#client = client;
    this.#reach = reach;
  }

  async find(runs: RunToFind[], signal: AbortSignal): Promise<Unrecorded> {
    const expected = runs.filter(({ ts }) => ts.getTime() >= this.#oldestKeptMs());
    if (expected.length === 0) return { missing: [], stale: [] };
    const ending = withDeadline(signal);
    const known = await this.#statesOf(expected, ending);
    const missing = expected.filter(({ event_id }) => !known.has(event_id));
    const stale = expected.filter((run) => isOlder(known.get(run.event_id), run.status));
    return { missing: idsOf(await this.#underCeiling(missing, ending)), stale: idsOf(stale) };
  }

  /** The uptime of the server that started last. */
  uptimeSeconds(signal: AbortSignal): Promise<number> {
    return this.#client.uptimeSeconds(withDeadline(signal));
  }

  #oldestKeptMs(): number {
    const { retentionDays } = this.#reach;
    return retentionDays === 0 ? -Infinity : Date.now() - retentionDays * DAY_MS + RETENTION_MARGIN_MS;
  }

  /** Recorded states by event id. Keys and times limit how much is read. */
  async #statesOf(runs: RunToFind[], signal: AbortSignal): Promise<Map<string, RecordedStatus>> {
    const moments = runs.map(({ ts }) => ts.getTime());
    const rows = await this.#client.query<{ event_id: string; status: RecordedStatus }>(
      `SELECT event_id, status FROM usage.event FINAL
       PREWHERE api_key_id IN {keys:Array(String)} AND event_id IN {ids:Array(String)}
         AND ts BETWEEN fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND fromUnixTimestamp64Milli({to:Int64}, 'UTC')`,
      {
        keys: [...new Set(runs.map(({ api_key_id }) => api_key_id))],
        ids: idsOf(runs),
        from: Math.min(...moments),
        to: Math.max(...moments),
      },
      signal,
    );
    return new Map(rows.map(({ event_id, status }) => [event_id, status]));
  }

  /**
   * Runs that the ceiling would keep if they were recorded: those younger than the oldest run it keeps now, and the
   * youngest ones while there is room.
   */
  async #underCeiling(missing: RunToFind[], signal: AbortSignal): Promise<RunToFind[]> {
    const { ceilingRows } = this.#reach;
    if (ceilingRows === 0 || missing.length === 0) return missing;
    const count = 'SELECT count() AS runs FROM usage.event FINAL';
    const runs = (await this.#client.query<{ runs: number }>(count, {}, signal))[0]!.runs;
    const [oldest] = await this.#client.query<{ ts_ms: number }>(
      `SELECT toUnixTimestamp64Milli(ts) AS ts_ms FROM usage.event FINAL
       ORDER BY ts DESC LIMIT 1 OFFSET {before:UInt32}`,
      { before: Math.max(0, Math.min(runs, ceilingRows) - 1) },
      signal,
    );
    const room = Math.max(0, ceilingRows - runs);
    const youngestFirst = missing.toSorted((a, b) => b.ts.getTime() - a.ts.getTime());
    return youngestFirst.filter(
      ({ ts }, index) => index < room || (oldest !== undefined && ts.getTime() > oldest.ts_ms),
    );
  }
}

function isOlder(known: RecordedStatus | undefined, wanted: RecordedStatus): boolean {
  return known !== undefined && known !== wanted && STATE_VERSION[known] <= STATE_VERSION[wanted];
}

function idsOf(runs: RunToFind[]): string[] {
  return runs.map(({ event_id }) => event_id);
}
