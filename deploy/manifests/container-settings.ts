import { clickhousePassword, databasePassword } from '../secrets/kept-secrets.ts';
import { natsPassword } from '#nats/authorization.ts';
import { roleOf } from '#postgres/roles.ts';
import { SERVICE_SECRETS } from '#local/state/secrets.ts';
import type { ServiceDefinition, SettingName } from '#local/service-table.ts';

/** A setting of a process in a container. */
export type ContainerSetting = { name: string } & (
  | { value: string; /** The secret that the value refers to. */ password?: string }
  | { /** The secret of the same name is the value. */ isSecret: true }
);

/** Where containers run, and how they refer to a secret within a value. */
export interface ContainerPlace {
  natsServers: readonly string[];
  reference: (secret: string) => string;
}

const SECRETS: readonly SettingName[] = [...SERVICE_SECRETS, 'OPERATOR_TOKEN'];

/**
 * What a process needs that its own defaults do not say: its stores with its own login, its secrets, and the addresses of the
 * services that it calls. It needs no token of a caller, because its certificate names it.
 */
export function containerSettings(
  { service, settings }: ServiceDefinition,
  { natsServers, reference }: ContainerPlace,
): ContainerSetting[] {
  const [nats, postgres, clickhouse] = [natsPassword, databasePassword, clickhousePassword].map((password) =>
    password(service),
  ) as [string, string, string];
  const natsUrl = (host: string) => `nats://${service}:${reference(nats)}@${host}:4222`;
  const stores: ContainerSetting[] = [
    { name: 'NATS_URL', password: nats, value: natsServers.map(natsUrl).join() },
    {
      name: 'DATABASE_URL',
      password: postgres,
      value: `postgres://${roleOf(service)}:${reference(postgres)}@postgres/saring`,
    },
    {
      name: 'CLICKHOUSE_URL',
      password: clickhouse,
      value: `http://${service}:${reference(clickhouse)}@clickhouse:8123`,
    },
  ];
  return [
    ...stores.filter(({ name }) => settings.some((setting) => setting === name)),
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
