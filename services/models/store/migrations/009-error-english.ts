import type { Migration } from 'kysely/migration';

/** The error message in English. Null in rows written before this column existed. */
export const errorEnglish: Migration = {
  up: async (db) => {
    for (const table of ['run', 'backfill', 'backfill_page'])
      await db.schema.alterTable(table).addColumn('error_english', 'text').execute();
  },
};
