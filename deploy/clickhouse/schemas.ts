import { STAGING_PREFIX } from '#services/market-data/import/staging/stored-names.ts';
import { migrations as market } from '#services/market-data/store/migrations/index.ts';
import { migrations as usage } from '#services/usage/store/migrations/index.ts';
import type { ClickHouseMigration } from '#platform/clickhouse/tables.ts';
import type { ClickhouseService } from './service-users.ts';

export interface ClickhouseSchema {
  database: 'market' | 'usage';
  /** The service that owns the database. Its user can read and write the tables. */
  owner: ClickhouseService;
  migrations: ClickHouseMigration[];
  /** Name prefix of temporary tables, which no migration creates and a backup can leave out. */
  transientPrefix?: string;
}

/** Every database of the services. */
export const CLICKHOUSE_SCHEMAS: ClickhouseSchema[] = [
  { database: 'market', owner: 'market-data', migrations: market, transientPrefix: STAGING_PREFIX },
  { database: 'usage', owner: 'usage', migrations: usage },
];
