import { STAGING_PREFIX } from '#services/market-data/import/staging.ts';
import { migrations as market } from '#services/market-data/store/migrations/index.ts';
import { migrations as usage } from '#services/usage/store/migrations/index.ts';
import type { ClickHouseMigration } from '#shared/clickhouse/tables.ts';
import type { ClickhouseService } from './service-users.ts';

export interface ClickhouseSchema {
  database: 'market' | 'usage';
  /** The service that owns it, as whose user its tables can be read and written. */
  owner: ClickhouseService;
  migrations: ClickHouseMigration[];
  /** How tables are called that no migration makes and nobody misses. */
  transientPrefix?: string;
}

/** Every database of the services. */
export const CLICKHOUSE_SCHEMAS: ClickhouseSchema[] = [
  { database: 'market', owner: 'market-data', migrations: market, transientPrefix: STAGING_PREFIX },
  { database: 'usage', owner: 'usage', migrations: usage },
];
