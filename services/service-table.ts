import type { Settings } from '#platform/configuration/config.ts';
import { settings as consent } from './consent/config.ts';
import { settings as feed } from './feed/config.ts';
import { settings as keys } from './keys/config.ts';
import { settings as marketData } from './market-data/config.ts';
import { settings as modelWorker } from './model-worker/config.ts';
import { settings as models } from './models/config.ts';
import { settings as scheduler } from './scheduler/config.ts';
import { settings as screens } from './screens/config.ts';
import { settings as usage } from './usage/config.ts';
import { settings as webhooks } from './webhooks/config.ts';

interface ServiceDeclaration {
  /** The name for people. */
  title: string;
  /** They also say what the service needs: which stores, which secrets, and which other services. */
  settings: Settings;
  /** Whether it can share a process: it neither keeps a processor busy nor holds a market in memory. */
  isLight: boolean;
  /** From the first port of plain machines. A new service takes the next number, so that ports of running machines stay. */
  portOffset: number;
}

/**
 * Every service, each after those that it calls. From this table follow the local fleet, the manifests, roles, secrets,
 * certificates and ports.
 */
export const SERVICES = {
  keys: { title: 'keys service', settings: keys, isLight: true, portOffset: 0 },
  consent: { title: 'consent service', settings: consent, isLight: true, portOffset: 4 },
  'market-data': { title: 'market-data service', settings: marketData, isLight: false, portOffset: 1 },
  usage: { title: 'usage service', settings: usage, isLight: true, portOffset: 2 },
  models: { title: 'models service', settings: models, isLight: true, portOffset: 3 },
  scheduler: { title: 'scheduler', settings: scheduler, isLight: true, portOffset: 5 },
  screens: { title: 'screens service', settings: screens, isLight: true, portOffset: 9 },
  feed: { title: 'feed', settings: feed, isLight: true, portOffset: 8 },
  webhooks: { title: 'webhooks service', settings: webhooks, isLight: true, portOffset: 10 },
  'model-worker': { title: 'model worker', settings: modelWorker, isLight: false, portOffset: 6 },
} satisfies Record<string, ServiceDeclaration>;

type Services = typeof SERVICES;
export type ServiceName = keyof Services;

export const SERVICE_NAMES = Object.keys(SERVICES) as ServiceName[];

/** Services that can share a process, each after those that it calls. */
export const LIGHT_SERVICES = SERVICE_NAMES.filter((name) => SERVICES[name].isLight);

/** The services that read a setting. */
export type ServiceWith<Setting extends string> = {
  [Name in ServiceName]: Setting extends keyof Services[Name]['settings'] ? Name : never;
}[ServiceName];

export function servicesWith<Setting extends string>(setting: Setting): ServiceWith<Setting>[] {
  return SERVICE_NAMES.filter((name) => setting in SERVICES[name].settings) as ServiceWith<Setting>[];
}
