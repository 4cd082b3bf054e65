import type { BodyOf, CallOptions } from '../api-types.ts';
import { apart, asQuery, Paged, type QueryOptions } from '../call-options.ts';
import type { Transport } from '../transport.ts';

type One = '/api/v1/webhooks/{webhook_id}';

/** Endpoints of the application, to which events of the key are delivered. `verifyWebhook` checks what arrives there. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** The answer alone shows the `secret`. */
  create(webhook: BodyOf<'post', '/api/v1/webhooks'> & CallOptions) {
    const [body, options] = apart(webhook);
    return this.#transport.post('/api/v1/webhooks', { body, ...options });
  }

  /** The webhooks of the key, newest first. `limit` is the size of a page. */
  list(requested: QueryOptions<'/api/v1/webhooks'> = {}) {
    const { query, ...options } = asQuery(requested);
    return new Paged(
      (from) => this.#transport.get('/api/v1/webhooks', { query: { ...query, ...from }, ...options }),
      ({ webhooks }) => webhooks,
    );
  }

  get(webhookId: string, options: CallOptions = {}) {
    return this.#transport.get('/api/v1/webhooks/{webhook_id}', { ...pathOf(webhookId), ...options });
  }

  /** What is left out gets its default. The secret stays. */
  replace(webhookId: string, webhook: BodyOf<'put', One> & CallOptions) {
    const [body, options] = apart(webhook);
    return this.#transport.put('/api/v1/webhooks/{webhook_id}', { ...pathOf(webhookId), body, ...options });
  }

  delete(webhookId: string, options: CallOptions = {}) {
    return this.#transport.delete('/api/v1/webhooks/{webhook_id}', { ...pathOf(webhookId), ...options });
  }

  enable(webhookId: string, options: CallOptions = {}) {
    return this.#transport.post('/api/v1/webhooks/{webhook_id}/enable', { ...pathOf(webhookId), ...options });
  }

  disable(webhookId: string, options: CallOptions = {}) {
    return this.#transport.post('/api/v1/webhooks/{webhook_id}/disable', {
      ...pathOf(webhookId),
      ...options,
    });
  }

  /** The answer alone shows the new `secret`. The one before also signs for 24 hours. */
  rotate(webhookId: string, options: CallOptions = {}) {
    return this.#transport.post('/api/v1/webhooks/{webhook_id}/rotate', { ...pathOf(webhookId), ...options });
  }

  /** Sends a test event to this webhook alone. */
  test(webhookId: string, options: CallOptions = {}) {
    return this.#transport.post('/api/v1/webhooks/{webhook_id}/test', { ...pathOf(webhookId), ...options });
  }

  /** What was delivered, with every attempt, newest first. `limit` is the size of a page. */
  deliveries(webhookId: string, requested: QueryOptions<`${One}/deliveries`> = {}) {
    const { query, ...options } = asQuery(requested);
    return new Paged(
      (from) =>
        this.#transport.get('/api/v1/webhooks/{webhook_id}/deliveries', {
          ...pathOf(webhookId),
          query: { ...query, ...from },
          ...options,
        }),
      ({ deliveries }) => deliveries,
    );
  }

  /** Delivers the event of an earlier delivery again. */
  redeliver(webhookId: string, deliveryId: string, options: CallOptions = {}) {
    return this.#transport.post('/api/v1/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver', {
      path: { webhook_id: webhookId, delivery_id: deliveryId },
      ...options,
    });
  }

  /** Delivers the events since a time that were not delivered. */
  redeliverMissed(webhookId: string, requested: BodyOf<'post', `${One}/redeliver`> & CallOptions) {
    const [body, options] = apart(requested);
    return this.#transport.post('/api/v1/webhooks/{webhook_id}/redeliver', {
      ...pathOf(webhookId),
      body,
      ...options,
    });
  }
}

function pathOf(webhookId: string) {
  return { path: { webhook_id: webhookId } };
}
