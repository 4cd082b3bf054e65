import { settingOf } from '#shared/config/settings.ts';
import { LIGHT_SERVICES } from '#shared/process/light-services.ts';

/** Services that others call, with their names in the addresses of `fleet.json`. */
const CALLED = ['keys', 'market_data', 'models', 'usage', 'consent', 'scheduler'] as const;
/** The address of each service, as host:port. */
export type Addresses = Record<(typeof CALLED)[number], string>;
type AddressSetting = `${Uppercase<keyof Addresses>}_ADDRESS`;

const addressSetting = (name: keyof Addresses) => settingOf(name, 'ADDRESS') as AddressSetting;

/** @param of gives the address of a process by its name */
export function addressesBy(of: (process: string) => string): Addresses {
  return Object.fromEntries(CALLED.map((name) => [name, of(name.replace('_', '-'))])) as Addresses;
}

/** The settings that give a process the addresses of the services it calls. */
export function addressSettings(addresses: Addresses): Record<AddressSetting, string> {
  return Object.fromEntries(CALLED.map((name) => [addressSetting(name), addresses[name]])) as Record<
    AddressSetting,
    string
  >;
}

/** The settings that the fleet controls. All other environment variables of the user are passed to every process. */
export const SETTING_NAMES = [
  'NATS_URL',
  'DATABASE_URL',
  'CLICKHOUSE_URL',
  'OPERATOR_TOKEN',
  'CALLER_SECRET',
  'KEYS_TOKEN',
  'MODELS_TOKEN',
  'USAGE_TOKEN',
  'CONSENT_TOKEN',
  'KEY_PEPPER',
  'CURSOR_SECRET',
  'RECORD_SECRET',
  ...CALLED.map(addressSetting),
  'HOST',
  'PORT',
  'CONSOLE_SIGN_IN_FILE',
  'OPERATOR_TOKEN_SHA256',
  'OPERATIONS_URLS',
  'CACHE_DIR',
] as const;
export type SettingName = (typeof SETTING_NAMES)[number];

export type ServiceName =
  'keys' | 'market-data' | 'usage' | 'models' | 'consent' | 'scheduler' | 'model-worker' | 'gateway';

export type ServerName = 'nats' | 'postgres' | 'clickhouse';

export interface ServiceDefinition {
  /** The name of the service or, of a worker, with its number. */
  name: string;
  /** The service whose identity the process has. Workers share one. */
  service: ServiceName;
  /** The name for people. */
  title: string;
  /** Relative to the project's root. */
  entry: string;
  settings: SettingName[];
  /** The gateway serves REST; every other process serves gRPC. */
  serves: 'grpc' | 'rest';
}

/** Every service of the fleet. */
export function serviceTable({ workers }: { workers: number }): ServiceDefinition[] {
  return [
    {
      name: 'keys',
      service: 'keys',
      title: 'keys service',
      entry: 'services/keys/main.ts',
      settings: ['NATS_URL', 'DATABASE_URL', 'OPERATOR_TOKEN', 'CALLER_SECRET', 'KEY_PEPPER'],
      serves: 'grpc',
    },
    {
      name: 'market-data',
      service: 'market-data',
      title: 'market-data service',
      entry: 'services/market-data/main.ts',
      settings: ['NATS_URL', 'CLICKHOUSE_URL', 'OPERATOR_TOKEN'],
      serves: 'grpc',
    },
    {
      name: 'usage',
      service: 'usage',
      title: 'usage service',
      entry: 'services/usage/main.ts',
      settings: ['NATS_URL', 'CLICKHOUSE_URL', 'OPERATOR_TOKEN', 'CALLER_SECRET', 'CURSOR_SECRET'],
      serves: 'grpc',
    },
    {
      name: 'models',
      service: 'models',
      title: 'models service',
      entry: 'services/models/main.ts',
      settings: [
        'NATS_URL',
        'DATABASE_URL',
        'CALLER_SECRET',
        'OPERATOR_TOKEN',
        'MARKET_DATA_ADDRESS',
        'USAGE_ADDRESS',
        'USAGE_TOKEN',
        'RECORD_SECRET',
      ],
      serves: 'grpc',
    },
    {
      name: 'consent',
      service: 'consent',
      title: 'consent service',
      entry: 'services/consent/main.ts',
      settings: ['DATABASE_URL', 'CALLER_SECRET'],
      serves: 'grpc',
    },
    {
      name: 'scheduler',
      service: 'scheduler',
      title: 'scheduler',
      entry: 'services/scheduler/main.ts',
      settings: [
        'DATABASE_URL',
        'OPERATOR_TOKEN',
        'MARKET_DATA_ADDRESS',
        'KEYS_ADDRESS',
        'KEYS_TOKEN',
        'MODELS_ADDRESS',
        'MODELS_TOKEN',
      ],
      serves: 'grpc',
    },
    ...Array.from({ length: workers }, (_, index) => modelWorker(index + 1)),
    {
      name: 'gateway',
      service: 'gateway',
      title: 'gateway',
      entry: 'gateway/main.ts',
      settings: [
        'NATS_URL',
        'KEYS_ADDRESS',
        'MARKET_DATA_ADDRESS',
        'MODELS_ADDRESS',
        'USAGE_ADDRESS',
        'KEYS_TOKEN',
        'MODELS_TOKEN',
        'USAGE_TOKEN',
        'CONSENT_TOKEN',
        'CONSENT_ADDRESS',
        'SCHEDULER_ADDRESS',
        'HOST',
        'PORT',
        'CONSOLE_SIGN_IN_FILE',
        'OPERATOR_TOKEN_SHA256',
        'OPERATIONS_URLS',
      ],
      serves: 'rest',
    },
  ];
}

/** The process that the light services share, and the name of its log. */
export const SHARED_PROCESS = 'services';

/** `shared` runs the light services in one process, `separate` each service in its own. */
export const LAYOUTS = ['shared', 'separate'] as const;
export type Layout = (typeof LAYOUTS)[number];

export interface ProcessDefinition {
  name: string;
  /** The name for people. */
  title: string;
  /** Relative to the project's root. */
  entry: string;
  services: ServiceDefinition[];
}

/** Every process of the fleet in start order. They stop in reverse order. */
export function processTable(services: ServiceDefinition[], layout: Layout): ProcessDefinition[] {
  const isShared = ({ service }: ServiceDefinition) =>
    layout === 'shared' && LIGHT_SERVICES.some((name) => name === service);
  const light = LIGHT_SERVICES.flatMap((name) => services.filter(({ service }) => service === name));
  const shared = {
    name: SHARED_PROCESS,
    title: `process of ${light.map(({ name }) => name).join(', ')}`,
    entry: 'services/main.ts',
    services: light,
  };
  const alone = services
    .filter((service) => !isShared(service))
    .map((service) => ({ ...service, services: [service] }));
  return layout === 'shared' ? [shared, ...alone] : alone;
}

function modelWorker(number: number): ServiceDefinition {
  return {
    name: `model-worker-${number}`,
    service: 'model-worker',
    title: `model worker ${number}`,
    entry: 'services/model-worker/main.ts',
    settings: ['NATS_URL', 'CLICKHOUSE_URL', 'CACHE_DIR'],
    serves: 'grpc',
  };
}
