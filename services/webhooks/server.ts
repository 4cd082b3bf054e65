import type { Webhook, WebhooksServiceService } from '#proto/saring/webhooks/v1/webhooks.ts';
import type { Handlers } from '#shared/grpc/server.ts';
import { withDatabase } from '#shared/postgres/postgres-away.ts';
import type { createWebhooks } from './create-webhooks.ts';
import type { WebhookRow } from './store/webhook-store.ts';

type WebhooksParts = ReturnType<typeof createWebhooks>;

const AWAY = 'Webhooks cannot be read or changed at the moment. Try again.';
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

function toWebhook({ webhook_id, url }: WebhookRow): Webhook {
  return { webhook_id, url };
}
