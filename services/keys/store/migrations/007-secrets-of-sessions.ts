import type { Migration } from 'kysely/migration';

/** A session ends with the secret that started it. */
export const secretsOfSessions: Migration = {
  async up(db) {
    await db.schema.alterTable('session').addColumn('key_secret_hint', 'text').execute();
  },
};
