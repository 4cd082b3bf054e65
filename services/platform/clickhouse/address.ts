import { ConfigError } from '../configuration/config.ts';
import type { ClusterLayout } from './tables.ts';

/** The address of the store: one server, or the servers of a cluster, separated by commas. */
export interface ClickHouseAddress {
  url: string;
  cluster?: ClusterLayout;
}

export interface ClickHouseConfig {
  CLICKHOUSE_URL: string;
  CLICKHOUSE_CLUSTER: string;
  CLICKHOUSE_REPLICATED: boolean;
}

/** The address of the store that the settings give. */
export function clickhouseAddress(config: ClickHouseConfig): ClickHouseAddress {
  const { CLICKHOUSE_URL: url, CLICKHOUSE_CLUSTER: name, CLICKHOUSE_REPLICATED: isReplicated } = config;
  if (name) return { url, cluster: { name, isReplicated } };
  if (url.includes(','))
    throw new ConfigError('CLICKHOUSE_URL names several servers: set CLICKHOUSE_CLUSTER');
  return { url };
}
