import { missingMigrations } from '../migrations/migration-numbers.ts';
import type { ClickHouseClient, ClickHouseNode } from './clickhouse.ts';
import { onEveryNode } from './cluster.ts';
import { migrationRecordSql, statementSql, type ClickHouseMigration, type ClusterLayout } from './tables.ts';

interface Plan {
  database: string;
  migrations: ClickHouseMigration[];
  cluster: ClusterLayout | undefined;
  isFirst: boolean;
}

/**
 * Creates the database on every server and applies the migrations that are missing. Safe to repeat and to run in several
 * processes at the same time.
 * @throws SchemaAheadError when a newer version has already migrated the database
 */
export async function migrateClickHouse(
  client: ClickHouseClient,
  database: string,
  migrations: ClickHouseMigration[],
): Promise<void> {
  const { cluster } = client;
  await onEveryNode(client, (node, isFirst) => migrate(node, { database, migrations, cluster, isFirst }));
}

async function migrate(
  node: ClickHouseNode,
  { database, migrations, cluster, isFirst }: Plan,
): Promise<void> {
  await node.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` });
  await node.command({ query: migrationRecordSql(database) });
  const record = `${database}.schema_migration`;
  const response = await node.query({ query: `SELECT name FROM ${record}`, format: 'JSONEachRow' });
  const applied = (await response.json<{ name: string }>()).map((row) => row.name);
  const known = migrations.map(({ name }) => name);
  const missing = missingMigrations(`database ${database}`, applied, known);
  for (const { name, statements } of migrations.filter((migration) => missing.includes(migration.name))) {
    for (const query of statements.flatMap((statement) => statementSql(statement, cluster, isFirst))) {
      await node.command({ query }).catch((error: unknown) => {
        throw new Error(`migration ${name} of ${database} failed: ${(error as Error).message}`, {
          cause: error,
        });
      });
    }
    await node.insert({ table: record, values: [{ name }], format: 'JSONEachRow' });
  }
}
