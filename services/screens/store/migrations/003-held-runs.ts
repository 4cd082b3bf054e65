import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Runs of screens on their way to the usage ledger, while NATS is unavailable. */
export const heldRuns: Migration = {
  async up(db) {
    await sql`create table held_run (
      event_id text primary key,
      message bytea not null,
      ran_at timestamptz not null
    )`.execute(db);
    await db.schema.createIndex('held_run_age').on('held_run').column('ran_at').execute();
  },
};
