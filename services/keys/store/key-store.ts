import type { Kysely, Selectable } from 'kysely';
import type { ApiKeyTable, KeysTables } from './tables.ts';

export type KeyRow = Omit<Selectable<ApiKeyTable>, 'secret_hash' | 'deleted_at'>;

const VISIBLE = [
  'id',
  'name',
  'hint',
  'scopes',
  'rate_limit_per_minute',
  'created_at',
  'disabled_at',
] as const;

/** The table `api_key`. A deleted key is invisible to every method. */
export class KeyStore {
  readonly #db: Kysely<KeysTables>;

  constructor(db: Kysely<KeysTables>) {
    this.#db = db;
  }

  async insert(row: KeyRow & { secret_hash: string }): Promise<void> {
    await this.#db.insertInto('api_key').values(row).execute();
  }

  list(): Promise<KeyRow[]> {
    return this.#db
      .selectFrom('api_key')
      .select(VISIBLE)
      .where('deleted_at', 'is', null)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
  }

  findByHash(secretHash: string): Promise<KeyRow | undefined> {
    return this.#db
      .selectFrom('api_key')
      .select(VISIBLE)
      .where('secret_hash', '=', secretHash)
      .where('deleted_at', 'is', null)
      .executeTakeFirst();
  }

  /** Sets or clears when the key was disabled. Undefined when there is no such key. */
  setDisabled(id: string, disabledAt: Date | null): Promise<KeyRow | undefined> {
    return this.#change(id, { disabled_at: disabledAt });
  }

  /** Revokes for good. Undefined when there is no such key. */
  delete(id: string, deletedAt: Date): Promise<KeyRow | undefined> {
    return this.#change(id, { deleted_at: deletedAt });
  }

  #change(
    id: string,
    change: { disabled_at: Date | null } | { deleted_at: Date },
  ): Promise<KeyRow | undefined> {
    return this.#db
      .updateTable('api_key')
      .set(change)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning(VISIBLE)
      .executeTakeFirst();
  }
}
