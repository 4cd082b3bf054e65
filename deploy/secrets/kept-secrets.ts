import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { CLICKHOUSE_SERVICES } from '#clickhouse/service-users.ts';
import { usersConfig } from '#local/servers/clickhouse-config.ts';
import { serviceUsers } from '#local/servers/clickhouse-server.ts';
import { SERVICE_SECRETS } from '#local/configuration/service-table.ts';
import { natsPassword } from '#nats/authorization.ts';
import { DATABASE_SERVICES, roleOf } from '#postgres/roles.ts';
import { settingOf } from '#platform/configuration/settings.ts';
import { NATS_SERVICES } from '#platform/nats/permissions.ts';

const clickhousePassword = (service: string) => settingOf(service, 'CLICKHOUSE_PASSWORD');
export const databasePassword = (service: string) => settingOf(service, 'DATABASE_PASSWORD');

/** Where the stores are, and how a setting refers to a secret. */
export interface StorePlaces {
  natsServers: readonly string[];
  postgres: string;
  clickhouse: string;
  reference: (secret: string) => string;
}

/** The settings with which a service reaches each store as its own user, also those that it does not read. */
export function storeSettings(service: string, places: StorePlaces) {
  const { natsServers, postgres, clickhouse, reference } = places;
  const passwords = {
    NATS_URL: natsPassword(service),
    DATABASE_URL: databasePassword(service),
    CLICKHOUSE_URL: clickhousePassword(service),
  };
  const of = (setting: keyof typeof passwords) => reference(passwords[setting]);
  const urls = {
    NATS_URL: natsServers.map((host) => `nats://${service}:${of('NATS_URL')}@${host}:4222`).join(),
    DATABASE_URL: `postgres://${roleOf(service)}:${of('DATABASE_URL')}@${postgres}/saring`,
    CLICKHOUSE_URL: `http://${service}:${of('CLICKHOUSE_URL')}@${clickhouse}:8123`,
  };
  return { urls, passwords };
}

const NAMES = [
  'OPERATOR_TOKEN',
  ...SERVICE_SECRETS,
  'POSTGRES_PASSWORD',
  'ANALYST_PASSWORD',
  ...NATS_SERVICES.map(natsPassword),
  ...CLICKHOUSE_SERVICES.map(clickhousePassword),
  ...DATABASE_SERVICES.map(databasePassword),
];

type KeptSecrets = Record<string, string>;

/** Every secret of a fleet with external servers, and those in `besides`, as `NAME=value` in the file. Existing ones stay. */
export function keptSecrets(file: string, besides: readonly string[] = []): KeptSecrets {
  const known = existsSync(file) ? (parseEnv(readFileSync(file, 'utf8')) as KeptSecrets) : {};
  // Prefixed, because NATS takes a variable that starts with a digit for a number.
  for (const name of [...NAMES, ...besides]) known[name] ??= `s${randomBytes(24).toString('base64url')}`;
  writeFileSync(file, envFile(known), { mode: 0o600 });
  // A file with a setting of the operator may be older than its secrets.
  chmodSync(file, 0o600);
  return known;
}

export function envFile(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

/** The users of ClickHouse, for `users.d`. */
export function clickhouseUsersFile(secrets: KeptSecrets): string {
  const passwords = Object.fromEntries(
    CLICKHOUSE_SERVICES.map((service) => [service, secrets[clickhousePassword(service)]!]),
  ) as Record<(typeof CLICKHOUSE_SERVICES)[number], string>;
  return usersConfig({
    users: serviceUsers(passwords),
    analyst: { user: 'analyst', password: secrets['ANALYST_PASSWORD']! },
    fromAnywhere: true,
  });
}
