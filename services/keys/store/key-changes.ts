import { sql, type Kysely, type QueryCreator } from 'kysely';
import type { KeyAction } from './key-action.ts';
import type { KeyFields, KeyRow, NewSecret, SecretHash } from './key-store.ts';
import type { KeysTables } from './tables.ts';

type NewKeyRow = Omit<KeyRow, 'hint' | 'last_used_at' | 'previous_secret_until' | 'revision'>;

type InChange = QueryCreator<KeysTables & { changed: { id: string } }>;

/**
 * Changes of keys. Each change is one statement that also writes its audit record, so neither exists without the other and a
 * lost connection leaves no transaction open. Changes use compare-and-set: false means that the key has changed since it was
 * read, and that nothing was written.
 */
export class KeyChanges {
  readonly #db: Kysely<KeysTables>;

  constructor(db: Kysely<KeysTables>) {
    this.#db = db;
  }

  async insert({ labels, ...key }: NewKeyRow, secret: NewSecret, action: KeyAction): Promise<void> {
    const { id: key_id, created_at } = key;
    await this.#db
      .with('created', (db) => db.insertInto('api_key').values({ ...key, labels: JSON.stringify(labels) }))
      .with('secret', (db) => db.insertInto('key_secret').values({ ...secret, key_id, created_at }))
      .insertInto('key_action')
      .values({ ...action, key_id, changes: JSON.stringify(action.changes) })
      .execute();
  }

  async update(key: KeyRow, { labels, ...fields }: KeyFields, action: KeyAction): Promise<boolean> {
    const set = { ...fields, ...(labels && { labels: JSON.stringify(labels) }) };
    const changed = this.#changed(key, set, action);
    const ended = fields.disabled_at ? changed.with('ended_sessions', endSessions) : changed;
    return happened(await ended.selectFrom('changed').select('id').execute());
  }

  /**
   * Existing secrets stop working at `until`. Those that end earlier keep their end. Sessions end now: whoever held the old secret may
   * have started them.
   */
  async rotate(key: KeyRow, secret: NewSecret, until: Date, action: KeyAction): Promise<boolean> {
    const added = selectionOf({ ...secret, created_at: action.ts });
    const changed = await this.#changed(key, {}, action)
      .with('ended', endSecrets(until))
      .with('ended_sessions', endSessions)
      .with('added', (db) =>
        db
          .insertInto('key_secret')
          .columns(['key_id', ...added.columns])
          .expression(db.selectFrom('changed').select(['id', ...added.values])),
      )
      .selectFrom('changed')
      .select('id')
      .execute();
    return happened(changed);
  }

  /** Revokes permanently: neither the key nor any of its secrets is found afterwards. */
  async delete(key: KeyRow, action: KeyAction): Promise<boolean> {
    const changed = await this.#changed(key, { deleted_at: action.ts }, action)
      .with('ended', endSecrets(action.ts))
      .with('ended_sessions', endSessions)
      .selectFrom('changed')
      .select('id')
      .execute();
    return happened(changed);
  }

  /** Records a use, unless a later one is already recorded. */
  async touch(id: string, usedAt: Date): Promise<void> {
    await this.#db
      .updateTable('api_key')
      .set({ last_used_at: usedAt })
      .where('id', '=', id)
      .where((key) => key('last_used_at', 'is', null).or('last_used_at', '<', usedAt))
      .execute();
  }

  /** Stores the same secret under another hash. Does nothing if another process has already done so. */
  async rehash(from: string, to: SecretHash): Promise<void> {
    await this.#db.updateTable('key_secret').set(to).where('secret_hash', '=', from).execute();
  }

  /** Removes audit records of actions before this date. Returns how many it removed. */
  async forgetActions(before: Date): Promise<number> {
    const { rows } = await sql<{ n: string }>`select forget_key_actions(${before}) as n`.execute(this.#db);
    return Number(rows[0]!.n);
  }

  /** A query that changes the key and writes its audit record. Callers may extend it before they execute it. */
  #changed({ id, revision }: KeyRow, fields: object, action: KeyAction) {
    const record = selectionOf({ ...action, changes: JSON.stringify(action.changes) });
    return this.#db
      .with('changed', (db) =>
        db
          .updateTable('api_key')
          .set({ ...fields, revision: revision + 1 })
          .where('id', '=', id)
          .where('revision', '=', revision)
          .where('deleted_at', 'is', null)
          .returning('id'),
      )
      .with('recorded', (db) =>
        db
          .insertInto('key_action')
          .columns(['key_id', ...record.columns])
          .expression(db.selectFrom('changed').select(['id', ...record.values])),
      );
  }
}

const happened = (changed: unknown[]): boolean => changed.length > 0;

const endSecrets = (until: Date) => (db: InChange) =>
  db
    .updateTable('key_secret')
    .from('changed')
    .whereRef('key_secret.key_id', '=', 'changed.id')
    // `least` ignores null, so a secret without an end gets `until`.
    .set({ valid_until: sql<Date>`least(valid_until, ${until})` });

const endSessions = (db: InChange) =>
  db.deleteFrom('session').using('changed').whereRef('session.key_id', '=', 'changed.id');

/** The columns and values of a row, for an insert that takes them from a query instead of `values`. */
function selectionOf<Row extends object>(row: Row) {
  const columns = Object.keys(row) as (keyof Row & string)[];
  return { columns, values: columns.map((column) => sql`${row[column]}`.as(column)) };
}
