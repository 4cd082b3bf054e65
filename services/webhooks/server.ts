import type { EventsServiceService } from '#proto/saring/webhooks/v1/events.ts';
import type { Webhook, WebhooksServiceService } from '#proto/saring/webhooks/v1/webhooks.ts';
import { endUserHandlers } from '#shared/end-users/end-user-handlers.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { withDatabase } from '#shared/postgres/postgres-away.ts';
import type { createWebhooks } from './create-webhooks.ts';
import { toEvent } from './events/events.ts';
import type { WebhookRow } from './store/webhook-store.ts';

type WebhooksParts = ReturnType<typeof createWebhooks>;

const AWAY = 'Events and webhooks cannot be read or changed at the moment. Try again.';
const whileThere = <T>(work: () => Promise<T>) => withDatabase('data_unavailable', AWAY, work);

/** The gRPC handlers of webhooks. While the database is away, every call fails with data_unavailable. */
export function webhooksHandlers({
  webhooks,
}: Pick<WebhooksParts, 'webhooks'>): Handlers<WebhooksServiceService> {
  return {
    listWebhooks: (request) =>
      whileThere(async () => {
        const { rows, nextCursor } = await webhooks.list(request, request.api_key_id);
        return {
          webhooks: rows.map(toWebhook),
          count: rows.length,
          next_cursor: nextCursor,
          has_more: nextCursor !== undefined,
        };
      }),
  };
}

/** The gRPC handlers of events. `stopping` ends the streams. */
export function eventsHandlers({
  events,
  endUsers,
  stopping,
}: Pick<WebhooksParts, 'events' | 'endUsers'> & { stopping: AbortSignal }): Handlers<EventsServiceService> {
  return {
    ...endUserHandlers(endUsers, whileThere),
    listEvents: ({ limit, ...of }) =>
      whileThere(async () => {
        const page = await events.list(of, limit);
        return {
          events: page.events.map(toEvent),
          count: page.events.length,
          next_after: page.nextAfter,
          has_more: page.hasMore,
          missed: page.missed,
        };
      }),
    async *watchEvents(of, call) {
      const told = events.watch(of, AbortSignal.any([call.signal, stopping]));
      try {
        for (;;) {
          const next = await whileThere(() => told.next());
          if (next.done) return;
          const { sequence, event, missed } = next.value;
          yield { sequence, event: event && toEvent(event), missed };
        }
      } finally {
        await told.return(undefined);
      }
    },
  };
}

function toWebhook({ webhook_id, url }: WebhookRow): Webhook {
  return { webhook_id, url };
}
