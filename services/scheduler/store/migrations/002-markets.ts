import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * A schedule keeps its place in each market, so that days of one do not move it past days of the other. Schedules get no place
 * here, because nobody knows which market their days so far were of: see `FiringStore.enter`.
 */
export const markets: Migration = {
  async up(db) {
    await db.schema
      .createTable('schedule_place')
      .addColumn('schedule_id', 'text', (column) =>
        column.notNull().references('schedule.id').onDelete('cascade'),
      )
      .addColumn('market', 'text', (column) => column.notNull())
      .addColumn('after_day', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('one_place_a_market', ['schedule_id', 'market'])
      .execute();
    await sql`alter table schedule add column ended_because text`.execute(db);
    // The market of earlier firings is not known either. They stay on record as real ones.
    await sql`alter table firing add column market text not null default 'real'`.execute(db);
    await sql`alter table firing drop constraint one_firing_a_day`.execute(db);
    await sql`alter table firing add constraint one_firing_a_day primary key (schedule_id, market, trading_day)`.execute(
      db,
    );
  },
};
