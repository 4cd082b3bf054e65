import { removeSome } from '#platform/postgres/purge-expired.ts';
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { Position } from '#platform/paging/cursor.ts';
import type { IdSource } from '#foundation/ids.ts';
import type { AttemptTable, DeliveryTable, EventRow, WebhooksTables } from './tables.ts';
import { lockWebhook, type OwnWebhook } from './webhook-store.ts';

export type ShownDelivery = Selectable<DeliveryTable> & {
  /** Null for a test. */
  event_type: string | null;
  attempts_made: Selectable<AttemptTable>[];
};

/** A test comes before everything else that waits, because somebody looks at it. */
const AT_ONCE = new Date(0);

const DELIVERY_ID = /^del_[0-9a-f]{24}$/;

export class DeliveryStore {
  readonly #db: Kysely<WebhooksTables>;
  readonly #newId: IdSource;

  constructor(db: Kysely<WebhooksTables>, newId: IdSource) {
    this.#db = db;
    this.#newId = newId;
  }

  /**
   * Adds the deliveries of a new event to the enabled webhooks of its key that want its type. Locks these webhooks until the end of
   * the transaction, so that nobody who looks for deliveries meanwhile overlooks these.
   */
  async enqueue(tx: Transaction<WebhooksTables>, event: EventRow): Promise<void> {
    const webhooks = await tx
      .selectFrom('webhook')
      .select('webhook_id')
      .where('api_key_id', '=', event.api_key_id)
      .where('enabled', '=', true)
      .where(sql<boolean>`(event_types is null or ${sql.val(event.type)} = any(event_types))`)
      .orderBy('webhook_id')
      .forNoKeyUpdate()
      .execute();
    if (webhooks.length === 0) return;
    const { event_id, received_at: created_at } = event;
    const rows = webhooks.map(({ webhook_id }) => ({
      delivery_id: this.#newId('del'),
      webhook_id,
      event_id,
      created_at,
      due_at: created_at,
    }));
    await tx.insertInto('delivery').values(rows).execute();
    const ids = webhooks.map(({ webhook_id }) => webhook_id);
    await makeDue(tx, ids, created_at);
  }

  /** Adds the delivery of a test. Undefined if there is no such webhook. */
  async addTest(
    own: OwnWebhook,
    test: Record<string, unknown>,
    now: Date,
  ): Promise<ShownDelivery | undefined> {
    return this.#add(own, now, async (tx) => {
      const { webhook_id } = own;
      const delivery = { delivery_id: this.#newId('del'), webhook_id, created_at: now, due_at: AT_ONCE };
      await tx
        .insertInto('delivery')
        .values({ ...delivery, test: JSON.stringify(test) })
        .execute();
      return delivery.delivery_id;
    });
  }

  /** Adds another delivery of what an earlier one delivered. Undefined if there is no such delivery. */
  async addAgain(own: OwnWebhook, deliveryId: string, now: Date): Promise<ShownDelivery | undefined> {
    if (!DELIVERY_ID.test(deliveryId)) return undefined;
    return this.#add(own, now, async (tx) => {
      const { rows } = await sql<{ delivery_id: string }>`
        insert into delivery (delivery_id, webhook_id, event_id, test, is_redelivery, created_at, due_at)
        select ${this.#newId('del')}, webhook_id, event_id, test, true, ${now}, ${now} from delivery
        where delivery_id = ${deliveryId} and webhook_id = ${own.webhook_id}
        returning delivery_id`.execute(tx);
      return rows[0]?.delivery_id;
    });
  }

  /**
   * Adds deliveries of the events since a moment that the webhook wants and that were neither delivered to it nor wait for it, the
   * oldest first. Returns how many; undefined if there is no such webhook.
   */
  async addMissed(
    own: OwnWebhook,
    since: Date,
    { now, limit }: { now: Date; limit: number },
  ): Promise<number | undefined> {
    const { webhook_id } = own;
    return this.#db.transaction().execute(async (tx) => {
      const webhook = await lockWebhook(tx, own);
      if (!webhook) return undefined;
      const { rows: missed } = await sql<{ event_id: string }>`
        select event_id from event
        where api_key_id = ${own.api_key_id} and received_at >= ${since}
          and (${webhook.event_types}::text[] is null or type = any(${webhook.event_types}))
          and not exists (select from delivery
            where delivery.event_id = event.event_id and webhook_id = ${webhook_id} and state <> 'failed')
        order by sequence limit ${limit}`.execute(tx);
      if (missed.length === 0) return 0;
      const rows = missed.map(({ event_id }) => [this.#newId('del'), event_id]);
      await sql`insert into delivery (delivery_id, webhook_id, event_id, is_redelivery, created_at, due_at)
        select pair ->> 0, ${webhook_id}, pair ->> 1, true, ${now}, ${now}
        from json_array_elements(${JSON.stringify(rows)}::json) as pair`.execute(tx);
      await makeDue(tx, [webhook_id], now);
      return missed.length;
    });
  }

  /** Newest first. */
  async list(webhookId: string, after: Position | undefined, limit: number): Promise<ShownDelivery[]> {
    const rows = await this.#db
      .selectFrom('delivery')
      .leftJoin('event', 'event.event_id', 'delivery.event_id')
      .selectAll('delivery')
      .select('event.type as event_type')
      .where('webhook_id', '=', webhookId)
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(created_at, delivery_id) < (${new Date(after!.at)}, ${after!.id})`),
      )
      .orderBy('created_at', 'desc')
      .orderBy('delivery_id', 'desc')
      .limit(limit)
      .execute();
    if (rows.length === 0) return [];
    const ids = rows.map(({ delivery_id }) => delivery_id);
    const attempts = await this.#db
      .selectFrom('attempt')
      .selectAll()
      .where('delivery_id', 'in', ids)
      .orderBy('number')
      .execute();
    const ofDelivery = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
    return rows.map((row) => ({ ...row, attempts_made: ofDelivery.get(row.delivery_id) ?? [] }));
  }

  /** Removes deliveries of tests from before this moment, at most `limit`. Those of events go with them. */
  purge(before: Date, limit: number): Promise<number> {
    const where = sql`event_id is null and created_at < ${before}`;
    return removeSome(this.#db, { table: 'delivery', key: ['delivery_id'], where, limit });
  }

  /** Adds one delivery, which an endpoint that rests does not hold up. */
  #add(
    own: OwnWebhook,
    now: Date,
    insert: (tx: Transaction<WebhooksTables>) => Promise<string | undefined>,
  ): Promise<ShownDelivery | undefined> {
    return this.#db.transaction().execute(async (tx) => {
      if (!(await lockWebhook(tx, own))) return undefined;
      const id = await insert(tx);
      if (id === undefined) return undefined;
      await tx
        .updateTable('webhook')
        .set({ resting_until: null, due_at: now })
        .where('webhook_id', '=', own.webhook_id)
        .execute();
      const row = await tx
        .selectFrom('delivery')
        .leftJoin('event', 'event.event_id', 'delivery.event_id')
        .selectAll('delivery')
        .select('event.type as event_type')
        .where('delivery_id', '=', id)
        .executeTakeFirstOrThrow();
      return { ...row, attempts_made: [] };
    });
  }
}

/** Webhooks that are locked get something that is due now. One that rests goes on resting. */
async function makeDue(tx: Transaction<WebhooksTables>, ids: string[], now: Date): Promise<void> {
  await tx
    .updateTable('webhook')
    .set({ due_at: sql`least(due_at, greatest(resting_until, ${now}::timestamptz))` })
    .where('webhook_id', 'in', ids)
    .execute();
}
