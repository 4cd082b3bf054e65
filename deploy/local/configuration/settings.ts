import path from 'node:path';
import { bool, str } from 'envalid';
import { LIGHT_SERVICES } from '#services/service-table.ts';
import { LAYOUTS, type Layout } from './service-table.ts';
import {
  clickhouseAddress,
  type ClickHouseAddress,
  type ClickHouseConfig,
} from '#platform/clickhouse/address.ts';
import { ConfigError, integer, loadConfig, urlOf, urlsOf } from '#platform/configuration/config.ts';
import type { TlsSettings } from '#platform/grpc/credentials.ts';
import {
  clickhouseSettings,
  grpcTlsSettings,
  marketPace,
  type MarketPace,
} from '#platform/configuration/settings.ts';

const USUAL_PORT = 8080;

const settings = {
  PORT: integer({ min: 1, max: 65_535 })({ default: USUAL_PORT, desc: 'port of the REST API on 127.0.0.1' }),
  STATE_DIR: str({ default: '.saring', desc: 'directory of data, logs and secrets' }),
  DATASET: str({ default: '', desc: 'file or folder with market data to load' }),
  SYNTHESIZE_BROKERS: bool({
    default: false,
    desc: 'whether broker rows are made up for a DATASET that has no real ones',
  }),
  LAYOUT: str({
    choices: LAYOUTS,
    default: 'shared',
    desc: `whether ${LIGHT_SERVICES.join(', ')} run in one process (\`shared\`) or each in its own (\`separate\`)`,
  }),
  WORKERS: integer({ min: 1, max: 16 })({
    default: 1,
    desc: 'processes that run models; each runs several at once (RUNS_AT_ONCE) over one market in memory',
  }),
  GENERATED_MARKET_PACE: marketPace('calendar'),
  WEBHOOK_ALLOWED_RANGES: str({
    default: '127.0.0.0/8,::1/128',
    desc: 'ranges of addresses that webhooks may reach although they are not public: those of this machine, so that a receiver can be tried',
  }),
  DATABASE_URL: urlOf('postgres', 'postgresql')({ default: undefined, desc: 'your own PostgreSQL' }),
  NATS_URL: urlsOf(
    'nats',
    'tls',
  )({ default: undefined, desc: 'your own NATS servers with JetStream, separated by commas' }),
  ...clickhouseSettings,
  CLICKHOUSE_URL: urlsOf(
    'http',
    'https',
  )({
    default: undefined,
    desc: 'your own ClickHouse, or every server of a cluster, separated by commas',
  }),
  ...grpcTlsSettings,
};

/** The options of the local fleet. Each is also a variable of `make run`. */
export interface LocalSettings {
  port: number;
  /**
   * Whether the servers get their usual ports. A fleet with another port is a second one: if two fleets started at the same
   * moment, both would find the same ports free, and one would connect to the other's servers.
   */
  wantsUsualPorts: boolean;
  /** Absolute path. */
  stateDir: string;
  /** Absolute path. If undefined, the published dataset stays, or a sample is created. */
  dataset: string | undefined;
  /** Only for a named dataset. A sample has synthetic broker rows anyway. */
  synthesizeBrokers: boolean;
  layout: Layout;
  workers: number;
  generatedMarketPace: MarketPace;
  webhookAllowedRanges: string;
  /** Undefined starts the embedded server; the same holds for the next two. */
  databaseUrl: string | undefined;
  natsUrl: string | undefined;
  clickhouse: ClickHouseAddress | undefined;
  /** TLS settings for health checks of the services, which read the same settings. */
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
    layout: config.LAYOUT,
    workers: config.WORKERS,
    generatedMarketPace: config.GENERATED_MARKET_PACE,
    webhookAllowedRanges: config.WEBHOOK_ALLOWED_RANGES,
    databaseUrl: config.DATABASE_URL,
    natsUrl: config.NATS_URL,
    clickhouse: ownClickhouse(config),
    tls: config,
  };
}

/** The settings of an external ClickHouse. The embedded server is not a cluster. */
function ownClickhouse(
  config: Omit<ClickHouseConfig, 'CLICKHOUSE_URL'> & { CLICKHOUSE_URL: string | undefined },
): ClickHouseAddress | undefined {
  const { CLICKHOUSE_URL, CLICKHOUSE_CLUSTER } = config;
  if (CLICKHOUSE_URL !== undefined) return clickhouseAddress({ ...config, CLICKHOUSE_URL });
  if (CLICKHOUSE_CLUSTER === '') return undefined;
  throw new ConfigError('CLICKHOUSE_CLUSTER is set: CLICKHOUSE_URL must name its servers');
}
