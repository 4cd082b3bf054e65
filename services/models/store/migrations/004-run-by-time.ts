import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Every run is compared with the usage ledger from the newest to the oldest, some hundreds at a time. */
export const runByTime: Migration = {
  async up(db) {
    await sql`create index run_by_time on run (created_at desc, job_id desc)`.execute(db);
  },
};
