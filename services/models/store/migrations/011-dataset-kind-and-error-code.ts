import type { Migration } from 'kysely/migration';

/**
 * What analysts need to tell runs on real data from runs on made-up data, and to count causes of failures. Null in rows that
 * ended before these columns existed: a version can be pruned, so its kind cannot always be looked up afterwards.
 */
export const datasetKindAndErrorCode: Migration = {
  up: async (db) => {
    for (const column of ['dataset_kind', 'error_code'])
      await db.schema.alterTable('run').addColumn(column, 'text').execute();
  },
};
