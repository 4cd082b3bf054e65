import { settings as gatewaySettings } from '#gateway/config.ts';
import {
  LIGHT_SERVICES,
  SERVICE_NAMES,
  SERVICES,
  servicesWith,
  type ServiceName as GrpcServiceName,
  type ServiceWith,
} from '#services/service-table.ts';
import { settingOf } from '#platform/configuration/settings.ts';

type Underscored<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}_${Underscored<Rest>}`
  : Name;

/** The services with methods that only named callers may call. */
export const CALLED_SERVICES = servicesWith('CALLER_SECRET');
export type CalledService = ServiceWith<'CALLER_SECRET'>;

/** Secrets that services need for themselves, by the setting that holds them. Copies and services that share one agree on it. */
export const SERVICE_SECRETS = [
  'KEY_PEPPER',
  'CURSOR_SECRET',
  'RECORD_SECRET',
  'WEBHOOK_SECRET_KEY',
] as const;
export type ServiceSecret = (typeof SERVICE_SECRETS)[number];

/** Workers take their runs from a queue; all others are called. */
const CALLED = SERVICE_NAMES.filter((name) => name !== 'model-worker');
type Called = Underscored<Exclude<GrpcServiceName, 'model-worker'>>;
/** The address of each service, as host:port, by its name in `fleet.json`. */
export type Addresses = Record<Called, string>;
type AddressSetting = `${Uppercase<Called>}_ADDRESS`;
/** The setting with the token that proves a caller to a service. */
export type TokenSetting = `${Uppercase<Underscored<CalledService>>}_TOKEN`;

const addressSetting = (name: string) => settingOf(name, 'ADDRESS') as AddressSetting;

/** @param of gives the address of a process by its name */
export function addressesBy(of: (process: string) => string): Addresses {
  return Object.fromEntries(CALLED.map((name) => [name.replaceAll('-', '_'), of(name)])) as Addresses;
}

/** The settings that give a process the addresses of the services it calls. */
export function addressSettings(addresses: Addresses): Record<AddressSetting, string> {
  return Object.fromEntries(
    Object.entries(addresses).map(([name, address]) => [addressSetting(name), address]),
  ) as Record<AddressSetting, string>;
}

/** The settings that the fleet controls. All other environment variables of the user are passed to every process. */
export const SETTING_NAMES = [
  'NATS_URL',
  'DATABASE_URL',
  'CLICKHOUSE_URL',
  'OPERATOR_TOKEN',
  'CALLER_SECRET',
  ...CALLED_SERVICES.map((name) => settingOf(name, 'TOKEN') as TokenSetting),
  ...SERVICE_SECRETS,
  ...CALLED.map(addressSetting),
  'HOST',
  'PORT',
  'CONSOLE_SIGN_IN_FILE',
  'OPERATOR_TOKEN_SHA256',
  'OPERATIONS_URLS',
  'CACHE_DIR',
  'GENERATED_MARKET_PACE',
  'WEBHOOK_ALLOWED_RANGES',
] as const;
export type SettingName = (typeof SETTING_NAMES)[number];

export type ServiceName = GrpcServiceName | 'gateway';

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
  /** Those that the fleet controls, of all that the service reads. */
  settings: SettingName[];
  /** The gateway serves REST; every other process serves gRPC. */
  serves: 'grpc' | 'rest';
  /** As in the table of services. */
  portOffset: number;
}

/** Every service of the fleet. */
export function serviceTable({ workers }: { workers: number }): ServiceDefinition[] {
  const services = SERVICE_NAMES.flatMap((service) => {
    const { title, settings, portOffset } = SERVICES[service];
    const definition: ServiceDefinition = {
      name: service,
      service,
      title,
      entry: `build/${service}.js`,
      settings: controlled(settings),
      serves: 'grpc',
      portOffset,
    };
    if (service !== 'model-worker') return [definition];
    return Array.from({ length: workers }, (_, index) => ({
      ...definition,
      name: `${service}-${index + 1}`,
      title: `${title} ${index + 1}`,
    }));
  });
  return [...services, GATEWAY];
}

const GATEWAY: ServiceDefinition = {
  name: 'gateway',
  service: 'gateway',
  title: 'gateway',
  entry: 'build/gateway.js',
  settings: controlled(gatewaySettings),
  serves: 'rest',
  portOffset: 7,
};

function controlled(settings: object): SettingName[] {
  return SETTING_NAMES.filter((name) => name in settings);
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
    entry: 'build/services.js',
    services: light,
  };
  const alone = services
    .filter((service) => !isShared(service))
    .map((service) => ({ ...service, services: [service] }));
  return layout === 'shared' ? [shared, ...alone] : alone;
}
