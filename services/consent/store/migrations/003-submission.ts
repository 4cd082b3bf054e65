import type { Migration } from 'kysely/migration';

export const submission: Migration = {
  async up(db) {
    await db.schema
      .createTable('submission')
      .addColumn('submission_id', 'text', (column) => column.primaryKey())
      // Null for a refused submission.
      .addColumn('consent_id', 'text')
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('submission_age').on('submission').column('created_at').execute();
  },
};
