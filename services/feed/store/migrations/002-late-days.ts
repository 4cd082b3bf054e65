import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createOutbox } from '#platform/postgres/outbox.ts';

/** Applications are told of days that are late. */
export const lateDays: Migration = {
  async up(db) {
    await createOutbox(db);
    await sql`create table late_day (
      market text not null,
      day text not null,
      told_at timestamptz not null,
      primary key (market, day)
    )`.execute(db);
  },
};
