import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { refuseChanges } from '#platform/postgres/append-only.ts';

export const initial: Migration = {
  async up(db) {
    await db.schema
      .createTable('consent_record')
      .addColumn('consent_id', 'text', (column) => column.primaryKey())
      .addColumn('ts', 'timestamptz', (column) => column.notNull())
      .addColumn('api_key_id', 'text', (column) => column.notNull())
      .addColumn('end_user', 'text', (column) => column.notNull())
      .addColumn('document_id', 'text', (column) => column.notNull())
      .addColumn('document_version', 'text', (column) => column.notNull())
      .addColumn('locale', 'text')
      .addColumn('client_version', 'text')
      .addColumn('request_id', 'text', (column) => column.notNull())
      .addColumn('written_as', 'bigint', (column) => column.generatedAlwaysAsIdentity().notNull())
      .execute();
    await sql`create index consent_record_of_end_user
      on consent_record (api_key_id, end_user, document_id, written_as desc)`.execute(db);
    await refuseChanges(db, 'consent_record');
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
    await db.schema
      .createTable('submission')
      .addColumn('submission_id', 'text', (column) => column.primaryKey())
      // Null for a refused submission.
      .addColumn('consent_id', 'text')
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('submission_age').on('submission').column('created_at').execute();
  },
};
