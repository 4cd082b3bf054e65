import type { Migration } from 'kysely/migration';

export const askedAt: Migration = {
  async up(db) {
    await db.schema.alterTable('source').addColumn('asked_at', 'timestamptz').execute();
  },
};
