import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const apiKey: Migration = {
  async up(db) {
    await db.schema
      .createTable('api_key')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('hint', 'text', (column) => column.notNull())
      .addColumn('secret_hash', 'text', (column) => column.notNull().unique())
      .addColumn('scopes', sql`text[]`, (column) => column.notNull())
      .addColumn('rate_limit_per_minute', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('disabled_at', 'timestamptz')
      .addColumn('deleted_at', 'timestamptz')
      .execute();
  },
};
