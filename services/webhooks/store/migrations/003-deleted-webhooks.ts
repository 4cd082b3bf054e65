import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Deleted webhooks, until their deliveries are removed. */
export const deletedWebhooks: Migration = {
  async up(db) {
    await sql`alter table webhook add column deleted_at timestamptz`.execute(db);
    await sql`create index webhook_deleted on webhook (webhook_id) where deleted_at is not null`.execute(db);
  },
};
