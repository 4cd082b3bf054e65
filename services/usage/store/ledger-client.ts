import type { ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { rowsOfEveryNode } from '#platform/clickhouse/cluster.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';

/** Deadline for every read. The caller gets a response or an error within this time. */
export const DEADLINE_MS = 3_000;

/** The caller's signal, combined with the read deadline. */
export function withDeadline(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
}

/** Queries `usage.event`. ClickHouse stops working on the query after `deadlineMs`. */
export async function askLedger<Row>(
  client: ClickHouseClient,
  query: string,
  params: Record<string, unknown>,
  { signal, deadlineMs }: { signal: AbortSignal; deadlineMs: number },
): Promise<Row[]> {
  const response = await client.query({
    query,
    query_params: params,
    format: 'JSONEachRow',
    abort_signal: signal,
    clickhouse_settings: {
      max_execution_time: deadlineMs / 1_000,
      cancel_http_readonly_queries_on_client_close: 1,
      // Both states of a run are in one partition, so months that are already merged need no FINAL.
      do_not_merge_across_partitions_select_final: 1,
      output_format_json_quote_64bit_integers: 0,
    },
  });
  return response.json<Row>();
}

/** Queries `usage.event` for readers. Every failure becomes usage_unavailable. */
export class LedgerClient {
  readonly #client: ClickHouseClient;
  readonly #log: Logger;

  constructor(client: ClickHouseClient, log: Logger) {
    this.#client = client;
    this.#log = log;
  }

  query<Row>(query: string, params: Record<string, unknown>, signal: AbortSignal): Promise<Row[]> {
    return this.#orUnavailable(
      askLedger<Row>(this.#client, query, params, { signal, deadlineMs: DEADLINE_MS }),
    );
  }

  /** The uptime of the server that started last. */
  async uptimeSeconds(signal: AbortSignal): Promise<number> {
    const query = 'SELECT uptime() AS seconds';
    const requested = rowsOfEveryNode<{ seconds: number }>(this.#client, { query, abort_signal: signal });
    return Math.min(...(await this.#orUnavailable(requested)).map(({ seconds }) => seconds));
  }

  async #orUnavailable<T>(response: Promise<T>): Promise<T> {
    try {
      return await response;
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
