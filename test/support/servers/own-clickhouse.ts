import { afterAll, beforeAll } from 'vitest';
import { migrations } from '#services/market-data/store/migrations/index.ts';
import { connectClickHouse, type ClickHouseClient } from '#platform/clickhouse/clickhouse.ts';
import { migrateClickHouse } from '#platform/clickhouse/migrate.ts';
import { PrivateServer } from './private-server.ts';

/** Gives a test file its own ClickHouse with the tables of the market. Call at the top level of the file. */
export function ownClickHouse(): { server: PrivateServer; client: ClickHouseClient } {
  const own = {} as { server: PrivateServer; client: ClickHouseClient };
  beforeAll(async () => {
    own.server = await PrivateServer.clickhouse();
    own.client = connectClickHouse(own.server.url);
    await migrateClickHouse(own.client, 'market', migrations);
  });
  afterAll(async () => {
    await own.client?.close();
    await own.server?.remove();
  });
  return own;
}
