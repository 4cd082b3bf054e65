import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * The audit log stays append-only, except for this function, which removes only actions older than 30 days. A process that has
 * only the service's privileges cannot hide recent actions.
 */
export const auditRetention: Migration = {
  async up(db) {
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
    await db.schema.createIndex('key_action_age').on('key_action').column('ts').execute();
  },
};
