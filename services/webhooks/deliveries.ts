import type { Clock } from '#foundation/clock.ts';
import type { CursorSigner } from '#platform/paging/cursor.ts';
import type { IdSource } from '#foundation/ids.ts';
import { pageOf, type Page, type PageRequest } from '#platform/paging/pages.ts';
import { ServiceError } from '#foundation/errors/service-error.ts';
import type { TestEvent } from './dispatch/payload.ts';
import type { DeliveryStore, ShownDelivery } from './store/delivery-store.ts';
import type { OwnWebhook } from './store/webhook-store.ts';
import { unknownWebhook, type Webhooks } from './webhooks.ts';

/** So that one request adds no more than one transaction should. */
const MISSED_AT_ONCE = 10_000;

interface DeliveriesDependencies {
  store: DeliveryStore;
  webhooks: Pick<Webhooks, 'get'>;
  cursors: CursorSigner;
  /** Called when deliveries have become due. */
  onDue: () => void;
  clock: Clock;
  newId: IdSource;
}

/** Shows what was delivered to webhooks, and delivers on request. */
export class Deliveries {
  readonly #deps: DeliveriesDependencies;

  constructor(deps: DeliveriesDependencies) {
    this.#deps = deps;
  }

  /** @throws ServiceError webhook_not_found or invalid_cursor */
  async list(own: OwnWebhook, page: PageRequest): Promise<Page<ShownDelivery>> {
    const { store, webhooks, cursors } = this.#deps;
    const { webhook_id, api_key_id } = own;
    return pageOf(page, {
      cursors,
      scope: { list: 'deliveries', webhook_id, api_key_id },
      read: async (after, limit) => {
        await webhooks.get(own);
        return store.list(webhook_id, after, limit);
      },
      positionOf: ({ created_at, delivery_id }) => ({ at: created_at.getTime(), id: delivery_id }),
    });
  }

  /** Sends a test event to one webhook, once. @throws ServiceError webhook_not_found */
  async test(own: OwnWebhook): Promise<ShownDelivery> {
    const { store, clock, newId, onDue } = this.#deps;
    const now = clock();
    const test = { event_id: newId('evt'), occurred_at: now.toISOString() } satisfies TestEvent;
    const delivery = (await store.addTest(own, test, now)) ?? unknownWebhook();
    onDue();
    return delivery;
  }

  /** @throws ServiceError webhook_not_found */
  async again(own: OwnWebhook, deliveryId: string): Promise<ShownDelivery> {
    const { store, webhooks, clock, onDue } = this.#deps;
    const delivery = await store.addAgain(own, deliveryId, clock());
    if (!delivery) {
      await webhooks.get(own);
      throw new ServiceError('webhook_not_found', 'The webhook has no such delivery.');
    }
    onDue();
    return delivery;
  }

  /** Delivers what was missed since a moment. @throws ServiceError webhook_not_found */
  async missed(own: OwnWebhook, since: Date): Promise<{ count: number; hasMore: boolean }> {
    const { store, clock, onDue } = this.#deps;
    const limits = { now: clock(), limit: MISSED_AT_ONCE };
    const count = (await store.addMissed(own, since, limits)) ?? unknownWebhook();
    onDue();
    return { count, hasMore: count === MISSED_AT_ONCE };
  }
}
