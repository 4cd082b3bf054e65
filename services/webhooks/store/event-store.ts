import type { Kysely, Selectable, Transaction } from 'kysely';
import type { DeliveryStore } from './delivery-store.ts';
import type { EventTable, WebhooksTables } from './tables.ts';

export type EventRow = Selectable<EventTable>;

/** An event as it arrives, before it has its place in the sequence of its key. */
export type ArrivedEvent = Omit<EventRow, 'sequence'>;

/** The table `event`. */
export class EventStore {
  readonly #db: Kysely<WebhooksTables>;
  readonly #deliveries: DeliveryStore;

  constructor(db: Kysely<WebhooksTables>, deliveries: DeliveryStore) {
    this.#db = db;
    this.#deliveries = deliveries;
  }

  /**
   * Gives an event the next number of its key and adds its deliveries. Events of a key take turns until their transactions end, so
   * that numbers have no gaps and become visible in their order. Returns how many deliveries there are; undefined if the event is
   * already there.
   */
  async append(
    tx: Transaction<WebhooksTables>,
    { data, ...event }: ArrivedEvent,
  ): Promise<number | undefined> {
    const { api_key_id } = event;
    const { last } = await tx
      .insertInto('event_sequence')
      .values({ api_key_id, last: 0 })
      // Changes nothing, but locks the row.
      .onConflict((conflict) => conflict.column('api_key_id').doUpdateSet({ api_key_id }))
      .returning('last')
      .executeTakeFirstOrThrow();
    const sequence = Number(last) + 1;
    const added = await tx
      .insertInto('event')
      .values({ ...event, sequence, data: JSON.stringify(data) })
      .onConflict((conflict) => conflict.column('event_id').doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!added) return undefined;
    await tx
      .updateTable('event_sequence')
      .set({ last: sequence })
      .where('api_key_id', '=', api_key_id)
      .execute();
    return this.#deliveries.enqueue(tx, added);
  }

  /** Removes events received before this moment, at most `limit`, with their deliveries. Returns how many it removed. */
  async purge(before: Date, limit: number): Promise<number> {
    const old = this.#db
      .selectFrom('event')
      .select('event_id')
      .where('received_at', '<', before)
      .limit(limit);
    const { numDeletedRows } = await this.#db
      .deleteFrom('event')
      .where('event_id', 'in', old)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}
