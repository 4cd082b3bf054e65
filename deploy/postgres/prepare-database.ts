import { Kysely, PostgresDialect, sql } from 'kysely';
import { lastingPool, STATEMENT_TIMEOUT_MS } from '#platform/postgres/open-postgres.ts';
import { isMigrated, migrateSchema, type PostgresSchema } from '#platform/postgres/schema-version.ts';
import { DATABASE_SERVICES, OWNER, roleOf, type DatabaseService } from './roles.ts';
import { SCHEMAS } from './schemas.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Only one process at a time changes the privileges of a database, because PostgreSQL refuses the second of two. */
const PREPARATION_LOCK = 7_274_642;

/**
 * Creates the roles of the services, sets the owner of every schema, migrates it, and grants each service the privileges it
 * needs in its own schema. Safe to repeat. `adminUrl` must be of a role that may create roles.
 */
export async function prepareDatabase(
  adminUrl: string,
  passwords: Record<DatabaseService, string>,
  schemas: PostgresSchema[] = SCHEMAS,
): Promise<void> {
  await withDatabase(adminUrl, async (admin) => {
    // Held until the connection ends. Other processes that start at the same time find everything done.
    await sql`select pg_advisory_lock(${PREPARATION_LOCK})`.execute(admin);
    await admin.transaction().execute(async (db) => {
      await makeRoles(db, passwords);
      for (const { name } of schemas) await ownSchema(db, name);
    });
    // Uses separate connections, which a start without pending migrations does not need.
    const migrating = schemas.map(async (schema) => {
      if (!(await isMigrated(admin, schema)))
        await withDatabase(asOwner(adminUrl, schema.name), (owner) => migrateSchema(owner, schema));
    });
    await Promise.all(migrating);
    await admin.transaction().execute(async (db) => {
      for (const { name } of schemas) await grantRights(db, name);
    });
  });
}

async function makeRoles(db: Kysely<unknown>, passwords: Record<DatabaseService, string>): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select rolname as name from pg_roles where rolname like 'saring\\_%'`.execute(db);
  const known = new Set(rows.map(({ name }) => name));
  if (!known.has(OWNER)) await sql`create role ${sql.id(OWNER)} nologin`.execute(db);
  for (const service of DATABASE_SERVICES) {
    const role = sql.id(roleOf(service));
    const command = sql.raw(known.has(roleOf(service)) ? 'alter' : 'create');
    // The password is set each time, because the secrets may have been recreated.
    await sql`${command} role ${role} login password ${sql.lit(passwords[service])}`.execute(db);
  }
  const roles = sql.join([OWNER, ...DATABASE_SERVICES.map(roleOf)].map((name) => sql.id(name)));
  const { rows: current } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const database = sql.id(current[0]!.name);
  await sql`revoke all on database ${database} from public`.execute(db);
  await sql`grant connect on database ${database} to ${roles}`.execute(db);
  await sql`grant create on database ${database} to ${sql.id(OWNER)}`.execute(db);
  // The settings that a service requests when it connects, because a pooler in front may not pass them on.
  for (const service of DATABASE_SERVICES) {
    const own = sql`alter role ${sql.id(roleOf(service))} in database ${database}`;
    await sql`${own} set search_path = ${sql.id(service)}`.execute(db);
    await sql`${own} set statement_timeout = ${sql.lit(STATEMENT_TIMEOUT_MS)}`.execute(db);
  }
}

/** In a state from before the roles existed, everything belongs to the role that the services then shared. */
async function ownSchema(db: Kysely<unknown>, schema: string): Promise<void> {
  await sql`do ${sql.lit(`
    declare command text;
    begin
      for command in
        select format('alter schema %I owner to ${OWNER}', nspname) from pg_namespace
          where nspname = '${schema}' and nspowner <> '${OWNER}'::regrole
        union all
        select format('alter table %I.%I owner to ${OWNER}', nspname, relname)
          from pg_class join pg_namespace on pg_namespace.oid = relnamespace
          where nspname = '${schema}' and relkind in ('r', 'p', 'v', 'm') and relowner <> '${OWNER}'::regrole
        union all
        select format('alter function %s owner to ${OWNER}', pg_proc.oid::regprocedure)
          from pg_proc join pg_namespace on pg_namespace.oid = pronamespace
          where nspname = '${schema}' and proowner <> '${OWNER}'::regrole
      loop
        execute command;
      end loop;
    end`)}`.execute(db);
}

/** Grants reading and writing of rows. Rows of append-only tables can only be added. Only the owner may truncate. */
async function grantRights(db: Kysely<unknown>, schema: string): Promise<void> {
  const [name, role] = [sql.id(schema), sql.id(roleOf(schema))];
  await sql`grant usage on schema ${name} to ${role}`.execute(db);
  await sql`grant select, insert, update, delete on all tables in schema ${name} to ${role}`.execute(db);
  await sql`grant usage on all sequences in schema ${name} to ${role}`.execute(db);
  await sql`revoke insert, update, delete on ${sql.id(schema, 'kysely_migration')},
    ${sql.id(schema, 'kysely_migration_lock')} from ${role}`.execute(db);
  for (const table of await appendOnlyTables(db, schema))
    await sql`revoke update, delete on ${sql.id(schema, table)} from ${role}`.execute(db);
}

/** The tables that services/platform/postgres/append-only.ts protects. */
async function appendOnlyTables(db: Kysely<unknown>, schema: string): Promise<string[]> {
  const { rows } = await sql<{ table: string }>`
    select relname as table from pg_trigger
      join pg_class on pg_class.oid = tgrelid join pg_namespace on pg_namespace.oid = relnamespace
    where nspname = ${schema} and tgname = relname || '_append_only'`.execute(db);
  return rows.map(({ table }) => table);
}

async function withDatabase(url: string, work: (db: Kysely<unknown>) => Promise<void>): Promise<void> {
  const pool = lastingPool({ connectionString: url, max: 1, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    await work(db);
  } finally {
    await db.destroy();
  }
}

/** The same connection with the role of the owner. Unqualified tables are in the schema. */
function asOwner(url: string, schema: string): string {
  const target = new URL(url);
  target.searchParams.set('options', `-c role=${OWNER} -c search_path=${schema}`);
  return target.href;
}
