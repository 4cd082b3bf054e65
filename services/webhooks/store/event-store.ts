import { sql, type Kysely, type Transaction } from 'kysely';
import { erasureOf, storedItem, type EndUserData, type EndUserOf } from '#shared/end-users/end-user-data.ts';
import { belongsTo, rowsOfEndUser } from '#shared/end-users/end-user-rows.ts';
import { pause } from '#platform/process/waiting.ts';
import type { DeliveryStore } from './delivery-store.ts';
import type { EventRow, WebhooksTables } from './tables.ts';

/** Where an event says whom it is about. */
const END_USER = sql<string | null>`data ->> 'end_user'`;

/** An event as it arrives, before it has its place in the sequence of its key. */
export type ArrivedEvent = Omit<EventRow, 'sequence'>;

export class EventStore {
  readonly #db: Kysely<WebhooksTables>;
  readonly #deliveries: DeliveryStore;

  constructor(db: Kysely<WebhooksTables>, deliveries: DeliveryStore) {
    this.#db = db;
    this.#deliveries = deliveries;
  }

  /**
   * Gives each event the next number of its key, in this order, and adds its deliveries. Events of a key take turns until their
   * transactions end, so that numbers have no gaps and become visible in their order: a reader that has seen a number has seen all
   * smaller ones. Returns the keys that have new events: those that were not there already.
   */
  async append(tx: Transaction<WebhooksTables>, arrived: readonly ArrivedEvent[]): Promise<string[]> {
    const last = await this.#lockSequences(tx, arrived);
    const ids = arrived.map(({ event_id }) => event_id);
    const known = await tx.selectFrom('event').select('event_id').where('event_id', 'in', ids).execute();
    const seen = new Set(known.map(({ event_id }) => event_id));
    const rows = [];
    for (const { data, ...event } of arrived) {
      if (seen.has(event.event_id)) continue;
      seen.add(event.event_id);
      const sequence = last.get(event.api_key_id)! + 1;
      last.set(event.api_key_id, sequence);
      rows.push({ ...event, sequence, data: JSON.stringify(data) });
    }
    if (rows.length === 0) return [];
    const added = await tx.insertInto('event').values(rows).returningAll().execute();
    const apiKeyIds = [...new Set(rows.map(({ api_key_id }) => api_key_id))];
    await sql`update event_sequence set last = told.last
      from unnest(${apiKeyIds}::text[], ${apiKeyIds.map((id) => last.get(id)!)}::bigint[]) as told (api_key_id, last)
      where event_sequence.api_key_id = told.api_key_id`.execute(tx);
    await this.#enqueue(tx, added, apiKeyIds);
    return apiKeyIds;
  }

  /** Locks the keys in one order, so that no two transactions wait for each other. Returns the newest number of each. */
  async #lockSequences(
    tx: Transaction<WebhooksTables>,
    arrived: readonly ArrivedEvent[],
  ): Promise<Map<string, number>> {
    const apiKeyIds = [...new Set(arrived.map(({ api_key_id }) => api_key_id))].toSorted();
    const sequences = await tx
      .insertInto('event_sequence')
      .values(apiKeyIds.map((api_key_id) => ({ api_key_id, last: 0 })))
      // Changes nothing, but locks the row.
      .onConflict((known) =>
        known.column('api_key_id').doUpdateSet((row) => ({ api_key_id: row.ref('excluded.api_key_id') })),
      )
      .returningAll()
      .execute();
    return new Map(sequences.map(({ api_key_id, last }) => [api_key_id, Number(last)]));
  }

  async #enqueue(
    tx: Transaction<WebhooksTables>,
    added: readonly EventRow[],
    apiKeyIds: readonly string[],
  ): Promise<void> {
    const owners = await tx
      .selectFrom('webhook')
      .select('api_key_id')
      .distinct()
      .where('enabled', '=', true)
      .where('api_key_id', 'in', apiKeyIds)
      .execute();
    const haveWebhooks = new Set(owners.map(({ api_key_id }) => api_key_id));
    for (const event of added)
      if (haveWebhooks.has(event.api_key_id)) await this.#deliveries.enqueue(tx, event);
  }

  /** The number of the newest event of a key, whether it is still kept or not; 0 if there never was one. */
  async newest(apiKeyId: string): Promise<number> {
    const row = await this.#db
      .selectFrom('event_sequence')
      .select('last')
      .where('api_key_id', '=', apiKeyId)
      .executeTakeFirst();
    return Number(row?.last ?? 0);
  }

  /** The events of a key after a number, oldest first, whatever their type. */
  after(apiKeyId: string, sequence: number, limit: number): Promise<EventRow[]> {
    return this.#db
      .selectFrom('event')
      .selectAll()
      .where('api_key_id', '=', apiKeyId)
      .where('sequence', '>', String(sequence))
      .orderBy('sequence')
      .limit(limit)
      .execute();
  }

  ofEndUser(of: EndUserOf): AsyncIterable<EventRow> {
    return rowsOfEndUser<EventRow>(this.#db, { table: 'event', id: 'event_id', endUser: END_USER }, of);
  }

  /** Takes the end user out of events. The rest stays, so that numbers have no gaps. Returns of how many. */
  async forgetEndUser(of: EndUserOf): Promise<number> {
    const { rows } = await sql<{ count: number }>`with forgotten as (
        update event set data = data || '{"end_user": null}' where ${belongsTo(of, END_USER)} returning event_id
      ),
      silenced as (
        -- A receiver may repeat in its answer what it was sent.
        update attempt set answer = null from delivery join forgotten using (event_id)
        where attempt.delivery_id = delivery.delivery_id
      )
      select count(*)::int as count from forgotten`.execute(this.#db);
    return rows[0]!.count;
  }

  /** Removes events received before this moment, at most `limit`, with their deliveries. Returns how many it removed. */
  async purge(before: Date, limit: number): Promise<number> {
    const old = this.#db
      .selectFrom('event')
      .select('event_id')
      .where('received_at', '<', before)
      .orderBy('received_at')
      .limit(limit);
    const { numDeletedRows } = await this.#db
      .deleteFrom('event')
      .where('event_id', 'in', old)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  }
}

/** Events on their way arrive within milliseconds. On a busy service the stream may never be empty. */
const ARRIVED_WITHIN_MS = 3_000;
const POLL_PAUSE_MS = 50;

interface EndUserEventsDependencies {
  store: Pick<EventStore, 'ofEndUser' | 'forgetEndUser'>;
  /** Messages of the stream that are not stored yet. */
  waiting: () => Promise<number>;
}

/** What the service stores about end users: the events that name them. An erasure waits for those on their way. */
export function endUserEvents({ store, waiting }: EndUserEventsDependencies): EndUserData {
  const allArrived = async (over: AbortSignal) => {
    while (!over.aborted && (await waiting()) > 0) await pause(POLL_PAUSE_MS, over);
  };
  return {
    async *stored(of) {
      for await (const event of store.ofEndUser(of)) yield storedItem('events', event);
    },
    erase: async (of) => {
      await allArrived(AbortSignal.timeout(ARRIVED_WITHIN_MS));
      return erasureOf({ events: await store.forgetEndUser(of) });
    },
  };
}
