import { credentialsOf } from './service-credentials.ts';
import type { Secrets } from './state/secrets.ts';
import type { Server } from './servers/plan-servers.ts';
import type { ServerName } from './service-table.ts';

/** Where the stores are, as whoever may read and write all that the services keep there. */
export interface StoreUrls {
  postgres: string;
  /** By database: the embedded server has no user for all of them. */
  clickhouse: { market: string; usage: string };
}

export function storeUrls(secrets: Secrets, servers: Record<ServerName, Server>): StoreUrls {
  return {
    postgres: servers.postgres.url,
    clickhouse: {
      market: credentialsOf('market-data', secrets, servers).CLICKHOUSE_URL!,
      usage: credentialsOf('usage', secrets, servers).CLICKHOUSE_URL!,
    },
  };
}
