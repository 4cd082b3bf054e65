import { sql, type Kysely, type Selectable } from 'kysely';
import type { KeysTables } from './tables.ts';

export type SessionRow = Omit<
  Selectable<KeysTables['session']>,
  'secret_hash' | 'key_id' | 'key_secret_hint'
>;

const COLUMNS = ['id', 'created_at', 'last_used_at', 'browser'] as const;

/** Since when a session must have been used, and started, to work at some moment. */
export interface StillWorking {
  now: Date;
  usedAfter: Date;
  startedAfter: Date;
}

/** Sessions of keys. What ends a key's sessions together with a change of the key is in `KeyChanges`. */
export class SessionStore {
  readonly #db: Kysely<KeysTables>;

  constructor(db: Kysely<KeysTables>) {
    this.#db = db;
  }

  /**
   * Keeps the newest `atMost` sessions of the key, this one included. What is too much goes in a statement of its own: one that started
   * earlier would not see the sessions that begin beside this one. All such statements lock rows in one order, or they would wait for
   * each other.
   */
  async insert(session: Selectable<KeysTables['session']>, atMost: number): Promise<void> {
    await this.#db.insertInto('session').values(session).execute();
    const surplus = sql`select id from session where key_id = ${session.key_id}
      order by created_at desc, id offset ${atMost}`;
    await sql`delete from session where id in
      (select id from session where id in (${surplus}) order by id for update)`.execute(this.#db);
  }

  async list(keyId: string, { now, usedAfter, startedAfter }: StillWorking): Promise<SessionRow[]> {
    return this.#db
      .selectFrom('session')
      .select(COLUMNS)
      .where('key_id', '=', keyId)
      .where('last_used_at', '>', usedAfter)
      .where('created_at', '>', startedAfter)
      .where(keySecretWorks(now))
      .orderBy('last_used_at', 'desc')
      .orderBy('id')
      .execute();
  }

  async find(
    secretHashes: string[],
    still: StillWorking,
  ): Promise<(SessionRow & { key_id: string }) | undefined> {
    return this.#db
      .selectFrom('session')
      .select([...COLUMNS, 'key_id'])
      .where('secret_hash', 'in', secretHashes)
      .where('last_used_at', '>', still.usedAfter)
      .where('created_at', '>', still.startedAfter)
      .where(keySecretWorks(still.now))
      .executeTakeFirst();
  }

  /** Records a use, unless a later one is already recorded. */
  async touch(id: string, usedAt: Date): Promise<void> {
    await this.#db
      .updateTable('session')
      .set({ last_used_at: usedAt })
      .where('id', '=', id)
      .where('last_used_at', '<', usedAt)
      .execute();
  }

  /** Returns whether there was one. */
  async delete(keyId: string, id: string): Promise<boolean> {
    const deleted = await this.#db
      .deleteFrom('session')
      .where('key_id', '=', keyId)
      .where('id', '=', id)
      .executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  }

  async deleteEnded({ usedAfter, startedAfter }: StillWorking): Promise<void> {
    await this.#db
      .deleteFrom('session')
      .where((session) => session('last_used_at', '<=', usedAfter).or('created_at', '<=', startedAfter))
      .execute();
  }
}

/**
 * Whether the secret with which a session was started still opens its key. A change of the key ends its sessions too, but one that is
 * started while the change is written, or later with a secret that works on for a while, is not among them.
 */
const keySecretWorks = (now: Date) => sql<boolean>`(session.key_secret_hint is null or exists (
  select from key_secret where key_secret.key_id = session.key_id and key_secret.hint = session.key_secret_hint
    and (valid_until is null or valid_until > ${now})))`;
