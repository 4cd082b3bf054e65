import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

export const initial: Migration = {
  async up(db) {
    await db.schema
      .createTable('schedule')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('api_key_id', 'text', (column) => column.notNull())
      .addColumn('end_user', 'text', (column) => column.notNull())
      .addColumn('model_id', 'text', (column) => column.notNull())
      // Not jsonb, which would change the order in which parameters are shown.
      .addColumn('params', 'json', (column) => column.notNull())
      .addColumn('view', 'text', (column) => column.notNull())
      .addColumn('calendar', 'text', (column) =>
        column.notNull().check(sql`calendar in ('daily', 'weekly', 'monthly')`),
      )
      .addColumn('enabled', 'boolean', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('after_day', 'text', (column) => column.notNull())
      .addColumn('ended_because', 'text')
      .execute();
    // A schedule keeps its place in each market, so that days of one do not move it past days of the other.
    await db.schema
      .createTable('schedule_place')
      .addColumn('schedule_id', 'text', (column) =>
        column.notNull().references('schedule.id').onDelete('cascade'),
      )
      .addColumn('market', 'text', (column) => column.notNull())
      .addColumn('after_day', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('one_place_a_market', ['schedule_id', 'market'])
      .execute();
    await db.schema
      .createTable('firing')
      // No foreign key: firings stay on record after their schedule is deleted.
      .addColumn('schedule_id', 'text', (column) => column.notNull())
      .addColumn('trading_day', 'text', (column) => column.notNull())
      .addColumn('params', 'json', (column) => column.notNull())
      .addColumn('noticed_at', 'timestamptz', (column) => column.notNull())
      .addColumn('outcome', 'text', (column) => column.check(sql`outcome in ('accepted', 'refused')`))
      .addColumn('decided_at', 'timestamptz')
      .addColumn('job_id', 'text')
      .addColumn('reason', 'text')
      .addColumn('first_attempt_at', 'timestamptz')
      .addColumn('next_attempt_at', 'timestamptz', (column) => column.notNull())
      .addColumn('market', 'text', (column) => column.notNull().defaultTo('real'))
      .addPrimaryKeyConstraint('one_firing_a_day', ['schedule_id', 'market', 'trading_day'])
      .execute();
    await sql`create index firing_waiting on firing (next_attempt_at) where outcome is null`.execute(db);
    await sql`create index firing_newest on firing (noticed_at desc)`.execute(db);
  },
};
