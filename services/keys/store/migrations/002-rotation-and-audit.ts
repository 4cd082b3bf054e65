import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { refuseChanges } from '#shared/postgres/append-only.ts';

export const rotationAndAudit: Migration = {
  async up(db) {
    await db.schema
      .createTable('key_secret')
      .addColumn('secret_hash', 'text', (column) => column.primaryKey())
      .addColumn('key_id', 'text', (column) => column.notNull().references('api_key.id'))
      .addColumn('hint', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('valid_until', 'timestamptz')
      .execute();
    await sql`insert into key_secret (secret_hash, key_id, hint, created_at, valid_until)
              select secret_hash, id, hint, created_at, deleted_at from api_key`.execute(db);
    await db.schema.createIndex('key_secret_of_key').on('key_secret').column('key_id').execute();
    await db.schema
      .alterTable('api_key')
      .dropColumn('secret_hash')
      .dropColumn('hint')
      .addColumn('expires_at', 'timestamptz')
      .addColumn('last_used_at', 'timestamptz')
      .addColumn('labels', 'jsonb', (column) => column.notNull().defaultTo(sql`'{}'`))
      .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable('key_action')
      .addColumn('seq', 'bigint', (column) => column.generatedAlwaysAsIdentity().primaryKey())
      .addColumn('ts', 'timestamptz', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull().references('api_key.id'))
      .addColumn('action', 'text', (column) =>
        column
          .notNull()
          .check(sql`action in ('created', 'updated', 'rotated', 'disabled', 'enabled', 'deleted')`),
      )
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .addColumn('changes', 'jsonb', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('key_action_of_key').on('key_action').columns(['key_id', 'seq']).execute();
    await refuseChanges(db, 'key_action');
  },
};
