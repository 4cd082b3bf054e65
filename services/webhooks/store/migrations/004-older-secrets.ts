import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Secrets that were replaced before the previous one and still sign. */
export const olderSecrets: Migration = {
  async up(db) {
    await sql`alter table webhook add column older_secrets jsonb not null default '[]'`.execute(db);
  },
};
