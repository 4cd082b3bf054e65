import { sql } from 'kysely';
import { EXPIRY_NOTICE_DAYS } from '#events/registry.ts';
import type { Clock } from '#foundation/clock.ts';
import { eventFor } from '#platform/postgres/outbox-event.ts';
import { jakartaDateTime } from '#foundation/jakarta-time.ts';
import type { Outbox } from '#platform/postgres/outbox.ts';
import type { KeysTables } from './store/tables.ts';
import { DAY_MS } from '#foundation/iso-day.ts';

/** Keys told in one transaction. */
const BATCH = 200;

interface ExpiryNoticesDependencies {
  outbox: Outbox<KeysTables>;
  clock: Clock;
}

/**
 * Tells keys that they expire soon, once for each number of days. Of those that passed while nobody looked, or before the key was
 * issued, only the last counts. A key that gets another expiry is told anew. A disabled key is told nothing until it is enabled.
 */
export class ExpiryNotices {
  readonly #deps: ExpiryNoticesDependencies;

  constructor(deps: ExpiryNoticesDependencies) {
    this.#deps = deps;
  }

  /** Tells every key that is due. Any number of copies may do this at the same time. */
  async tellDue(): Promise<void> {
    const daysUpwards = EXPIRY_NOTICE_DAYS.toReversed();
    for (const [at, days] of daysUpwards.entries()) {
      const afterDays = daysUpwards[at - 1] ?? 0;
      while ((await this.#tell(days, afterDays)) === BATCH);
    }
  }

  /** Tells keys that expire within so many days, but after fewer of them. Returns how many there were. */
  #tell(days: number, afterDays: number): Promise<number> {
    const { outbox, clock } = this.#deps;
    const now = clock();
    const inDays = (count: number) => new Date(now.getTime() + count * DAY_MS);
    return outbox.inTransaction(async (tx) => {
      const { rows: told } = await sql<{ id: string; expires_at: Date }>`
        with due as (
          select id from api_key where deleted_at is null and disabled_at is null
            and expires_at > ${inDays(afterDays)} and expires_at <= ${inDays(days)}
            and (noticed_expiry is distinct from expires_at or noticed_days > ${days})
          limit ${BATCH} for update skip locked
        )
        update api_key set noticed_expiry = expires_at, noticed_days = ${days} from due
        where api_key.id = due.id returning api_key.id, expires_at`.execute(tx);
      const notices = told.map(({ id, expires_at }) => {
        const data = {
          api_key_id: id,
          expires_at: jakartaDateTime(expires_at),
          days_left: Math.ceil((expires_at.getTime() - now.getTime()) / DAY_MS),
        };
        return eventFor('keys', id, { type: 'key.expiring', data, at: now });
      });
      await outbox.put(tx, notices);
      return told.length;
    });
  }
}
