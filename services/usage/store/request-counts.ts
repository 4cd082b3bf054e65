import type { RequestCount, RequestGroup } from '#proto/saring/usage/v1/usage.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import { columnTime } from './ledger-row.ts';
import { conditionsOf, type EventFilter } from './event-conditions.ts';
import { withDeadline, type LedgerClient } from './ledger-client.ts';
import type { LedgerWriter } from './ledger-writer.ts';

/** The API has a hundred operations, each with a few outcomes. */
const MAX_GROUPS = 1_000;

/** Writes and reads `usage.request`. */
export class RequestCounts {
  readonly #client: LedgerClient;
  readonly #writer: LedgerWriter;

  constructor(client: LedgerClient, writer: LedgerWriter) {
    this.#client = client;
    this.#writer = writer;
  }

  /**
   * Returns once the counts are stored. A batch that is sent again, with the same id and counts, is stored once.
   * @throws ServiceError usage_unavailable
   */
  async record(batchId: string, counts: readonly RequestCount[]): Promise<void> {
    const rows = counts.map(({ minute, last_at, code = '', ...count }, place) => ({
      ...count,
      code,
      event_id: `${batchId}.${place}`,
      ts: columnTime(minute),
      last_at: columnTime(last_at),
    }));
    if (rows.length === 0) return;
    await this.#writer.insert(rows).catch((cause: unknown) => {
      throw new ServiceError('usage_unavailable', 'Requests cannot be counted at the moment. Try again.', {
        cause,
      });
    });
  }

  /**
   * Groups with the most requests first.
   * @throws ServiceError usage_unavailable
   */
  async byOutcome(filter: EventFilter, signal: AbortSignal): Promise<RequestGroup[]> {
    const { lasting, params } = conditionsOf(filter);
    const rows = await this.#client.query<GroupRow>(
      `SELECT operation_id, status, code, sum(request.requests) AS requests,
         round(sum(total_ms) / requests, 3) AS mean_ms, round(max(request.slowest_ms), 3) AS slowest_ms,
         toUnixTimestamp64Milli(max(request.last_at)) AS last_ms,
         argMax(request.last_request_id, request.last_at) AS last_request_id
       FROM usage.request FINAL PREWHERE ${lasting} GROUP BY operation_id, status, code
       ORDER BY requests DESC, operation_id, status, code LIMIT ${MAX_GROUPS}`,
      params,
      withDeadline(signal),
    );
    return rows.map(({ operation_id, code, last_ms, ...group }) => ({
      ...group,
      operation_id: operation_id || undefined,
      code: code || undefined,
      last_at: new Date(last_ms),
    }));
  }
}

/** Empty texts stand for what is absent. */
type GroupRow = Omit<Required<RequestGroup>, 'last_at'> & { last_ms: number };
