import { afterAll, beforeAll, expect, test } from 'vitest';
import { clickhouseTables } from '#backup/clickhouse-tables.ts';
import { postgresTables } from '#backup/postgres-tables.ts';
import { withStores } from '#backup/stores.ts';
import { isKnownTable } from '#backup/take-backup.ts';
import { CLICKHOUSE_SCHEMAS } from '#clickhouse/schemas.ts';
import { prepareDatabase } from '#postgres/prepare-database.ts';
import { DATABASE_SERVICES } from '#postgres/roles.ts';
import { migrateClickHouse } from '#platform/clickhouse/migrate.ts';
import { PrivateServer, secretsBy } from '#support/servers/private-server.ts';
import { ownServers } from '#support/servers/servers.ts';

const servers = ownServers();
let clickhouse: PrivateServer;
beforeAll(async () => {
  clickhouse = await PrivateServer.clickhouse();
});
afterAll(() => clickhouse?.remove());

test('a backup knows every table that the migrations create', async () => {
  await prepareDatabase(servers.databaseUrl, secretsBy(DATABASE_SERVICES));
  const address = { url: clickhouse.url };
  const urls = { postgres: servers.databaseUrl, clickhouse: { market: address, usage: address } };
  await withStores(urls, async ({ postgres, databases }) => {
    for (const { database, migrations } of CLICKHOUSE_SCHEMAS)
      await migrateClickHouse(databases[database], database, migrations);
    const inPostgres = await postgresTables(postgres);
    const inClickhouse = await clickhouseTables(databases);
    expect([inPostgres.length, inClickhouse.length]).not.toContain(0);
    const unknown = [
      ...inPostgres.filter(({ schema, table }) => !isKnownTable('postgres', schema, table)),
      ...inClickhouse.filter(({ database, table }) => !isKnownTable('clickhouse', database, table)),
    ];
    expect(unknown).toEqual([]);
  });
});
