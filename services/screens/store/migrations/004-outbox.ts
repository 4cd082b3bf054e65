import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createOutbox } from '#platform/postgres/outbox.ts';
import { subjects } from '#platform/nats/subjects.ts';

/** One table for everything on its way to a stream: events of screens, and runs that NATS has not taken. */
export const outbox: Migration = {
  async up(db) {
    await createOutbox(db);
    await sql`insert into outbox (message_id, subject, message, written_at)
      select event_id, ${sql.lit(subjects.screenRun)}, message, ran_at from held_run order by ran_at`.execute(
      db,
    );
    await sql`drop table held_run`.execute(db);
    await sql`create table budget_notice (
      api_key_id text not null,
      budget text not null,
      window_began_at timestamptz not null,
      primary key (api_key_id, budget)
    )`.execute(db);
  },
};
