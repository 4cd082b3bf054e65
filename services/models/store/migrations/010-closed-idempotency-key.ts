import type { Migration } from 'kysely/migration';

/** A key without a run is closed: nothing starts under it any more. */
export const closedIdempotencyKey: Migration = {
  up: (db) =>
    db.schema
      .alterTable('idempotency_key')
      .alterColumn('job_id', (column) => column.dropNotNull())
      .execute(),
};
