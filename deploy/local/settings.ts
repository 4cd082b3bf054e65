import path from 'node:path';
import { bool, str } from 'envalid';
import {
  clickhouseAddress,
  type ClickHouseAddress,
  type ClickHouseConfig,
} from '#shared/clickhouse/address.ts';
import { ConfigError, integer, loadConfig, urlOf, urlsOf } from '#shared/config/config.ts';
import type { TlsSettings } from '#shared/grpc/credentials.ts';
import { clickhouseSettings, grpcTlsSettings } from '#shared/config/settings.ts';

const USUAL_PORT = 8080;

const settings = {
  PORT: integer({ min: 1, max: 65_535 })({ default: USUAL_PORT, desc: 'port of the REST API on 127.0.0.1' }),
  STATE_DIR: str({ default: '.saring', desc: 'directory of data, logs and secrets' }),
  DATASET: str({ default: '', desc: 'file or folder with market data to load' }),
  SYNTHESIZE_BROKERS: bool({
    default: false,
    desc: 'whether broker rows are made up for a DATASET that has no real ones',
  }),
  WORKERS: integer({ min: 1, max: 16 })({ default: 2, desc: 'processes that run models' }),
  DATABASE_URL: urlOf('postgres', 'postgresql')({ default: undefined, desc: 'a PostgreSQL of your own' }),
  NATS_URL: urlsOf(
    'nats',
    'tls',
  )({ default: undefined, desc: 'NATS servers with JetStream of your own, separated by commas' }),
  ...clickhouseSettings,
  CLICKHOUSE_URL: urlsOf(
    'http',
    'https',
  )({
    default: undefined,
    desc: 'a ClickHouse of your own, or every server of a cluster, separated by commas',
  }),
  ...grpcTlsSettings,
};

/** What can be chosen about the local fleet; every setting is also a variable of `make run`. */
export interface LocalSettings {
  port: number;
  /**
   * Whether the servers are given the ports people expect. A fleet with a port of its own is a second one: started
   * at the same moment as another, both would find the same ports free and one would meet the other's servers.
   */
  wantsUsualPorts: boolean;
  /** Absolute. */
  stateDir: string;
  /** Absolute; undefined keeps what is published, or makes a sample. */
  dataset: string | undefined;
  /** Only of a named dataset; a sample has made-up broker rows anyway. */
  synthesizeBrokers: boolean;
  workers: number;
  /** Undefined starts the embedded server. */
  databaseUrl: string | undefined;
  natsUrl: string | undefined;
  clickhouse: ClickHouseAddress | undefined;
  /** How the services are asked whether they serve; they read the same settings. */
  tls: TlsSettings;
}

/** @throws ConfigError naming every wrong setting */
export function readSettings(env: NodeJS.ProcessEnv = process.env): LocalSettings {
  const config = loadConfig(settings, env);
  return {
    port: config.PORT,
    wantsUsualPorts: config.PORT === USUAL_PORT,
    stateDir: path.resolve(config.STATE_DIR),
    dataset: config.DATASET === '' ? undefined : path.resolve(config.DATASET),
    synthesizeBrokers: config.SYNTHESIZE_BROKERS,
    workers: config.WORKERS,
    databaseUrl: config.DATABASE_URL,
    natsUrl: config.NATS_URL,
    clickhouse: ownClickhouse(config),
    tls: config,
  };
}

/** The embedded server is no cluster. */
function ownClickhouse(
  config: Omit<ClickHouseConfig, 'CLICKHOUSE_URL'> & { CLICKHOUSE_URL: string | undefined },
): ClickHouseAddress | undefined {
  const { CLICKHOUSE_URL, CLICKHOUSE_CLUSTER } = config;
  if (CLICKHOUSE_URL !== undefined) return clickhouseAddress({ ...config, CLICKHOUSE_URL });
  if (CLICKHOUSE_CLUSTER === '') return undefined;
  throw new ConfigError('CLICKHOUSE_CLUSTER is set: CLICKHOUSE_URL must name its servers');
}
