import { sql, type Kysely } from 'kysely';
import { Migrator, type Migration } from 'kysely/migration';
import { missingMigrations } from '../migrations/migration-numbers.ts';

/** A service's own schema, which contains its tables and its migration record. */
export interface PostgresSchema {
  name: string;
  /** Numbered steps, for example `001_api_key`. Each runs once, in order. */
  migrations: Record<string, Migration>;
}

/**
 * Migrates a schema under the migrator's lock, over a connection of the schema's owner. When several processes start at the
 * same time, the first one migrates and the others find it done.
 * @throws SchemaAheadError when a newer version has already migrated the schema
 */
export async function migrateSchema(owner: Kysely<unknown>, schema: PostgresSchema): Promise<void> {
  const { name } = schema;
  const migrations = await migrationsFor(owner, schema);
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

/** Whether the connection's role may change the schema, or create it when it is missing. */
export async function mayMigrate(db: Kysely<unknown>, { name }: PostgresSchema): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select coalesce(
      (select pg_has_role(nspowner, 'usage') from pg_namespace where nspname = ${name}),
      has_database_privilege(current_database(), 'create')
    ) as may`.execute(db);
  return rows[0]!.may;
}

/** @throws Error that says what to run, unless every migration of the schema has run */
export async function requireMigrated(db: Kysely<unknown>, schema: PostgresSchema): Promise<void> {
  const missing = await missingOf(db, schema);
  if (missing.length === 0) return;
  throw new Error(
    `schema ${schema.name} lacks ${missing.join(', ')}, and this role does not own it: ` +
      'run node_modules/.bin/node deploy/postgres/migrate.ts, which prepares a PostgreSQL of your own',
  );
}

/** @throws SchemaAheadError when a newer version has already migrated the schema */
export async function isMigrated(db: Kysely<unknown>, schema: PostgresSchema): Promise<boolean> {
  return (await missingOf(db, schema)).length === 0;
}

/** All migrations when the schema is missing or not readable by this role. */
async function missingOf(db: Kysely<unknown>, { name, migrations }: PostgresSchema): Promise<string[]> {
  return missingMigrations(`schema ${name}`, await appliedMigrations(db, name), Object.keys(migrations));
}

/** The migrations for a database: those that were squashed stand in the place of the first one where they have run. */
async function migrationsFor(
  db: Kysely<unknown>,
  schema: PostgresSchema,
): Promise<Record<string, Migration>> {
  const missing = await missingOf(db, schema);
  const applied = await appliedMigrations(db, schema.name);
  const done = applied.map((name) => [name, schema.migrations[name] ?? HAS_RUN] as const);
  return Object.fromEntries([...done, ...missing.map((name) => [name, schema.migrations[name]!] as const)]);
}

const HAS_RUN: Migration = { up: async () => {} };

/** No migrations when the schema is missing or not readable by this role. */
async function appliedMigrations(db: Kysely<unknown>, schema: string): Promise<string[]> {
  const { rows: readable } = await sql`
    select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = ${schema} and relname = 'kysely_migration'
      and has_schema_privilege(relnamespace, 'usage') and has_table_privilege(pg_class.oid, 'select')`.execute(
    db,
  );
  if (readable.length === 0) return [];
  const record = sql.table(`${schema}.kysely_migration`);
  const { rows } = await sql<{ name: string }>`select name from ${record} order by name`.execute(db);
  return rows.map((row) => row.name);
}
