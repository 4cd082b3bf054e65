import type { Migration } from 'kysely/migration';

/** A secret that was hashed under another pepper is refused like an unknown one; only this shows the operator why. */
export const pepperId: Migration = {
  async up(db) {
    // Null: issued before this column was there.
    await db.schema.alterTable('key_secret').addColumn('pepper_id', 'text').execute();
  },
};
