import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { refuseChanges } from '#platform/postgres/append-only.ts';

export const initial: Migration = {
  async up(db) {
    await createRuns(db);
    await createClaims(db);
    await createRecord(db);
    await createBackfills(db);
    for (const index of INDEXES) await sql.raw(`create ${index}`).execute(db);
  },
};

const INDEXES = [
  'index run_of_key on run (api_key_id, created_at desc, job_id desc)',
  // For the comparison of all runs with the usage ledger, newest first, a few hundred at a time.
  'index run_by_time on run (created_at desc, job_id desc)',
  // For the sweeper and the cancellations: these indexes hold only the few rows that still need work.
  `index run_unfinished on run (created_at) where status in ('queued', 'running')`,
  'index run_unrecorded on run (created_at) where usage_published is distinct from usage_due',
  'index run_cancel_due on run (cancelled_at) where cancel_due is not null',
  'index run_finished on run (finished_at) where finished_at is not null',
  'index idempotency_key_age on idempotency_key (created_at)',
  'index submission_age on submission (created_at)',
  `unique index record_run on record_entry (job_id) where kind = 'run'`,
  'index record_of_key on record_entry (model_id, api_key_id, seq)',
  // All of these entries are compared with every new dataset version, ordered by day.
  `index record_counted on record_entry ((body->>'dataset_kind'), (body->>'as_of'), seq)
    where kind = 'run' and body->>'counts' = 'true'`,
  `index record_outcome on record_entry (job_id, seq desc) where kind = 'outcome'`,
  `index record_version on record_entry (seq desc) where kind = 'version'`,
  'index backfill_of_key on backfill (api_key_id, created_at desc, backfill_id desc)',
  `unique index backfill_idempotency on backfill (api_key_id, idempotency_key)
    where idempotency_key is not null`,
  `index backfill_running on backfill (created_at) where status = 'running'`,
  'index backfill_finished on backfill (finished_at) where finished_at is not null',
];

async function createRuns(db: Kysely<unknown>): Promise<void> {
  await sql`create table run (
    job_id text primary key,
    event_id text not null unique,
    api_key_id text not null,
    end_user text not null,
    channel text not null,
    model_id text not null,
    view text not null,
    -- Not jsonb, which would change the order in which parameters are shown.
    params json not null,
    request_id text not null,
    status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'interrupted')),
    created_at timestamptz not null,
    started_at timestamptz,
    finished_at timestamptz,
    dataset_version text,
    pick_count integer,
    tickers text[],
    target_date text,
    error_message text,
    requested_at timestamptz,
    usage_due text generated always as (
      case when status in ('queued', 'running') then 'started' else status end
    ) stored,
    usage_published text,
    -- Null means the key itself.
    actor text,
    cancelled_at timestamptz,
    withdrawn_at timestamptz,
    cancel_due text generated always as (
      case when cancelled_at is null then null
        when status = 'running' then 'stop'
        when started_at is null and withdrawn_at is null and status = 'failed' then 'withdraw' end
    ) stored,
    trading_day text,
    -- What the run put on record, so that the removal of the newest entries can be detected too.
    recorded_picks integer,
    record_seq bigint,
    record_hash text,
    traceparent text,
    error_english text,
    -- A version can be pruned, so its kind cannot always be looked up afterwards.
    dataset_kind text,
    error_code text
  )`.execute(db);
}

/** A claim without a job is refused or closed: nothing starts under it any more. */
async function createClaims(db: Kysely<unknown>): Promise<void> {
  await sql`create table idempotency_key (
    api_key_id text not null,
    channel text not null,
    key text not null,
    fingerprint text not null,
    job_id text,
    created_at timestamptz not null,
    primary key (api_key_id, channel, key)
  )`.execute(db);
  await sql`create table submission (
    submission_id text primary key,
    job_id text,
    created_at timestamptz not null
  )`.execute(db);
}

async function createRecord(db: Kysely<unknown>): Promise<void> {
  await sql`create table record_entry (
    seq bigint primary key,
    written_at timestamptz not null,
    kind text not null check (kind in ('version', 'run', 'outcome')),
    -- Set for runs and outcomes only.
    model_id text,
    api_key_id text,
    job_id text,
    body json not null,
    previous_hash text not null,
    hash text not null
  )`.execute(db);
  await refuseChanges(db, 'record_entry');
}

async function createBackfills(db: Kysely<unknown>): Promise<void> {
  await sql`create table backfill (
    backfill_id text primary key,
    api_key_id text not null,
    end_user text not null,
    model_id text not null,
    params jsonb not null,
    from_day text not null,
    to_day text not null,
    step text not null,
    days text[] not null,
    status text not null check (status in ('running', 'succeeded', 'failed')),
    created_at timestamptz not null,
    -- The last progress: when its days were requested or a page was written.
    moved_at timestamptz,
    finished_at timestamptz,
    error_message text,
    idempotency_key text,
    fingerprint text not null,
    error_english text
  )`.execute(db);
  await sql`create table backfill_page (
    backfill_id text not null references backfill on delete cascade,
    as_of text not null,
    dataset_version text,
    tickers text[] not null,
    -- As the worker wrote it. Null if the run failed.
    result_json text,
    -- The parts of the result that differ in English.
    english jsonb not null,
    error_message text,
    error_english text,
    constraint backfill_page_key primary key (backfill_id, as_of)
  )`.execute(db);
}
