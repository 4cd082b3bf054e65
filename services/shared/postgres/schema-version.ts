import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';

/** A service's own schema; its tables and its migration record live there. */
export interface PostgresSchema {
  name: string;
  /** Numbered steps, as in `001_api_key`; run once each, in order. */
  migrations: Record<string, Migration>;
}

/** Brings a schema up to date under the migrator's lock, over a connection of the schema's owner. */
export async function migrateSchema(
  owner: Kysely<unknown>,
  { name, migrations }: PostgresSchema,
): Promise<void> {
  const migrator = new Migrator({
    db: owner,
    provider: { getMigrations: async () => migrations },
    migrationTableSchema: name,
  });
  const { error, results } = await migrator.migrateToLatest();
  if (!error) return;
  const failed = results?.find((step) => step.status === 'Error')?.migrationName ?? 'the first step';
  throw new Error(`migration ${failed} of schema ${name} failed: ${(error as Error).message}`, {
    cause: error,
  });
}

/** Whether the connection's role may change the schema, or make it where it is missing. */
export async function mayMigrate(db: Kysely<unknown>, { name }: PostgresSchema): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select coalesce(
      (select pg_has_role(nspowner, 'usage') from pg_namespace where nspname = ${name}),
      has_database_privilege(current_database(), 'create')
    ) as may`.execute(db);
  return rows[0]!.may;
}

/** @throws Error that says what to run, unless every migration of the schema has been run */
export async function requireMigrated(db: Kysely<unknown>, schema: PostgresSchema): Promise<void> {
  const missing = await missingMigrations(db, schema);
  if (missing.length === 0) return;
  throw new Error(
    `schema ${schema.name} lacks ${missing.join(', ')}, and this role does not own it: ` +
      'run node deploy/postgres/migrate.ts, which prepares a PostgreSQL of your own',
  );
}

export async function isMigrated(db: Kysely<unknown>, schema: PostgresSchema): Promise<boolean> {
  return (await missingMigrations(db, schema)).length === 0;
}

/** All of them where the schema is missing, or closed to this role. */
async function missingMigrations(
  db: Kysely<unknown>,
  { name, migrations }: PostgresSchema,
): Promise<string[]> {
  const { rows: readable } = await sql`
    select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = ${name} and relname = 'kysely_migration'
      and has_schema_privilege(relnamespace, 'usage') and has_table_privilege(pg_class.oid, 'select')`.execute(
    db,
  );
  if (readable.length === 0) return Object.keys(migrations);
  const record = sql.table(`${name}.kysely_migration`);
  const { rows } = await sql<{ name: string }>`select name from ${record}`.execute(db);
  const applied = new Set(rows.map((row) => row.name));
  return Object.keys(migrations).filter((migration) => !applied.has(migration));
}
