import { sql, type Kysely } from 'kysely';

/**
 * Makes the database refuse every UPDATE, DELETE and TRUNCATE of a table, from any user; for use in a migration. It also works
 * in sessions that turn ordinary triggers off (`session_replication_role`). Only an owner who drops the trigger can get around
 * it.
 */
export async function refuseChanges(db: Kysely<unknown>, table: string): Promise<void> {
  const refuse = sql.id(`${table}_refuse_change`);
  const trigger = sql.id(`${table}_append_only`);
  const message = sql.lit(`rows of ${table} can be added and never changed`);
  await sql`create function ${refuse}() returns trigger language plpgsql as ${sql.lit(
    `begin raise exception using errcode = 'restrict_violation', message = TG_ARGV[0]; end`,
  )}`.execute(db);
  await sql`create trigger ${trigger} before update or delete or truncate on ${sql.table(table)}
            for each statement execute function ${refuse}(${message})`.execute(db);
  await sql`alter table ${sql.table(table)} enable always trigger ${trigger}`.execute(db);
}
