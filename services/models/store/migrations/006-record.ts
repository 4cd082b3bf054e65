import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { refuseChanges } from '#shared/postgres/append-only.ts';

export const record: Migration = {
  async up(db) {
    await db.schema
      .createTable('record_entry')
      .addColumn('seq', 'bigint', (column) => column.primaryKey())
      .addColumn('written_at', 'timestamptz', (column) => column.notNull())
      .addColumn('kind', 'text', (column) =>
        column.notNull().check(sql`kind in ('version', 'run', 'outcome')`),
      )
      // Set for runs and outcomes only.
      .addColumn('model_id', 'text')
      .addColumn('api_key_id', 'text')
      .addColumn('job_id', 'text')
      .addColumn('body', 'json', (column) => column.notNull())
      .addColumn('previous_hash', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .execute();
    await sql`create unique index record_run on record_entry (job_id) where kind = 'run'`.execute(db);
    await sql`create index record_of_key on record_entry (model_id, api_key_id, seq)`.execute(db);
    // All of these entries are compared with every new dataset version, ordered by day.
    await sql`create index record_counted on record_entry ((body->>'dataset_kind'), (body->>'as_of'), seq)
      where kind = 'run' and body->>'counts' = 'true'`.execute(db);
    await sql`create index record_outcome on record_entry (job_id, seq desc) where kind = 'outcome'`.execute(
      db,
    );
    await sql`create index record_version on record_entry (seq desc) where kind = 'version'`.execute(db);
    await refuseChanges(db, 'record_entry');
    // What a run put on record, so that the removal of the newest entries can be detected too.
    await db.schema
      .alterTable('run')
      .addColumn('recorded_picks', 'integer')
      .addColumn('record_seq', 'bigint')
      .addColumn('record_hash', 'text')
      .execute();
  },
};
