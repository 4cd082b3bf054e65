import type { Migration } from 'kysely/migration';

/** A secret that was hashed under another pepper is refused like an unknown one. Only this column shows the operator why. */
export const pepperId: Migration = {
  async up(db) {
    // Null for a secret that was issued before this column existed.
    await db.schema.alterTable('key_secret').addColumn('pepper_id', 'text').execute();
  },
};
