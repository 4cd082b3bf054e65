import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { createOutbox } from '#platform/postgres/outbox.ts';

/** Applications are told before their keys expire. */
export const expiryNotices: Migration = {
  async up(db) {
    await createOutbox(db);
    await sql`alter table api_key add column noticed_expiry timestamptz, add column noticed_days integer`.execute(
      db,
    );
    await sql`create index api_key_expiry on api_key (expires_at) where deleted_at is null`.execute(db);
  },
};
