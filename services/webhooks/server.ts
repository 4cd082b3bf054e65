import type { EventsServiceService } from '#proto/saring/webhooks/v1/events.ts';
import type {
  Attempt,
  Delivery,
  Webhook,
  WebhooksServiceService,
} from '#proto/saring/webhooks/v1/webhooks.ts';
import type { Handlers } from '#platform/grpc/server.ts';
import { aboutPage } from '#platform/paging/pages.ts';
import { allWithDatabase, withDatabase } from '#platform/postgres/postgres-away.ts';
import type { createWebhooks } from './create-webhooks.ts';
import type { TestEvent } from './dispatch/payload.ts';
import { toEvent } from './events/events.ts';
import type { ShownDelivery } from './store/delivery-store.ts';
import type { ShownWebhook } from './store/webhook-store.ts';

type WebhooksParts = ReturnType<typeof createWebhooks>;

const AWAY = 'Events and webhooks cannot be read or changed at the moment. Try again.';
/** While the database is unavailable, work fails with data_unavailable. */
export const whileThere = <T>(work: () => Promise<T>) => withDatabase('data_unavailable', AWAY, work);

/** The gRPC handlers of webhooks. While the database is unavailable, every call fails with data_unavailable. */
export function webhooksHandlers({
  webhooks,
  deliveries,
}: Pick<WebhooksParts, 'webhooks' | 'deliveries'>): Handlers<WebhooksServiceService> {
  return allWithDatabase<Handlers<WebhooksServiceService>>('data_unavailable', AWAY, {
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

function toWebhook(row: ShownWebhook): Webhook {
  const { webhook_id, url, enabled, failures, waiting, created_at, updated_at } = row;
  return {
    ...{ webhook_id, url, enabled, failures, waiting, created_at, updated_at },
    event_types: row.event_types ?? [],
    description: row.description ?? undefined,
    disabled_reason: row.disabled_reason ?? undefined,
    disabled_at: row.disabled_at ?? undefined,
    failing_since: row.failing_since ?? undefined,
    next_attempt_at: row.enabled ? (row.due_at ?? undefined) : undefined,
    previous_secret_until: row.previous_secret_until ?? undefined,
  };
}

function toDelivery(row: ShownDelivery): Delivery {
  const { delivery_id, event_id, test, state, created_at, due_at } = row;
  return {
    delivery_id,
    event_id: event_id ?? (test as unknown as TestEvent).event_id,
    event_type: row.event_type ?? 'webhook.test',
    redelivery: row.is_redelivery,
    state,
    created_at,
    // A test is due before everything else, by a moment that means nothing.
    due_at: state === 'waiting' ? new Date(Math.max(due_at.getTime(), created_at.getTime())) : undefined,
    finished_at: row.finished_at ?? undefined,
    attempts: row.attempts_made.map(toAttempt),
  };
}

function toAttempt(row: ShownDelivery['attempts_made'][number]): Attempt {
  const { number, started_at, duration_ms, outcome, request_headers } = row;
  return {
    ...{ number, started_at, duration_ms, outcome, request_headers },
    status: row.status ?? undefined,
    answer: row.answer ?? undefined,
    error: row.error ?? undefined,
  };
}
