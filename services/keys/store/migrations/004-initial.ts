import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';
import { refuseChanges } from '#platform/postgres/append-only.ts';

export const initial: Migration = {
  async up(db) {
    await db.schema
      .createTable('api_key')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('scopes', sql`text[]`, (column) => column.notNull())
      .addColumn('rate_limit_per_minute', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('disabled_at', 'timestamptz')
      .addColumn('deleted_at', 'timestamptz')
      .addColumn('expires_at', 'timestamptz')
      .addColumn('last_used_at', 'timestamptz')
      .addColumn('labels', 'jsonb', (column) => column.notNull().defaultTo(sql`'{}'`))
      .addColumn('revision', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await db.schema
      .createTable('key_secret')
      .addColumn('secret_hash', 'text', (column) => column.primaryKey())
      .addColumn('key_id', 'text', (column) => column.notNull().references('api_key.id'))
      .addColumn('hint', 'text', (column) => column.notNull())
      .addColumn('created_at', 'timestamptz', (column) => column.notNull())
      .addColumn('valid_until', 'timestamptz')
      // A secret that was hashed under another pepper is refused like an unknown one. Only this column shows why.
      .addColumn('pepper_id', 'text')
      .execute();
    await db.schema.createIndex('key_secret_of_key').on('key_secret').column('key_id').execute();
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
    await db.schema.createIndex('key_action_age').on('key_action').column('ts').execute();
    await refuseChanges(db, 'key_action');
    await allowForgetting(db);
  },
};

/**
 * The audit log stays append-only, except for this function, which removes only actions older than 30 days. A process that has
 * only the service's privileges cannot hide recent actions.
 */
async function allowForgetting(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(db);
  const schema = sql.id(rows[0]!.name);
  await sql`create or replace function key_action_refuse_change() returns trigger language plpgsql as ${sql.lit(
    `begin
        if TG_OP = 'DELETE' and current_setting('saring.forgetting', true) = TG_TABLE_NAME then return null; end if;
        raise exception using errcode = 'restrict_violation', message = TG_ARGV[0];
      end`,
  )}`.execute(db);
  await sql`create function forget_key_actions(before timestamptz) returns bigint
      language plpgsql security definer set search_path = ${schema} as ${sql.lit(
        `declare removed bigint;
        begin
          if before > now() - interval '30 days' then
            raise exception using errcode = 'restrict_violation', message = 'actions of the last 30 days are kept';
          end if;
          perform set_config('saring.forgetting', 'key_action', true);
          delete from key_action where ts < before;
          get diagnostics removed = row_count;
          perform set_config('saring.forgetting', '', true);
          return removed;
        end`,
      )}`.execute(db);
}
