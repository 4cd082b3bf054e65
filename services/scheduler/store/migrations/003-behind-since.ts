import type { Migration } from 'kysely/migration';

export const behindSince: Migration = {
  async up(db) {
    await db.schema.alterTable('schedule_place').addColumn('behind_since', 'timestamptz').execute();
  },
};
