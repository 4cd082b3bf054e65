import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** For comparing all runs with the usage ledger, newest first, a few hundred at a time. */
export const runByTime: Migration = {
  async up(db) {
    await sql`create index run_by_time on run (created_at desc, job_id desc)`.execute(db);
  },
};
