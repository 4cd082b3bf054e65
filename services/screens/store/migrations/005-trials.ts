import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What end users have tried on past days. Outlives the screens. */
export const trials: Migration = {
  async up(db) {
    await sql`create table trial (
      trial_id text primary key,
      api_key_id text not null,
      end_user text not null,
      variant text not null,
      market text not null,
      first_day text not null,
      last_day text not null,
      rules json not null,
      universe json,
      period_days integer not null,
      excess double precision[] not null,
      tried_at timestamptz not null
    )`.execute(db);
    await sql`create index trial_of_end_user on trial (api_key_id, end_user, variant)`.execute(db);
  },
};
