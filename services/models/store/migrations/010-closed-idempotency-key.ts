import type { Migration } from 'kysely/migration';

/** A key may be held without a run: nothing begins under it any more. */
export const closedIdempotencyKey: Migration = {
  up: (db) =>
    db.schema
      .alterTable('idempotency_key')
      .alterColumn('job_id', (column) => column.dropNotNull())
      .execute(),
};
