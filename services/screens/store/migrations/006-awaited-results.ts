import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Screens whose rules read a daily result of a model wait for it. */
export const awaitedResults: Migration = {
  async up(db) {
    await sql`alter table screen_place
      add column awaited_version text,
      add column awaited_since timestamptz,
      add column retry_at timestamptz`.execute(db);
  },
};
