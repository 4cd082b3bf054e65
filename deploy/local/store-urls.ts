import type { ClickHouseAddress } from '#shared/clickhouse/address.ts';
import type { ClusterLayout } from '#shared/clickhouse/tables.ts';
import { credentialsOf } from './service-credentials.ts';
import type { Secrets } from './state/secrets.ts';
import type { Server } from './servers/plan-servers.ts';
import type { ServerName } from './service-table.ts';

/** URLs of the stores, with users that may read and write everything the services store there. */
export interface StoreUrls {
  postgres: string;
  /** By database, because the embedded server has no user for all of them. */
  clickhouse: { market: ClickHouseAddress; usage: ClickHouseAddress };
}

/** @param cluster of an external ClickHouse */
export function storeUrls(
  secrets: Secrets,
  servers: Record<ServerName, Server>,
  cluster: ClusterLayout | undefined,
): StoreUrls {
  const asOwner = (service: 'market-data' | 'usage'): ClickHouseAddress => {
    const url = credentialsOf(service, secrets, servers).CLICKHOUSE_URL!;
    return cluster ? { url, cluster } : { url };
  };
  return {
    postgres: servers.postgres.url,
    clickhouse: { market: asOwner('market-data'), usage: asOwner('usage') },
  };
}
