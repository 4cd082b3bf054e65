import type { EventsServiceService } from '#proto/saring/webhooks/v1/events.ts';
import type { Delivery, Webhook, WebhooksServiceService } from '#proto/saring/webhooks/v1/webhooks.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { aboutPage } from '#platform/paging/pages.ts';
import { allWithDatabase, withDatabase } from '#platform/postgres/postgres-unavailable.ts';
import { withoutNulls } from '#shared/without-nulls.ts';
import type { createWebhooks } from './create-webhooks.ts';
import type { TestEvent } from './dispatch/payload.ts';
import { toEvent } from './events/events.ts';
import type { ShownDelivery } from './store/delivery-store.ts';
import type { ShownWebhook } from './store/webhook-store.ts';

type WebhooksParts = ReturnType<typeof createWebhooks>;

const UNAVAILABLE = 'Events and webhooks cannot be read or changed at the moment. Try again.';
/** While the database is unavailable, work fails with data_unavailable. */
export const whileThere = <T>(work: () => Promise<T>) => withDatabase('data_unavailable', UNAVAILABLE, work);

/** The gRPC handlers of webhooks. While the database is unavailable, every call fails with data_unavailable. */
export function webhooksHandlers({
  webhooks,
  deliveries,
}: Pick<WebhooksParts, 'webhooks' | 'deliveries'>): Handlers<WebhooksServiceService> {
  return allWithDatabase<Handlers<WebhooksServiceService>>('data_unavailable', UNAVAILABLE, {
    createWebhook: async (request) => {
      const { webhook, secret } = await webhooks.create(request, request.api_key_id);
      return { webhook: toWebhook(webhook), secret };
    },
    listWebhooks: async (request) => {
      const page = await webhooks.list(request, request.api_key_id);
      return { webhooks: page.rows.map(toWebhook), ...aboutPage(page) };
    },
    getWebhook: async (own) => ({ webhook: toWebhook(await webhooks.get(own)) }),
    replaceWebhook: async (request) => ({ webhook: toWebhook(await webhooks.replace(request, request)) }),
    deleteWebhook: async (own) => {
      await webhooks.delete(own);
      return { webhook_id: own.webhook_id, deleted: true };
    },
    enableWebhook: async (own) => ({ webhook: toWebhook(await webhooks.enable(own)) }),
    disableWebhook: async (own) => ({ webhook: toWebhook(await webhooks.disable(own)) }),
    rotateWebhookSecret: async (own) => {
      const { webhook, secret } = await webhooks.rotate(own);
      return { webhook: toWebhook(webhook), secret };
    },
    testWebhook: async (own) => ({ delivery: toDelivery(await deliveries.test(own)) }),
    listDeliveries: async (request) => {
      const page = await deliveries.list(request, request);
      return { deliveries: page.rows.map(toDelivery), ...aboutPage(page) };
    },
    redeliverEvent: async (request) => ({
      delivery: toDelivery(await deliveries.again(request, request.delivery_id)),
    }),
    redeliverMissed: async (request) => {
      const { count, hasMore } = await deliveries.missed(request, request.since!);
      return { count, has_more: hasMore };
    },
  });
}

/** The gRPC handlers of events. `stopping` ends the streams. */
export function eventsHandlers({
  events,
  stopping,
}: Pick<WebhooksParts, 'events'> & { stopping: AbortSignal }): Handlers<EventsServiceService> {
  return {
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

/** The message has no field for secrets, but what has none should not even hold them. */
function toWebhook(row: ShownWebhook): Webhook {
  const { secret: _, previous_secret: __, older_secrets: ___, due_at, ...webhook } = withoutNulls(row);
  const next_attempt_at = webhook.enabled ? due_at : undefined;
  return { ...webhook, event_types: webhook.event_types ?? [], next_attempt_at };
}

function toDelivery({ event_id, test, is_redelivery, attempts_made, ...delivery }: ShownDelivery): Delivery {
  const { state, created_at, due_at } = delivery;
  return {
    ...withoutNulls(delivery),
    event_id: event_id ?? (test as unknown as TestEvent).event_id,
    event_type: delivery.event_type ?? 'webhook.test',
    redelivery: is_redelivery,
    // A test is due before everything else, by a moment that means nothing.
    due_at: state === 'waiting' ? new Date(Math.max(due_at.getTime(), created_at.getTime())) : undefined,
    attempts: attempts_made.map(withoutNulls),
  };
}
