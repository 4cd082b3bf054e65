import type { CursorSigner } from '#shared/cursor.ts';
import { pageOf, type Page, type PageRequest } from '#shared/pages.ts';
import type { WebhookRow, WebhookStore } from './store/webhook-store.ts';

interface WebhooksDependencies {
  store: WebhookStore;
  cursors: CursorSigner;
}

/** Keeps the webhooks of keys. */
export class Webhooks {
  readonly #deps: WebhooksDependencies;

  constructor(deps: WebhooksDependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError invalid_cursor */
  list(page: PageRequest, apiKeyId: string): Promise<Page<WebhookRow>> {
    const { store, cursors } = this.#deps;
    return pageOf(page, {
      cursors,
      scope: { list: 'webhooks', api_key_id: apiKeyId },
      read: (after, limit) => store.list(apiKeyId, after, limit),
      positionOf: ({ created_at, webhook_id }) => ({ at: created_at.getTime(), id: webhook_id }),
    });
  }
}
