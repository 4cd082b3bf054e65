import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const run: Migration = {
  async up(db) {
    await db.schema
      .createTable('run')
      .addColumn('job_id', 'text', (column) => column.primaryKey())
      .addColumn('event_id', 'text', (column) => column.notNull().unique())
      .addColumn('api_key_id', 'text', (column) => column.notNull())
      .addColumn('end_user', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('model_id', 'text', (column) => column.notNull())
      .addColumn('view', 'text', (column) => column.notNull())
      // Not jsonb, which would change the order in which parameters are shown.
      .addColumn('params', 'json', (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) =>
        column.notNull().check(sql`status in ('queued', 'running', 'succeeded', 'failed', 'interrupted')`),
      )
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('started_at', 'timestamptz')
      .addColumn('finished_at', 'timestamptz')
      .addColumn('dataset_version', 'text')
      .addColumn('pick_count', 'integer')
      .addColumn('tickers', sql`text[]`)
      .addColumn('target_date', 'text')
      .addColumn('error_message', 'text')
      .addColumn('requested_at', 'timestamptz')
      .addColumn('usage_due', 'text', (column) =>
        column
          .generatedAlwaysAs(sql`case when status in ('queued', 'running') then 'started' else status end`)
          .stored(),
      )
      .addColumn('usage_published', 'text')
      .execute();
    await sql`create index run_of_key on run (api_key_id, created_at desc, job_id desc)`.execute(db);
    // For the sweeper's queries: these indexes hold only the few rows that still need work.
    await sql`create index run_unfinished on run (created_at) where status in ('queued', 'running')`.execute(
      db,
    );
    await sql`create index run_unrecorded on run (created_at) where usage_published is distinct from usage_due`.execute(
      db,
    );
    await sql`create index run_finished on run (finished_at) where finished_at is not null`.execute(db);
  },
};
