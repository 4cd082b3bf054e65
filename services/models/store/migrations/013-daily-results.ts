import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Results of daily runs on their way to market-data, which stores them as fields of stocks. */
export const dailyResults: Migration = {
  async up(db) {
    await sql`create table daily_result (
      job_id text primary key,
      request bytea not null,
      ended_at timestamptz not null
    )`.execute(db);
  },
};
