import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const backfill: Migration = {
  async up(db) {
    await db.schema
      .createTable('backfill')
      .addColumn('backfill_id', 'text', (column) => column.primaryKey())
      .addColumn('api_key_id', 'text', (column) => column.notNull())
      .addColumn('end_user', 'text', (column) => column.notNull())
      .addColumn('model_id', 'text', (column) => column.notNull())
      .addColumn('params', 'jsonb', (column) => column.notNull())
      .addColumn('from_day', 'text', (column) => column.notNull())
      .addColumn('to_day', 'text', (column) => column.notNull())
      .addColumn('step', 'text', (column) => column.notNull())
      .addColumn('days', sql`text[]`, (column) => column.notNull())
      .addColumn('status', 'text', (column) =>
        column.notNull().check(sql`status in ('running', 'succeeded', 'failed')`),
      )
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      // The last progress: when its days were requested or a page was written.
      .addColumn('moved_at', 'timestamptz')
      .addColumn('finished_at', 'timestamptz')
      .addColumn('error_message', 'text')
      .addColumn('idempotency_key', 'text')
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .execute();
    await sql`create index backfill_of_key on backfill (api_key_id, created_at desc, backfill_id desc)`.execute(
      db,
    );
    await sql`create unique index backfill_idempotency on backfill (api_key_id, idempotency_key) where idempotency_key is not null`.execute(
      db,
    );
    await sql`create index backfill_running on backfill (created_at) where status = 'running'`.execute(db);
    await sql`create index backfill_finished on backfill (finished_at) where finished_at is not null`.execute(
      db,
    );
    await db.schema
      .createTable('backfill_page')
      .addColumn('backfill_id', 'text', (column) =>
        column.notNull().references('backfill.backfill_id').onDelete('cascade'),
      )
      .addColumn('as_of', 'text', (column) => column.notNull())
      .addColumn('dataset_version', 'text')
      .addColumn('tickers', sql`text[]`, (column) => column.notNull())
      // As the worker wrote it. Null if the run failed.
      .addColumn('result_json', 'text')
      // The parts of the result that differ in English.
      .addColumn('english', 'jsonb', (column) => column.notNull())
      .addColumn('error_message', 'text')
      .addPrimaryKeyConstraint('backfill_page_key', ['backfill_id', 'as_of'])
      .execute();
  },
};
