import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { refuseChanges } from '#shared/postgres/append-only.ts';

export const consentRecord: Migration = {
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
  },
};
