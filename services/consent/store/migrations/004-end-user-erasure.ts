import type { Migration } from 'kysely/migration';

export const endUserErasure: Migration = {
  async up(db) {
    await db.schema
      .createTable('end_user_erasure')
      .addColumn('api_key_id', 'text', (column) => column.notNull())
      .addColumn('end_user', 'text', (column) => column.notNull())
      .addColumn('erased_through', 'bigint', (column) => column.notNull())
      .addColumn('erased_at', 'timestamptz', (column) => column.notNull())
      .addPrimaryKeyConstraint('end_user_erasure_pk', ['api_key_id', 'end_user'])
      .execute();
  },
};
