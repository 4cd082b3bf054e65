import { CLICKHOUSE_SCHEMAS } from '#clickhouse/schemas.ts';
import { SCHEMAS } from '#postgres/schemas.ts';
import { commandEverywhere, rowsOfEveryNode } from '#platform/clickhouse/cluster.ts';
import { BackupError } from './backup-error.ts';
import type { Databases } from './clickhouse-tables.ts';
import { postgresTables } from './postgres-tables.ts';
import type { Stores } from './stores.ts';

/** Held while a restore fills the stores, because a restore that fails would remove what another one wrote. */
const RESTORE_LOCK = 7_274_643;

const DROP_SCHEMAS = `DROP SCHEMA IF EXISTS ${SCHEMAS.map(({ name }) => name).join(', ')} CASCADE`;
// SYNC, because otherwise a replicated table could not be created again immediately.
const dropDatabase = (name: string) => `DROP DATABASE IF EXISTS ${name} SYNC`;

/** What the operator must run to remove rows that a restore could not remove. */
export const REMOVAL = `${DROP_SCHEMAS} in PostgreSQL, and in ClickHouse, on every server of a cluster, ${CLICKHOUSE_SCHEMAS.map(({ database }) => dropDatabase(database)).join(' and ')}`;

/** @throws BackupError when a table already exists, or another restore is running */
export async function requireEmptyStores({ postgres, databases }: Stores): Promise<void> {
  const { rows } = await postgres.query<{ is_first: boolean }>(
    'select pg_try_advisory_lock($1) as is_first',
    [RESTORE_LOCK],
  );
  if (!rows[0]!.is_first) throw new BackupError('Another restore is filling this PostgreSQL.');
  const [table] = await postgresTables(postgres);
  if (table) throw notEmpty('PostgreSQL', `${table.schema}.${table.table}`);
  for (const { database } of CLICKHOUSE_SCHEMAS) {
    const [found] = await rowsOfEveryNode<{ name: string }>(databases[database], {
      query: 'SELECT name FROM system.tables WHERE database = {database:String} LIMIT 1',
      query_params: { database },
    });
    if (found) throw notEmpty('ClickHouse', `${database}.${found.name}`);
  }
}

function notEmpty(store: string, table: string): BackupError {
  return new BackupError(
    `${store} already contains ${table}. Restore into an empty one. If an interrupted restore left it there, remove it first: ${REMOVAL}.`,
  );
}

export async function emptyPostgres({ postgres }: Pick<Stores, 'postgres'>): Promise<void> {
  await postgres.query(DROP_SCHEMAS);
}

export async function emptyClickhouse(databases: Databases): Promise<void> {
  for (const { database } of CLICKHOUSE_SCHEMAS)
    await commandEverywhere(databases[database], { query: dropDatabase(database) });
}
