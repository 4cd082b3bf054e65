import type { Migration } from 'kysely/migration';

export const traceparent: Migration = {
  up: (db) => db.schema.alterTable('run').addColumn('traceparent', 'text').execute(),
};
