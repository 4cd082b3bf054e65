import { sql, type Transaction } from 'kysely';
import type { IdSource } from '#shared/ids.ts';
import type { EventRow } from './event-store.ts';
import type { WebhooksTables } from './tables.ts';

/** The table `delivery`. */
export class DeliveryStore {
  readonly #newId: IdSource;

  constructor(newId: IdSource) {
    this.#newId = newId;
  }

  /**
   * Adds the deliveries of a new event to the enabled webhooks of its key that want its type. Locks these webhooks until the end of
   * the transaction, so that nobody who looks for deliveries meanwhile overlooks these. Returns how many there are.
   */
  async enqueue(tx: Transaction<WebhooksTables>, event: EventRow): Promise<number> {
    const webhooks = await tx
      .selectFrom('webhook')
      .select('webhook_id')
      .where('api_key_id', '=', event.api_key_id)
      .where('enabled', '=', true)
      .where((webhook) =>
        webhook.or([
          webhook('event_types', 'is', null),
          sql<boolean>`${event.type} = any(${webhook.ref('event_types')})`,
        ]),
      )
      .orderBy('webhook_id')
      .forNoKeyUpdate()
      .execute();
    if (webhooks.length === 0) return 0;
    const { event_id, received_at: created_at } = event;
    const rows = webhooks.map(({ webhook_id }) => ({
      delivery_id: this.#newId('del'),
      webhook_id,
      event_id,
      created_at,
      due_at: created_at,
    }));
    await tx.insertInto('delivery').values(rows).execute();
    await tx
      .updateTable('webhook')
      .set({ due_at: sql`least(due_at, greatest(resting_until, ${created_at}))` })
      .where(
        'webhook_id',
        'in',
        webhooks.map(({ webhook_id }) => webhook_id),
      )
      .execute();
    return rows.length;
  }
}
