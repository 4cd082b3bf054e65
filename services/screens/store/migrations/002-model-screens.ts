import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** A version of a screen has either rules or a model with its parameters. */
export const modelScreens: Migration = {
  async up(db) {
    await sql`alter table screen_version
      alter column rules drop not null,
      add column model_id text,
      add column params json,
      add constraint screen_version_is_one check ((rules is null) <> (model_id is null))`.execute(db);
  },
};
