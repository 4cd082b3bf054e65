import { bool, str } from 'envalid';
import { address, integer, rotatedSecret, secretOrEmpty, urlOf, urlOrEmpty, urlsOf } from './config.ts';

/** Groups of settings that several services share. Each service spreads the groups it needs into its own settings. */
/** Settings of every process. */
export const processSettings = {
  LOG_LEVEL: str({
    choices: ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
    desc: 'least severe level that is logged',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: urlOrEmpty(
    'http',
    'https',
  )({
    default: '',
    desc: 'OpenTelemetry collector that gets traces by OTLP over HTTP; no traces when empty',
  }),
  STOP_WITHIN_SECONDS: integer({ min: 5, max: 3_600 })({
    default: 7,
    desc: 'how long an orderly stop may take; a worker lets its run finish for as long. Set it below the time after which whoever stops the process kills it',
  }),
  OPS_HOST: str({ default: '127.0.0.1', desc: 'address the operations port listens on' }),
  OPS_PORT: integer({ min: 0, max: 65535 })({
    default: undefined,
    desc: 'port of `/livez`, `/readyz` and `/metrics`; any free port when 0, no port when not set',
  }),
};

/** Settings of servers and of processes that are only clients. */
export const grpcTlsSettings = {
  GRPC_TLS_CA: str({
    default: '',
    desc: 'file with the CA of mutual TLS; plain text on loopback when empty',
  }),
  GRPC_TLS_CERT: str({ default: '', desc: 'file with this process’s certificate for mutual TLS' }),
  GRPC_TLS_KEY: str({ default: '', desc: 'file with this process’s private key for mutual TLS' }),
};

export const grpcSettings = {
  GRPC_HOST: str({ default: '127.0.0.1', desc: 'address the gRPC server listens on' }),
  GRPC_PORT: integer({ min: 0, max: 65535 })({ desc: 'port the gRPC server listens on' }),
  ...grpcTlsSettings,
};

/** Settings of services with methods that require a caller identity other than the operator's; see `proto/saring/wire/v1/calls.proto`. */
export const callerSettings = {
  CALLER_SECRET: secretOrEmpty({
    default: '',
    desc: 'this service’s own secret, from which the tokens of its callers are derived; needed unless mutual TLS identifies them',
  }),
};

/** Settings of those services that may also be called by services outside this project. */
export const trustedCallerSettings = {
  ...callerSettings,
  TRUSTED_CALLERS: str({
    default: '',
    desc: 'names of your own services that may act for tenants, separated by commas',
  }),
};

export const operatorSettings = {
  OPERATOR_TOKEN: rotatedSecret({
    desc: 'token that administrative gRPC calls must carry; several are separated by commas, and any of them is accepted',
  }),
};

export const natsSettings = {
  NATS_URL: urlsOf(
    'nats',
    'tls',
  )({ desc: 'NATS servers with JetStream, separated by commas, with user and password' }),
};

/** Settings of services that declare streams. */
export const streamSettings = {
  ...natsSettings,
  STREAM_REPLICAS: integer({ min: 1, max: 5 })({
    default: 1,
    desc: 'number of replicas of every stream; 3 in a NATS cluster',
  }),
};

/** When a generated market gets its next day. */
const MARKET_PACES = ['off', 'calendar', 'accelerated'] as const;
export type MarketPace = (typeof MARKET_PACES)[number];

export const marketPace = (fallback: MarketPace) =>
  str({
    choices: MARKET_PACES,
    default: fallback,
    desc: 'when a generated market gets its next day: never (`off`), on each trading day of the exchange (`calendar`), or every SYNTHETIC_DAY_SECONDS (`accelerated`)',
  });

/** Settings of services that let a generated market go on, or judge how fresh it is. */
export const generatedMarketSettings = {
  GENERATED_MARKET_PACE: marketPace('off'),
  SYNTHETIC_DAY_SECONDS: integer({ min: 5, max: 86_400 })({
    default: 10,
    desc: 'seconds for each day of a generated market whose pace is accelerated',
  }),
};

/** Settings of services that judge days by the trading days of the exchange. */
export const calendarSettings = {
  CALENDAR_FILE: str({
    default: '',
    desc: 'JSON file that adds days and years to the calendar of the exchange, or overrules it; see docs/operations.md. The built-in calendar alone when empty',
  }),
};

export const postgresSettings = {
  DATABASE_URL: urlOf('postgres', 'postgresql')({ desc: 'PostgreSQL database' }),
};

export const clickhouseSettings = {
  CLICKHOUSE_URL: urlsOf(
    'http',
    'https',
  )({
    desc: 'ClickHouse HTTP interface, with user and password; in a cluster, those of all servers, separated by commas',
  }),
  CLICKHOUSE_CLUSTER: str({
    default: '',
    desc: 'name of the ClickHouse cluster in `remote_servers`; its shards share the rows of the tables; a single server when empty',
  }),
  CLICKHOUSE_REPLICATED: bool({
    default: true,
    desc: 'whether the tables of the cluster are replicated; this needs ClickHouse Keeper and the macros `shard` and `replica`',
  }),
};

export const cursorSettings = {
  CURSOR_SECRET: rotatedSecret({
    desc: 'secret that signs page cursors; several are separated by commas: the first signs, and all are accepted',
  }),
};

/** The name of a setting about a service, for example `MARKET_DATA_ADDRESS`. */
export const settingOf = (service: string, what: string) =>
  `${service.toUpperCase().replaceAll('-', '_')}_${what}`;

/** The token that proves this process's identity to a service. */
export const serviceToken = (what: string) =>
  secretOrEmpty({
    default: '',
    desc: `this process’s token for calls to the ${what} service; needed unless GRPC_TLS_CERT identifies the process`,
  });

export const serviceAddress = (what: string) => address({ desc: `host:port of the ${what} service` });
