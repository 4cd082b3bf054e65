import { removeSome } from '#platform/postgres/purge-expired.ts';
import { sql, type Kysely, type Selectable, type Transaction, type Updateable } from 'kysely';
import type { Position } from '#platform/paging/cursor.ts';
import type { WebhooksTables, WebhookTable } from './tables.ts';

export type WebhookRow = Selectable<WebhookTable>;
export type ShownWebhook = WebhookRow & { waiting: number };

export interface OwnWebhook {
  api_key_id: string;
  webhook_id: string;
}

type NewWebhook = Pick<
  WebhookRow,
  'webhook_id' | 'api_key_id' | 'url' | 'event_types' | 'description' | 'secret' | 'created_at'
>;

/** A text that cannot be an id is not queried: the database would report a NUL in it as a bug of this service. */
const WEBHOOK_ID = /^wh_[0-9a-f]{24}$/;
/** Deliveries that wait are counted up to here, so that listing costs the same whatever waits. */
const COUNTED = 1_000;
/** Deliveries that one statement removes. */
const REMOVED_AT_ONCE = 1_000;
/** A webhook that nothing bad is known of. */
export const GOOD_STANDING = {
  failures: 0,
  failing_since: null,
  resting_until: null,
  is_slow: false,
} as const;

/** The table `webhook`, as its owners see it. */
export class WebhookStore {
  readonly #db: Kysely<WebhooksTables>;

  constructor(db: Kysely<WebhooksTables>) {
    this.#db = db;
  }

  /** False if the key owns as many as it may. */
  insert(webhook: NewWebhook, limit: number): Promise<boolean> {
    const { api_key_id, created_at: updated_at } = webhook;
    return this.#db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${`webhook ${api_key_id}`}, 0))`.execute(tx);
      const { count } = await tx
        .selectFrom('webhook')
        .where('api_key_id', '=', api_key_id)
        .where('deleted_at', 'is', null)
        .select(sql<number>`count(*)::int`.as('count'))
        .executeTakeFirstOrThrow();
      if (count >= limit) return false;
      await tx
        .insertInto('webhook')
        .values({ ...webhook, updated_at })
        .execute();
      return true;
    });
  }

  /** Newest first. */
  list(apiKeyId: string, after: Position | undefined, limit: number): Promise<ShownWebhook[]> {
    return this.#shown()
      .where('api_key_id', '=', apiKeyId)
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(created_at, webhook_id) < (${new Date(after!.at)}, ${after!.id})`),
      )
      .orderBy('created_at', 'desc')
      .orderBy('webhook_id', 'desc')
      .limit(limit)
      .execute();
  }

  /** Undefined also if it belongs to another key. */
  async find({ webhook_id, api_key_id }: OwnWebhook): Promise<ShownWebhook | undefined> {
    if (!WEBHOOK_ID.test(webhook_id)) return undefined;
    return this.#shown()
      .where('webhook_id', '=', webhook_id)
      .where('api_key_id', '=', api_key_id)
      .executeTakeFirst();
  }

  /** Changes a webhook. Returns whether there is one. */
  async change({ webhook_id, api_key_id }: OwnWebhook, change: Updateable<WebhookTable>): Promise<boolean> {
    if (!WEBHOOK_ID.test(webhook_id)) return false;
    const { numUpdatedRows } = await this.#db
      .updateTable('webhook')
      .set(change)
      .where('webhook_id', '=', webhook_id)
      .where('api_key_id', '=', api_key_id)
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }

  /** Changes a webhook, forgets how its endpoint did, and lets what waits for it be attempted now. */
  async restart(own: OwnWebhook, change: Updateable<WebhookTable>, now: Date): Promise<boolean> {
    if (!WEBHOOK_ID.test(own.webhook_id)) return false;
    return this.#db.transaction().execute(async (tx) => {
      if (!(await lockWebhook(tx, own))) return false;
      await tx
        .updateTable('delivery')
        .set({ due_at: now })
        .where('webhook_id', '=', own.webhook_id)
        .where('state', '=', 'waiting')
        .where('due_at', '>', now)
        .execute();
      const due_at = await nextDueOf(tx, own.webhook_id);
      await tx
        .updateTable('webhook')
        .set({ ...GOOD_STANDING, due_at, ...change })
        .where('webhook_id', '=', own.webhook_id)
        .execute();
      return true;
    });
  }

  /** Changes a webhook by what it is, which nobody else changes meanwhile. Returns whether there is one. */
  changeBy(own: OwnWebhook, changeOf: (webhook: WebhookRow) => Updateable<WebhookTable>): Promise<boolean> {
    return this.#db.transaction().execute(async (tx) => {
      const webhook = await lockWebhook(tx, own);
      if (!webhook) return false;
      const change = tx.updateTable('webhook').set(changeOf(webhook));
      await change.where('webhook_id', '=', own.webhook_id).execute();
      return true;
    });
  }

  /** Removes deleted webhooks. Their deliveries go first, in batches, because one statement would take too long where many wait. */
  async removeDeleted(signal: AbortSignal): Promise<void> {
    const where = sql`webhook_id in (select webhook_id from webhook where deleted_at is not null)`;
    const some = { table: 'delivery', key: ['delivery_id'], where, limit: REMOVED_AT_ONCE };
    while (!signal.aborted && (await removeSome(this.#db, some)) === REMOVED_AT_ONCE);
    await sql`delete from webhook where deleted_at is not null
      and not exists (select from delivery where delivery.webhook_id = webhook.webhook_id)`.execute(this.#db);
  }

  #shown() {
    return this.#db
      .selectFrom('webhook')
      .where('deleted_at', 'is', null)
      .selectAll()
      .select(
        sql<number>`(select count(*) from (
          select from delivery where delivery.webhook_id = webhook.webhook_id and state = 'waiting' limit ${COUNTED}
        ) as counted)::int`.as('waiting'),
      );
  }
}

/** Keeps others from claiming or releasing a webhook, and from adding deliveries to it, until the transaction ends. */
export async function lockWebhook(
  tx: Transaction<WebhooksTables>,
  { webhook_id, api_key_id }: OwnWebhook,
): Promise<WebhookRow | undefined> {
  if (!WEBHOOK_ID.test(webhook_id)) return undefined;
  return tx
    .selectFrom('webhook')
    .selectAll()
    .where('webhook_id', '=', webhook_id)
    .where('api_key_id', '=', api_key_id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** When the next delivery of a webhook is due; null if none waits. The webhook must be locked, or others may add one meanwhile. */
export async function nextDueOf(tx: Transaction<WebhooksTables>, webhookId: string): Promise<Date | null> {
  const next = await tx
    .selectFrom('delivery')
    .select('due_at')
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'waiting')
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return next?.due_at ?? null;
}
