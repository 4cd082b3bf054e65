import type { Migration } from 'kysely/migration';

/** Why it failed, in English. Null in rows from before. */
export const errorEnglish: Migration = {
  up: async (db) => {
    for (const table of ['run', 'backfill', 'backfill_page'])
      await db.schema.alterTable(table).addColumn('error_english', 'text').execute();
  },
};
