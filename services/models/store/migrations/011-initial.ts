import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { refuseChanges } from '#platform/postgres/append-only.ts';

export const initial: Migration = {
  async up(db) {
    await createRuns(db);
    await createClaims(db);
    await createRecord(db);
    await createBackfills(db);
  },
};

async function createRuns(db: Kysely<unknown>): Promise<void> {
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
    // Null means the key itself.
    .addColumn('actor', 'text')
    .addColumn('cancelled_at', 'timestamptz')
    .addColumn('withdrawn_at', 'timestamptz')
    .addColumn('cancel_due', 'text', (column) =>
      column
        .generatedAlwaysAs(
          sql`case when cancelled_at is null then null
           when status = 'running' then 'stop'
           when started_at is null and withdrawn_at is null and status = 'failed' then 'withdraw'
      end`,
        )
        .stored(),
    )
    .addColumn('trading_day', 'text')
    // What the run put on record, so that the removal of the newest entries can be detected too.
    .addColumn('recorded_picks', 'integer')
    .addColumn('record_seq', 'bigint')
    .addColumn('record_hash', 'text')
    .addColumn('traceparent', 'text')
    .addColumn('error_english', 'text')
    // A version can be pruned, so its kind cannot always be looked up afterwards.
    .addColumn('dataset_kind', 'text')
    .addColumn('error_code', 'text')
    .execute();
  await sql`create index run_of_key on run (api_key_id, created_at desc, job_id desc)`.execute(db);
  // For the comparison of all runs with the usage ledger, newest first, a few hundred at a time.
  await sql`create index run_by_time on run (created_at desc, job_id desc)`.execute(db);
  // For the sweeper and the cancellations: these indexes hold only the few rows that still need work.
  await sql`create index run_unfinished on run (created_at) where status in ('queued', 'running')`.execute(
    db,
  );
  await sql`create index run_unrecorded on run (created_at) where usage_published is distinct from usage_due`.execute(
    db,
  );
  await sql`create index run_cancel_due on run (cancelled_at) where cancel_due is not null`.execute(db);
  await sql`create index run_finished on run (finished_at) where finished_at is not null`.execute(db);
}

/** A claim without a job is refused or closed: nothing starts under it any more. */
async function createClaims(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('idempotency_key')
    .addColumn('api_key_id', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('job_id', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_key_pkey', ['api_key_id', 'channel', 'key'])
    .execute();
  await db.schema.createIndex('idempotency_key_age').on('idempotency_key').column('created_at').execute();
  await db.schema
    .createTable('submission')
    .addColumn('submission_id', 'text', (column) => column.primaryKey())
    .addColumn('job_id', 'text')
    .addColumn('created_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('submission_age').on('submission').column('created_at').execute();
}

async function createRecord(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('record_entry')
    .addColumn('seq', 'bigint', (column) => column.primaryKey())
    .addColumn('written_at', 'timestamptz', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('version', 'run', 'outcome')`))
    // Set for runs and outcomes only.
    .addColumn('model_id', 'text')
    .addColumn('api_key_id', 'text')
    .addColumn('job_id', 'text')
    .addColumn('body', 'json', (column) => column.notNull())
    .addColumn('previous_hash', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .execute();
  await sql`create unique index record_run on record_entry (job_id) where kind = 'run'`.execute(db);
  await sql`create index record_of_key on record_entry (model_id, api_key_id, seq)`.execute(db);
  // All of these entries are compared with every new dataset version, ordered by day.
  await sql`create index record_counted on record_entry ((body->>'dataset_kind'), (body->>'as_of'), seq)
      where kind = 'run' and body->>'counts' = 'true'`.execute(db);
  await sql`create index record_outcome on record_entry (job_id, seq desc) where kind = 'outcome'`.execute(
    db,
  );
  await sql`create index record_version on record_entry (seq desc) where kind = 'version'`.execute(db);
  await refuseChanges(db, 'record_entry');
}

async function createBackfills(db: Kysely<unknown>): Promise<void> {
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
    .addColumn('error_english', 'text')
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
    .addColumn('error_english', 'text')
    .addPrimaryKeyConstraint('backfill_page_key', ['backfill_id', 'as_of'])
    .execute();
}
