import type { Position } from '../cursor.ts';
import { conditionsOf, type Conditions, type EventFilter } from './event-conditions.ts';
import { EVENT_COLUMNS, toLedgerEvent, type EventRow, type LedgerEvent } from './event-row.ts';
import { withDeadline, type LedgerClient } from './ledger-client.ts';

/** A run has two rows until ClickHouse merges them, and more only when a batch was written twice. */
const ROWS_PER_EVENT = 4;
const WIDEN_BY = 16;

/** Reads single events of `usage.event`. */
export class Ledger {
  readonly #client: LedgerClient;

  constructor(client: LedgerClient) {
    this.#client = client;
  }

  /**
   * The newest events that match and come after the position, at most `count`, newest first.
   *
   * FINAL reads all of the history in question, since it cannot go backwards. So the history is first walked
   * backwards without it, which stops after a few blocks, to find out from when on enough rows lie; FINAL then reads
   * only those. When too many of them turn out to be replaced ones, the slice is widened.
   */
  async newest(
    filter: EventFilter,
    after: Position | undefined,
    count: number,
    signal: AbortSignal,
  ): Promise<LedgerEvent[]> {
    const ending = withDeadline(signal);
    const conditions = conditionsOf(filter, after);
    for (let depth = count * ROWS_PER_EVENT; ; depth *= WIDEN_BY) {
      const sliceStart = await this.#timeOfRow(depth, conditions, ending);
      const events = await this.#eventsSince(sliceStart, conditions, count, ending);
      if (events.length === count || sliceStart === undefined) return events;
    }
  }

  /** One event of a key, undefined when there is none. */
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

  /** Time of the row so many rows back, replaced rows counted; undefined when there are fewer. */
  async #timeOfRow(
    depth: number,
    { where, params }: Conditions,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const [row] = await this.#client.query<{ ts_ms: number }>(
      `SELECT toUnixTimestamp64Milli(ts) AS ts_ms FROM usage.event WHERE ${where}
       ORDER BY ts DESC LIMIT 1 OFFSET {depth:UInt32}`,
      { ...params, depth },
      signal,
    );
    return row?.ts_ms;
  }

  async #eventsSince(
    sliceStart: number | undefined,
    { where, params }: Conditions,
    count: number,
    signal: AbortSignal,
  ): Promise<LedgerEvent[]> {
    const rows = await this.#client.query<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM usage.event FINAL
       WHERE ${where} AND ts >= fromUnixTimestamp64Milli({slice_start:Int64}, 'UTC')
       ORDER BY ts DESC, event_id DESC LIMIT {count:UInt32}`,
      { ...params, slice_start: sliceStart ?? 0, count },
      signal,
    );
    return rows.map(toLedgerEvent);
  }
}
