import type { UsageEvent } from '#proto/saring/usage/v1/usage.ts';
import {
  conditionsOf,
  type Conditions,
  type EventFilter,
  type EventPosition,
  type RecordedRuns,
} from './event-conditions.ts';
import { withDeadline, type LedgerClient } from './ledger-client.ts';

/** One recorded run in its latest state. Fields are named like the columns. */
export interface LedgerEvent extends Omit<UsageEvent, 'summary'> {
  ts: Date;
  params: Record<string, unknown>;
  /** Null unless the run succeeded. */
  pick_count: number | null;
  tickers: string[];
  target_date: string | null;
}

const EVENT_COLUMNS = `event_id, toUnixTimestamp64Milli(ts) AS ts_ms, channel, actor, api_key_id, end_user,
  model_id, params, status, duration_seconds, pick_count, tickers, target_date, job_id, request_id`;

/** A LedgerEvent as ClickHouse returns it in JSON. */
type EventRow = Omit<LedgerEvent, 'ts' | 'params'> & { ts_ms: number; params: string };

/** A run has two rows until ClickHouse merges them. It has more only if a batch was written twice. */
const ROWS_PER_EVENT = 2;
const WIDEN_BY = 32;

interface Slice {
  events: LedgerEvent[];
  isWholeHistory: boolean;
}

/** Reads single events of `usage.event`. */
export class Ledger implements RecordedRuns<LedgerEvent> {
  readonly #client: LedgerClient;

  constructor(client: LedgerClient) {
    this.#client = client;
  }

  /**
   * FINAL cannot read backwards, so it would read the whole matching history. Therefore it reads only the newest slice,
   * and a wider one if too many rows of the slice turn out to be replaced.
   */
  async newest(
    filter: EventFilter,
    after: EventPosition | undefined,
    count: number,
    signal: AbortSignal,
  ): Promise<LedgerEvent[]> {
    const ending = withDeadline(signal);
    const conditions = conditionsOf(filter, after);
    for (let depth = count * ROWS_PER_EVENT; ; depth *= WIDEN_BY) {
      const { events, isWholeHistory } = await this.#newestOfSlice(depth, conditions, count, ending);
      if (events.length === count || isWholeHistory) return events;
    }
  }

  async count(filter: EventFilter, signal: AbortSignal): Promise<number> {
    const { lasting, passing, params } = conditionsOf(filter);
    const [counted] = await this.#client.query<{ events: number }>(
      `SELECT uniqExact(event_id) AS events FROM usage.event PREWHERE ${lasting} WHERE ${passing}`,
      params,
      withDeadline(signal),
    );
    return counted!.events;
  }

  async find(apiKeyId: string, eventId: string, signal: AbortSignal): Promise<LedgerEvent | undefined> {
    const [row] = await this.#client.query<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM usage.event
       WHERE api_key_id = {api_key_id:String} AND event_id = {event_id:String}
       ORDER BY state_version DESC LIMIT 1`,
      { api_key_id: apiKeyId, event_id: eventId },
      withDeadline(signal),
    );
    return row && toLedgerEvent(row);
  }

  /**
   * The slice starts at the time of the row `depth` rows back, including replaced rows. Finding that row takes a few
   * blocks, because a backwards scan without FINAL is possible. With fewer rows, the slice is the whole history.
   */
  async #newestOfSlice(
    depth: number,
    conditions: Conditions,
    count: number,
    signal: AbortSignal,
  ): Promise<Slice> {
    const { lasting, passing, params } = conditions;
    const rows = await this.#client.query<EventRow & { is_all: 0 | 1 }>(
      `WITH (SELECT ts FROM usage.event PREWHERE ${lasting} WHERE ${passing}
         ORDER BY ts DESC LIMIT 1 OFFSET {depth:UInt64}) AS slice_start
       SELECT ${EVENT_COLUMNS}, slice_start IS NULL AS is_all FROM usage.event FINAL
       PREWHERE ${lasting} AND ts >= ifNull(slice_start, toDateTime64(0, 3, 'UTC')) WHERE ${passing}
       ORDER BY ts DESC, event_id DESC LIMIT {count:UInt32}`,
      { ...params, count, depth },
      signal,
    );
    const events = rows.map(({ is_all: _isAll, ...row }) => toLedgerEvent(row));
    const [first] = rows;
    // If the slice is empty, the query does not tell how far back it reached.
    const isWholeHistory = first ? first.is_all === 1 : !(await this.#hasRow(depth, conditions, signal));
    return { events, isWholeHistory };
  }

  /** Whether more than `depth` rows match, including replaced ones. */
  async #hasRow(
    depth: number,
    { lasting, passing, params }: Conditions,
    signal: AbortSignal,
  ): Promise<boolean> {
    const found = await this.#client.query(
      `SELECT 1 FROM usage.event PREWHERE ${lasting} WHERE ${passing} LIMIT 1 OFFSET {depth:UInt64}`,
      { ...params, depth },
      signal,
    );
    return found.length > 0;
  }
}

function toLedgerEvent({ ts_ms, params, ...event }: EventRow): LedgerEvent {
  return { ...event, ts: new Date(ts_ms), params: JSON.parse(params) as Record<string, unknown> };
}
