import type { Migration } from 'kysely/migration';

export const idempotency: Migration = {
  async up(db) {
    await db.schema
      .createTable('idempotency')
      .addColumn('api_key_id', 'text', (column) => column.notNull())
      .addColumn('idempotency_key', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('consent_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotency_pk', ['api_key_id', 'idempotency_key'])
      .execute();
    await db.schema.createIndex('idempotency_by_age').on('idempotency').column('created_at').execute();
  },
};
