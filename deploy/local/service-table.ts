/** A setting that the fleet decides; any other environment variable of the user reaches every process as it is. */
export type SettingName =
  | 'NATS_URL'
  | 'DATABASE_URL'
  | 'CLICKHOUSE_URL'
  | 'OPERATOR_TOKEN'
  | 'KEY_PEPPER'
  | 'CURSOR_SECRET'
  | 'KEYS_ADDRESS'
  | 'MARKET_DATA_ADDRESS'
  | 'MODELS_ADDRESS'
  | 'USAGE_ADDRESS'
  | 'CONSENT_ADDRESS'
  | 'SCHEDULER_ADDRESS'
  | 'HOST'
  | 'PORT';

export type ServerName = 'nats' | 'postgres' | 'clickhouse';

export interface ServiceDefinition {
  name: string;
  /** What people are told. */
  title: string;
  /** From the project's root. */
  entry: string;
  settings: SettingName[];
  /** The gateway serves REST; every other process serves gRPC. */
  serves: 'grpc' | 'rest';
}

/** Every service of the fleet, in the order of starting; stopping goes the other way. */
export function serviceTable({ workers }: { workers: number }): ServiceDefinition[] {
  return [
    {
      name: 'keys',
      title: 'keys service',
      entry: 'services/keys/main.ts',
      settings: ['NATS_URL', 'DATABASE_URL', 'OPERATOR_TOKEN', 'KEY_PEPPER'],
      serves: 'grpc',
    },
    {
      name: 'market-data',
      title: 'market-data service',
      entry: 'services/market-data/main.ts',
      settings: ['NATS_URL', 'CLICKHOUSE_URL', 'OPERATOR_TOKEN'],
      serves: 'grpc',
    },
    {
      name: 'usage',
      title: 'usage service',
      entry: 'services/usage/main.ts',
      settings: ['NATS_URL', 'CLICKHOUSE_URL', 'CURSOR_SECRET'],
      serves: 'grpc',
    },
    {
      name: 'models',
      title: 'models service',
      entry: 'services/models/main.ts',
      settings: ['NATS_URL', 'DATABASE_URL'],
      serves: 'grpc',
    },
    {
      name: 'consent',
      title: 'consent service',
      entry: 'services/consent/main.ts',
      settings: ['DATABASE_URL'],
      serves: 'grpc',
    },
    {
      name: 'scheduler',
      title: 'scheduler',
      entry: 'services/scheduler/main.ts',
      settings: ['DATABASE_URL', 'OPERATOR_TOKEN', 'KEYS_ADDRESS', 'MARKET_DATA_ADDRESS', 'MODELS_ADDRESS'],
      serves: 'grpc',
    },
    ...Array.from({ length: workers }, (_, index) => modelWorker(index + 1)),
    {
      name: 'gateway',
      title: 'gateway',
      entry: 'gateway/main.ts',
      settings: [
        ...(['NATS_URL', 'KEYS_ADDRESS', 'MARKET_DATA_ADDRESS', 'MODELS_ADDRESS', 'USAGE_ADDRESS'] as const),
        ...(['CONSENT_ADDRESS', 'HOST', 'PORT'] as const),
      ],
      serves: 'rest',
    },
  ];
}

function modelWorker(number: number): ServiceDefinition {
  return {
    name: `model-worker-${number}`,
    title: `model worker ${number}`,
    entry: 'services/model-worker/main.ts',
    settings: ['NATS_URL', 'CLICKHOUSE_URL'],
    serves: 'grpc',
  };
}
