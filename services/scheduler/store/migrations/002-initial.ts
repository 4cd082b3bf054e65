import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const initial: Migration = {
  async up(db) {
    await sql`create table schedule (
      id text primary key,
      name text not null,
      api_key_id text not null,
      end_user text not null,
      model_id text not null,
      -- Not jsonb, which would change the order in which parameters are shown.
      params json not null,
      view text not null,
      calendar text not null check (calendar in ('daily', 'weekly', 'monthly')),
      enabled boolean not null,
      created_at timestamptz not null,
      after_day text not null,
      ended_because text
    )`.execute(db);
    // A schedule keeps its place in each market, so that days of one do not move it past days of the other.
    await sql`create table schedule_place (
      schedule_id text not null references schedule on delete cascade,
      market text not null,
      after_day text not null,
      constraint one_place_a_market primary key (schedule_id, market)
    )`.execute(db);
    // No foreign key: firings stay on record after their schedule is deleted.
    await sql`create table firing (
      schedule_id text not null,
      trading_day text not null,
      params json not null,
      noticed_at timestamptz not null,
      outcome text check (outcome in ('accepted', 'refused')),
      decided_at timestamptz,
      job_id text,
      reason text,
      first_attempt_at timestamptz,
      next_attempt_at timestamptz not null,
      market text not null default 'real',
      constraint one_firing_a_day primary key (schedule_id, market, trading_day)
    )`.execute(db);
    await sql`create index firing_waiting on firing (next_attempt_at) where outcome is null`.execute(db);
    await sql`create index firing_newest on firing (noticed_at desc)`.execute(db);
  },
};
