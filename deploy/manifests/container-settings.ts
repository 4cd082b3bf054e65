import { storeSettings, type StorePlaces } from '../secrets/kept-secrets.ts';
import { SERVICE_SECRETS } from '#local/configuration/service-table.ts';
import type { ServiceDefinition, SettingName } from '#local/configuration/service-table.ts';

/** A setting of a process in a container. */
export type ContainerSetting = { name: string } & (
  | { value: string; /** The secret that the value refers to. */ password?: string }
  | { /** The secret of the same name is the value. */ isSecret: true }
);

/** What differs between the places where containers run. */
export type ContainerPlace = Pick<StorePlaces, 'natsServers' | 'reference'>;

const SECRETS: readonly SettingName[] = [...SERVICE_SECRETS, 'OPERATOR_TOKEN'];

/**
 * What a process needs that its own defaults do not say: its stores with its own login, its secrets, and the addresses of the
 * services that it calls. It needs no token of a caller, because its certificate names it.
 */
export function containerSettings(
  { service, settings }: ServiceDefinition,
  place: ContainerPlace,
): ContainerSetting[] {
  const { urls, passwords } = storeSettings(service, {
    ...place,
    postgres: 'postgres',
    clickhouse: 'clickhouse',
  });
  const stores = (['NATS_URL', 'DATABASE_URL', 'CLICKHOUSE_URL'] as const).filter((name) =>
    settings.includes(name),
  );
  return [
    ...stores.map((name) => ({ name, value: urls[name], password: passwords[name] })),
    ...SECRETS.filter((name) => settings.includes(name)).map((name) => ({ name, isSecret: true as const })),
    ...addressesIn(settings),
  ];
}

function addressesIn(settings: SettingName[]): ContainerSetting[] {
  return settings.flatMap((name) => {
    const called = /^(\w+)_ADDRESS$/.exec(name)?.[1];
    return called === undefined ? [] : [{ name, value: `${called.toLowerCase().replaceAll('_', '-')}:5000` }];
  });
}
