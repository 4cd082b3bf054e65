import type { UsageEvent, UsageServiceService } from '#proto/saring/usage/v1/usage.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import type { LedgerEvent } from './store/event-row.ts';
import type { UsageHistory } from './usage-history.ts';

/** The gRPC face of the usage service. */
export function usageHandlers(history: UsageHistory): Handlers<UsageServiceService> {
  return {
    listEvents: async (request, { signal }) => {
      const { limit, cursor } = request;
      const filter = {
        apiKeyId: request.api_key_id,
        endUser: request.end_user,
        modelId: request.model_id,
        status: request.status,
        since: request.since,
        until: request.until,
      };
      const { events, nextCursor } = await history.list(filter, { limit, cursor }, signal);
      return { events: events.map(toUsageEvent), next_cursor: nextCursor };
    },
    getEvent: async ({ api_key_id, event_id }, { signal }) => ({
      event: toUsageEvent(await history.get(api_key_id, event_id, signal)),
    }),
  };
}

/**
 * Every event has a summary, as the contract says; a run that has not succeeded has no picks on the day it is to
 * analyse, which stands in its parameters. The ledger itself tells no picks from no success: there the count is null.
 */
function toUsageEvent({ pick_count, tickers, target_date, ...event }: LedgerEvent): UsageEvent {
  const day = target_date ?? event.params['analysis_date'];
  const summary =
    typeof day === 'string' ? { pick_count: pick_count ?? 0, tickers, target_date: day } : undefined;
  return { ...event, summary };
}
