import { sql, type Kysely, type Selectable } from 'kysely';
import type { KeyAction } from './key-action.ts';
import type { KeysTables } from './tables.ts';

/** A key that is not deleted, as read at some moment. */
export interface KeyRow extends Omit<
  Selectable<KeysTables['api_key']>,
  'deleted_at' | 'noticed_expiry' | 'noticed_days'
> {
  /** The start of the newest secret. */
  hint: string;
  /** The end of the previous secret; null once it has passed. */
  previous_secret_until: Date | null;
}

export type KeyFields = Partial<
  Pick<KeyRow, 'name' | 'scopes' | 'rate_limit_per_minute' | 'expires_at' | 'disabled_at' | 'labels'>
>;

export interface SecretHash {
  secret_hash: string;
  pepper_id: string;
}

interface FoundKey {
  key: KeyRow;
  secretHash: string;
  secretHint: string;
  /** When that secret ends, which another one has replaced; null for the newest one. */
  validUntil: Date | null;
}

export interface NewSecret extends SecretHash {
  hint: string;
}

const KEY_COLUMNS = [
  'key.id',
  'key.name',
  'key.scopes',
  'key.rate_limit_per_minute',
  'key.created_at',
  'key.expires_at',
  'key.last_used_at',
  'key.disabled_at',
  'key.labels',
  'key.revision',
] as const;

/** A text that cannot be an id is not queried: the database would report a NUL in it as a bug of this service. */
const KEY_ID = /^key_(?:test_)?[0-9a-f]{24}$/;

/** Reads keys. Deleted keys are invisible to every method except `actions`. */
export class KeyStore {
  readonly #db: Kysely<KeysTables>;

  constructor(db: Kysely<KeysTables>) {
    this.#db = db;
  }

  list(now: Date): Promise<KeyRow[]> {
    return this.#keys(now).orderBy('key.created_at').orderBy('key.id').execute();
  }

  /** Ids of enabled keys with a scope that have not expired, in their order. */
  async withScope(
    scope: string,
    { after, limit, now }: { after: string; limit: number; now: Date },
  ): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('api_key')
      .select('id')
      .where('id', '>', after)
      .where('deleted_at', 'is', null)
      .where('disabled_at', 'is', null)
      .where((key) => key('expires_at', 'is', null).or('expires_at', '>', now))
      .where(sql<boolean>`${scope} = any(scopes)`)
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  }

  async find(id: string, now: Date): Promise<KeyRow | undefined> {
    if (!KEY_ID.test(id)) return undefined;
    return this.#keys(now).where('key.id', '=', id).executeTakeFirst();
  }

  /**
   * The key that this secret opens at that moment, and which of the hashes is stored. One statement decides whether a secret is
   * unknown, expired or valid, so that this process takes the same path in all cases.
   */
  async findBySecret(hashes: string[], now: Date): Promise<FoundKey | undefined> {
    const found = await this.#keys(now)
      .innerJoin('key_secret as shown', 'shown.key_id', 'key.id')
      .select([
        'shown.secret_hash as shown_hash',
        'shown.hint as shown_hint',
        'shown.valid_until as shown_until',
      ])
      .where('shown.secret_hash', 'in', hashes)
      .where((row) => row('shown.valid_until', 'is', null).or('shown.valid_until', '>', now))
      .where((row) => row('key.expires_at', 'is', null).or('key.expires_at', '>', now))
      .executeTakeFirst();
    if (!found) return undefined;
    const { shown_hash: secretHash, shown_hint: secretHint, shown_until: validUntil, ...key } = found;
    return { key, secretHash, secretHint, validUntil };
  }

  /** Actions of one key, or of all keys when no id is given, newest first. Includes actions on deleted keys. */
  async actions(keyId: string | undefined, limit: number): Promise<(KeyAction & { key_id: string })[]> {
    if (keyId !== undefined && !KEY_ID.test(keyId)) return [];
    return this.#db
      .selectFrom('key_action')
      .select(['ts', 'key_id', 'action', 'actor', 'request_id', 'changes'])
      .$if(keyId !== undefined, (query) => query.where('key_id', '=', keyId!))
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute();
  }

  /** How many valid secrets of keys that are not deleted are hashed under a pepper other than this one. */
  async countUnderOthers(newestPepperId: string, now: Date): Promise<number> {
    const { n } = await this.#db
      .selectFrom('key_secret')
      .innerJoin('api_key', 'api_key.id', 'key_id')
      .where('deleted_at', 'is', null)
      .where((row) => row('valid_until', 'is', null).or('valid_until', '>', now))
      .where('pepper_id', 'is distinct from', newestPepperId)
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow();
    return Number(n);
  }

  #keys(now: Date) {
    return this.#db
      .selectFrom('api_key as key')
      .innerJoin('key_secret as newest', (join) =>
        join.onRef('newest.key_id', '=', 'key.id').on('newest.valid_until', 'is', null),
      )
      .where('key.deleted_at', 'is', null)
      .select([...KEY_COLUMNS, 'newest.hint'])
      .select((row) =>
        row
          .selectFrom('key_secret as earlier')
          .whereRef('earlier.key_id', '=', 'key.id')
          .where('earlier.valid_until', '>', now)
          .select(({ fn }) => fn.max('earlier.valid_until').as('until'))
          .as('previous_secret_until'),
      );
  }
}
