import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const cancellationAndIdempotency: Migration = {
  async up(db) {
    await db.schema
      .alterTable('run')
      // Null means the key itself: processes without this column keep accepting runs while this one starts.
      .addColumn('actor', 'text')
      .addColumn('cancelled_at', 'timestamptz')
      .addColumn('withdrawn_at', 'timestamptz')
      .execute();
    await sql`alter table run add column cancel_due text generated always as (
      case when cancelled_at is null then null
           when status = 'running' then 'stop'
           when started_at is null and withdrawn_at is null and status = 'failed' then 'withdraw'
      end) stored`.execute(db);
    await sql`create index run_cancel_due on run (cancelled_at) where cancel_due is not null`.execute(db);
    await db.schema
      .createTable('idempotency_key')
      .addColumn('api_key_id', 'text', (column) => column.notNull())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('job_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotency_key_pkey', ['api_key_id', 'channel', 'key'])
      .execute();
    await db.schema.createIndex('idempotency_key_age').on('idempotency_key').column('created_at').execute();
  },
};
