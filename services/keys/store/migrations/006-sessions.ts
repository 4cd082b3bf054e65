import type { Migration } from 'kysely/migration';

/** Browsers stay signed in without keeping a key. */
export const sessions: Migration = {
  async up(db) {
    await db.schema
      .createTable('session')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('key_id', 'text', (column) => column.notNull().references('api_key.id'))
      .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('last_used_at', 'timestamptz', (column) => column.notNull())
      .addColumn('browser', 'text', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('session_of_key').on('session').column('key_id').execute();
  },
};
