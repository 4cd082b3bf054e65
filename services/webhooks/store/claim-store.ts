import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import { isFree, type NewLease } from '#platform/postgres/lease.ts';
import type { EventData } from '#events/registry.ts';
import type { Sent } from '../sending/sender.ts';
import type { DeliveryTable, EventRow, WebhooksTables } from './tables.ts';
import { nextDueOf, type WebhookRow } from './webhook-store.ts';

/** A delivery with what it delivers. Of a test, the event is not stored. */
export type DueDelivery = Selectable<DeliveryTable> & { event: EventRow | null };

/** An endpoint that this copy alone attempts, until the lease ends. */
export interface Claim {
  webhook: WebhookRow;
  deliveries: DueDelivery[];
}

interface ClaimRequest extends NewLease {
  holder: string;
  /** Whether endpoints that fail or are slow are claimed, or the others. */
  suspects: boolean;
  /** Endpoints. */
  limit: number;
  /** Deliveries of each. */
  perEndpoint: number;
}

/** What a request to an endpoint was and what came of it. */
export interface FinishedAttempt extends Sent {
  delivery_id: string;
  number: number;
  started_at: Date;
  duration_ms: number;
  request_headers: Record<string, string>;
}

/** How a delivery goes on. */
export type AfterAttempt = { state: 'delivered' | 'failed' } | { state: 'waiting'; dueAt: Date };

/** Why an endpoint is disabled after its attempts. */
export type FailureReason = EventData<'webhook.disabled'>['reason'];

/** How the endpoint does after its attempts. */
export type Standing = Pick<WebhookRow, 'failures' | 'failing_since' | 'resting_until' | 'is_slow'>;

/** Claims endpoints whose deliveries are due, and writes what came of them. */
export class ClaimStore {
  readonly #db: Kysely<WebhooksTables>;

  constructor(db: Kysely<WebhooksTables>) {
    this.#db = db;
  }

  /** Claims endpoints that no copy attempts, those first whose turn was the longest ago. */
  async claim(request: ClaimRequest): Promise<Claim[]> {
    const { holder, now, until, suspects, limit, perEndpoint } = request;
    const due = this.#db
      .selectFrom('webhook')
      .select('webhook_id')
      .where('enabled', '=', true)
      .where('due_at', '<=', now)
      .where(isFree('leased_until', request))
      .where(sql<boolean>`(failures > 0 or is_slow) = ${suspects}`)
      .orderBy(sql`served_at nulls first`)
      .limit(limit)
      .forNoKeyUpdate()
      .skipLocked();
    const webhooks = await this.#db
      .with('due', () => due)
      .updateTable('webhook')
      .set({ lease_holder: holder, leased_until: until, served_at: now })
      .where('webhook_id', 'in', (query) => query.selectFrom('due').select('webhook_id'))
      .returningAll()
      .execute();
    if (webhooks.length === 0) return [];
    const ids = webhooks.map(({ webhook_id }) => webhook_id);
    const { rows } = await sql<DueDelivery>`
      select next.*, case when event.event_id is not null then to_jsonb(event) end as event
      from unnest(${ids}::text[]) as claimed (webhook_id)
      cross join lateral (
        select * from delivery
        where delivery.webhook_id = claimed.webhook_id and state = 'waiting' and due_at <= ${now}
        order by due_at limit ${perEndpoint}
      ) as next
      left join event using (event_id)`.execute(this.#db);
    const deliveries = Map.groupBy(rows.map(withDates), ({ webhook_id }) => webhook_id);
    return webhooks.map((webhook) => ({ webhook, deliveries: deliveries.get(webhook.webhook_id) ?? [] }));
  }

  /** Writes an attempt and how its delivery goes on. Changes nothing if the delivery is gone or was delivered meanwhile. */
  finish(claimed: ClaimedWebhook, attempt: FinishedAttempt, after: AfterAttempt): Promise<void> {
    const { delivery_id, number, started_at, duration_ms, request_headers } = attempt;
    const finished_at = new Date(started_at.getTime() + duration_ms);
    return this.#db.transaction().execute(async (tx) => {
      const changed = await tx
        .updateTable('delivery')
        .set({
          attempts: number,
          state: after.state,
          // An endpoint that was repaired meanwhile gets the next attempt at once.
          ...(after.state === 'waiting'
            ? {
                due_at: sql<Date>`case when ${isAsClaimed(claimed)} then ${after.dueAt}::timestamptz else ${finished_at}::timestamptz end`,
              }
            : { finished_at }),
        })
        .where('delivery_id', '=', delivery_id)
        .where('state', '=', 'waiting')
        .where('attempts', '=', number - 1)
        .returning('delivery_id')
        .executeTakeFirst();
      if (!changed) return;
      const { outcome, status = null, answer = null, error = null } = attempt;
      await tx
        .insertInto('attempt')
        .values({
          ...{ delivery_id, number, started_at, duration_ms, outcome, status, answer, error },
          request_headers: JSON.stringify(request_headers),
        })
        .execute();
    });
  }

  /**
   * Ends a claim: writes how the endpoint does, and when its next delivery is due. First locks the endpoint, as whoever adds a
   * delivery does, so that the deliveries that are then read are all there are. What is known of an endpoint that was repaired
   * meanwhile is forgotten. Returns false if another copy has taken over.
   */
  release(claimed: ClaimedWebhook, holder: string, standing?: Standing): Promise<boolean> {
    return this.#db.transaction().execute(async (tx) => {
      const own = await this.#lock(tx, claimed, holder);
      if (!own) return false;
      await this.#release(tx, claimed.webhook_id, own.is_as_claimed ? standing : undefined);
      return true;
    });
  }

  /**
   * Ends a claim by disabling the endpoint. Returns false if it is disabled already, was repaired meanwhile, or another copy has taken
   * over.
   */
  async disable(
    tx: Transaction<WebhooksTables>,
    claimed: ClaimedWebhook,
    { holder, standing, reason, now }: DisableRequest,
  ): Promise<boolean> {
    const { webhook_id: webhookId } = claimed;
    const own = await this.#lock(tx, claimed, holder);
    if (!own) return false;
    await this.#release(tx, webhookId, own.is_as_claimed ? standing : undefined);
    if (!own.is_as_claimed) return false;
    const disabled = await tx
      .updateTable('webhook')
      .set({ enabled: false, disabled_reason: reason, disabled_at: now })
      .where('webhook_id', '=', webhookId)
      .where('enabled', '=', true)
      .returning('webhook_id')
      .executeTakeFirst();
    return disabled !== undefined;
  }

  /** Ends deliveries that have waited since before this moment, at most `limit`. Returns how many. */
  async giveUp(before: Date, now: Date, limit: number): Promise<number> {
    const old = this.#db
      .selectFrom('delivery')
      .select('delivery_id')
      .where('state', '=', 'waiting')
      .where('created_at', '<', before)
      .limit(limit);
    const { numUpdatedRows } = await this.#db
      .updateTable('delivery')
      .set({ state: 'failed', finished_at: now })
      .where('delivery_id', 'in', old)
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow();
    return Number(numUpdatedRows);
  }

  /** How much waits, and how webhooks do. */
  async state(now: Date): Promise<DispatchState> {
    const { rows } = await sql<DispatchState>`
      select
        (select count(*)::int from delivery where state = 'waiting') as waiting,
        (select min(created_at) from delivery where state = 'waiting') as oldest,
        min(due_at) filter (
          where enabled and due_at <= ${now} and failures = 0 and not is_slow and coalesce(leased_until <= ${now}, true)
        ) as overdue_since,
        count(*) filter (where enabled and failures = 0)::int as working,
        count(*) filter (where enabled and failures > 0)::int as failing,
        count(*) filter (where not enabled and deleted_at is null)::int as disabled
      from webhook`.execute(this.#db);
    return rows[0]!;
  }

  async #lock(
    tx: Transaction<WebhooksTables>,
    { webhook_id, url, failures }: ClaimedWebhook,
    holder: string,
  ) {
    return tx
      .selectFrom('webhook')
      .select((webhook) => webhook.and({ url, failures }).as('is_as_claimed'))
      .where('webhook_id', '=', webhook_id)
      .where('lease_holder', '=', holder)
      .forNoKeyUpdate()
      .executeTakeFirst();
  }

  async #release(
    tx: Transaction<WebhooksTables>,
    webhookId: string,
    standing: Standing | undefined,
  ): Promise<void> {
    const due_at = await nextDueOf(tx, webhookId);
    const rest = standing ? standing.resting_until : sql<Date | null>`resting_until`;
    await tx
      .updateTable('webhook')
      .set({
        ...standing,
        // greatest() ignores null; nothing is due where nothing waits.
        due_at: due_at === null ? null : sql<Date>`greatest(${due_at}::timestamptz, ${rest}::timestamptz)`,
        lease_holder: null,
        leased_until: null,
      })
      .where('webhook_id', '=', webhookId)
      .execute();
  }
}

interface DispatchState {
  waiting: number;
  /** When the oldest of them was created. */
  oldest: Date | null;
  /** Since when the endpoint in good standing that has been due the longest has been waiting to be claimed. */
  overdue_since: Date | null;
  working: number;
  failing: number;
  disabled: number;
}

/** A webhook as it was when it was claimed. Whoever replaces its URL or enables it changes these. */
type ClaimedWebhook = Pick<WebhookRow, 'webhook_id' | 'url' | 'failures'>;

const isAsClaimed = ({ webhook_id, url, failures }: ClaimedWebhook) => sql`exists (
  select 1 from webhook where webhook_id = ${webhook_id} and url = ${url} and failures = ${failures})`;

interface DisableRequest {
  holder: string;
  standing: Standing;
  reason: FailureReason;
  now: Date;
}

/** JSON has no dates. */
function withDates(row: DueDelivery): DueDelivery {
  if (!row.event) return row;
  const { occurred_at, received_at, sequence, ...event } = row.event;
  return {
    ...row,
    event: {
      ...event,
      sequence: String(sequence),
      occurred_at: new Date(occurred_at),
      received_at: new Date(received_at),
    },
  };
}
