import type { ClickHouseClient } from '#shared/clickhouse.ts';
import type { Logger } from '#shared/logger.ts';
import { ServiceError } from '#shared/service-error.ts';
import type { Position } from '../cursor.ts';
import { conditionsOf, type Conditions, type EventFilter } from './event-conditions.ts';
import { EVENT_COLUMNS, toLedgerEvent, type EventRow, type LedgerEvent } from './event-row.ts';

/** The contract's reader gets an answer within this time, if only that there is none. */
const DEADLINE_MS = 3_000;

/** A run has two rows until ClickHouse merges them, and more only when a batch was written twice. */
const ROWS_PER_EVENT = 4;
const WIDEN_BY = 16;

/** Reads `usage.event`. Every failure is usage_unavailable. */
export class Ledger {
  readonly #client: ClickHouseClient;
  readonly #log: Logger;

  constructor(client: ClickHouseClient, log: Logger) {
    this.#client = client;
    this.#log = log;
  }

  /**
   * The newest events that match and come after the position, at most `count`, newest first.
   *
   * FINAL reads all of a key's history, since it cannot go backwards. So the history is first walked backwards
   * without it, which stops after a few blocks, to find out from when on enough rows lie; FINAL then reads only
   * those. When too many of them turn out to be replaced ones, the slice is widened.
   */
  async newest(
    filter: EventFilter,
    after: Position | undefined,
    count: number,
    signal: AbortSignal,
  ): Promise<LedgerEvent[]> {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
    const conditions = conditionsOf(filter, after);
    for (let depth = count * ROWS_PER_EVENT; ; depth *= WIDEN_BY) {
      const sliceStart = await this.#timeOfRow(depth, conditions, ending);
      const events = await this.#eventsSince(sliceStart, conditions, count, ending);
      if (events.length === count || sliceStart === undefined) return events;
    }
  }

  /** One event of a key, undefined when there is none. */
  async find(apiKeyId: string, eventId: string, signal: AbortSignal): Promise<LedgerEvent | undefined> {
    const [row] = await this.#query<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM usage.event
       WHERE api_key_id = {api_key_id:String} AND event_id = {event_id:String}
       ORDER BY state_version DESC LIMIT 1`,
      { api_key_id: apiKeyId, event_id: eventId },
      AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
    );
    return row && toLedgerEvent(row);
  }

  /** Time of the row so many rows back, replaced rows counted; undefined when there are fewer. */
  async #timeOfRow(
    depth: number,
    { where, params }: Conditions,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const [row] = await this.#query<{ ts_ms: number }>(
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
    const rows = await this.#query<EventRow>(
      `SELECT ${EVENT_COLUMNS} FROM usage.event FINAL
       WHERE ${where} AND ts >= fromUnixTimestamp64Milli({slice_start:Int64}, 'UTC')
       ORDER BY ts DESC, event_id DESC LIMIT {count:UInt32}`,
      { ...params, slice_start: sliceStart ?? 0, count },
      signal,
    );
    return rows.map(toLedgerEvent);
  }

  async #query<Row>(query: string, params: Record<string, unknown>, signal: AbortSignal): Promise<Row[]> {
    try {
      const answer = await this.#client.query({
        query,
        query_params: params,
        format: 'JSONEachRow',
        abort_signal: signal,
        clickhouse_settings: {
          max_execution_time: DEADLINE_MS / 1_000,
          cancel_http_readonly_queries_on_client_close: 1,
          do_not_merge_across_partitions_select_final: 1,
          output_format_json_quote_64bit_integers: 0,
        },
      });
      return await answer.json<Row>();
    } catch (error) {
      this.#log.warn({ reason: (error as Error).message }, 'the usage ledger cannot be read');
      throw new ServiceError(
        'usage_unavailable',
        'The usage ledger cannot be read at the moment. Try again.',
        {
          cause: error,
        },
      );
    }
  }
}
