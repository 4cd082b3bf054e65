import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Screens that cannot be evaluated or recorded are set aside, and tried again. */
export const setAside: Migration = {
  async up(db) {
    await sql`alter table screen_place add column set_aside_since timestamptz`.execute(db);
    await sql`create index screen_set_aside on screen_place (set_aside_since) where set_aside_since is not null`.execute(
      db,
    );
  },
};
