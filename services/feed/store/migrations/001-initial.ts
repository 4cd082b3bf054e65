import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const initial: Migration = {
  async up(db) {
    await db.schema
      .createTable('source')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('next_attempt_at', 'timestamptz', (column) => column.notNull())
      .addColumn('asked_at', 'timestamptz')
      .addColumn('leased_until', 'timestamptz')
      .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('reason', 'text')
      .addColumn('paused_at', 'timestamptz')
      .addColumn('pause_reason', 'text')
      .addColumn('due_subject', 'text')
      .addColumn('last_day', 'text')
      .addColumn('last_published_at', 'timestamptz')
      .addColumn('catch_up_from', 'text')
      .addColumn('catch_up_to', 'text')
      .addColumn('catch_up_done', 'text')
      .execute();
    await db.schema
      .createTable('fetch_log')
      .addColumn('id', 'bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey())
      // No foreign key: fetches stay on record after their source is no longer declared.
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('started_at', 'timestamptz', (column) => column.notNull())
      .addColumn('ended_at', 'timestamptz')
      .addColumn('outcome', 'text', (column) =>
        column.notNull().check(sql`outcome in ('running', 'published', 'unchanged', 'failed')`),
      )
      .addColumn('problem', 'text')
      .addColumn('reason', 'text')
      .addColumn('bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('rows', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('rejected_rows', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('findings', 'jsonb', (column) => column.notNull().defaultTo(sql`'[]'::jsonb`))
      .addColumn('dataset_version', 'text')
      .addColumn('digest', 'text')
      .execute();
    await sql`create index fetch_log_of_source on fetch_log (source, id desc)`.execute(db);
    await sql`create index fetch_log_of_subject on fetch_log (source, subject, id desc)`.execute(db);
    await sql`create index fetch_log_content on fetch_log (source, digest) where digest is not null`.execute(
      db,
    );
    await sql`create index fetch_log_age on fetch_log (started_at)`.execute(db);
    await sql`create index fetch_log_running on fetch_log (source) where outcome = 'running'`.execute(db);
  },
};
