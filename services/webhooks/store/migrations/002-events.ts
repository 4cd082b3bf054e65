import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createOutbox } from '#platform/postgres/outbox.ts';

/** What the service itself tells, and the dataset versions that applications were told of. */
export const events: Migration = {
  async up(db) {
    await createOutbox(db);
    await sql`create table told_dataset (version text primary key, told_at timestamptz not null)`.execute(db);
    await sql`create index event_of_end_user on event ((data ->> 'end_user'), api_key_id)
      where data ->> 'end_user' is not null`.execute(db);
  },
};
