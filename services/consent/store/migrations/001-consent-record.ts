import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

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
    await sql`create function refuse_change() returns trigger language plpgsql as $$
      begin
        raise exception 'consent_record is append-only: % is refused', tg_op using errcode = 'restrict_violation';
      end $$`.execute(db);
    // Per statement, so that one which would meet no row is refused too.
    await sql`create trigger append_only before update or delete or truncate on consent_record
      for each statement execute function refuse_change()`.execute(db);
    // Also in a session that turns ordinary triggers off, as tools that copy data do.
    await sql`alter table consent_record enable always trigger append_only`.execute(db);
  },
};
