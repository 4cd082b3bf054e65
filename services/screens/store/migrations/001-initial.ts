import { sql, type CreateTableBuilder, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

export const initial: Migration = {
  async up(db) {
    await owned(db, 'screen', 'screen_id')
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('screen_version')
      .addColumn('screen_id', 'text', ofScreen)
      .addColumn('version', 'integer', (column) => column.notNull())
      // Not jsonb, which would change the order of conditions' members and refuse some texts.
      .addColumn('rules', 'json', (column) => column.notNull())
      .addColumn('universe', 'json')
      .addColumn('made_at', 'timestamptz', (column) => column.notNull())
      .addPrimaryKeyConstraint('screen_version_pk', ['screen_id', 'version'])
      .execute();
    await owned(db, 'watchlist', 'watchlist_id')
      .addColumn('tickers', 'json', (column) => column.notNull())
      .addColumn('updated_at', 'timestamptz', (column) => column.notNull())
      .execute();
    for (const table of ['screen', 'watchlist'])
      await sql`create index ${sql.ref(`${table}_of_key`)}
        on ${sql.table(table)} (api_key_id, created_at desc, ${sql.ref(`${table}_id`)} desc)`.execute(db);
    await createFollowing(db);
  },
};

/** Where screens have come to in each market, and what has changed in them. */
async function createFollowing(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('screen_place')
    .addColumn('screen_id', 'text', ofScreen)
    .addColumn('market', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('dataset_version', 'text', (column) => column.notNull())
    .addColumn('as_of', 'text')
    .addColumn('tickers', sql`text[]`, (column) => column.notNull())
    .addColumn('previous_as_of', 'text')
    .addColumn('previous_tickers', sql`text[]`, (column) => column.notNull())
    .addColumn('failure', 'text')
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('screen_place_pk', ['screen_id', 'market'])
    .execute();
  await db.schema
    .createTable('screen_change')
    .addColumn('screen_id', 'text', ofScreen)
    .addColumn('market', 'text', (column) => column.notNull())
    .addColumn('as_of', 'text', (column) => column.notNull())
    .addColumn('previous_as_of', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('dataset_version', 'text', (column) => column.notNull())
    .addColumn('entered', 'json', (column) => column.notNull())
    .addColumn('left', 'json', (column) => column.notNull())
    .addColumn('recorded_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('screen_change_pk', ['screen_id', 'market', 'as_of'])
    .execute();
  await db.schema.createIndex('screen_change_age').on('screen_change').column('recorded_at').execute();
  await db.schema
    .createTable('following_turn')
    .addColumn('market', 'text', (column) => column.primaryKey())
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('leased_until', 'timestamptz', (column) => column.notNull())
    .execute();
}

/** A table whose rows belong to end users of keys. */
function owned(db: Kysely<unknown>, table: string, id: string): CreateTableBuilder<string> {
  return db.schema
    .createTable(table)
    .addColumn(id, 'text', (column) => column.primaryKey())
    .addColumn('api_key_id', 'text', (column) => column.notNull())
    .addColumn('end_user', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('shared', 'boolean', (column) => column.notNull())
    .addColumn('created_at', 'timestamptz', (column) => column.notNull());
}

type Column = Parameters<Parameters<CreateTableBuilder<string>['addColumn']>[2] & object>[0];

/** Deleting a screen leaves nothing of it. */
function ofScreen(column: Column): Column {
  return column.notNull().references('screen.screen_id').onDelete('cascade');
}
