import type { ClickHouseAddress } from '#platform/clickhouse/address.ts';
import type { ClusterLayout } from '#platform/clickhouse/tables.ts';
import { callerToken } from '#platform/grpc/callers.ts';
import { settingOf } from '#platform/configuration/settings.ts';
import { roleOf } from '#postgres/roles.ts';
import type { Secrets } from './state/secrets.ts';
import type { StoreUrls } from './state/fleet-file.ts';
import type { Server } from './servers/plan-servers.ts';
import {
  CALLED_SERVICES,
  type CalledService,
  type ServerName,
  type ServiceName,
  type TokenSetting,
} from './configuration/service-table.ts';

/** Secrets that differ between services. They identify a service to the others. */
export type Credentials = Partial<
  Record<'CALLER_SECRET' | 'DATABASE_URL' | 'NATS_URL' | 'CLICKHOUSE_URL' | TokenSetting, string>
>;

export function credentialsOf(
  service: ServiceName,
  secrets: Secrets,
  servers: Record<ServerName, Server>,
): Credentials {
  const called = CALLED_SERVICES.find((name) => name === service);
  /** The URL with the service's own user on the embedded server. An external server is used with its URL unchanged. */
  const own = <Name extends string>(
    { spec, url }: Server,
    passwords: Record<Name, string>,
    userOf: (name: Name) => string = (name) => name,
  ) => {
    const known = (Object.keys(passwords) as Name[]).find((name) => name === service);
    return spec && known ? asUser(url, userOf(known), passwords[known]) : url;
  };
  return {
    DATABASE_URL: own(servers.postgres, secrets.postgres_role_passwords, roleOf),
    NATS_URL: own(servers.nats, secrets.nats_passwords),
    CLICKHOUSE_URL: own(servers.clickhouse, secrets.clickhouse_passwords),
    ...(called && { CALLER_SECRET: secrets.caller_secrets[called] }),
    ...tokenSettings(callerTokens(service, secrets)),
  };
}

function asUser(url: string, user: string, password: string): string {
  const own = new URL(url);
  [own.username, own.password] = [user, password];
  return own.href;
}

/** The tokens that prove this caller to each service. */
export function callerTokens(
  caller: ServiceName,
  { caller_secrets }: Secrets,
): Record<CalledService, string> {
  const tokens = CALLED_SERVICES.map((called) => [called, callerToken(caller_secrets[called], caller)]);
  return Object.fromEntries(tokens) as Record<CalledService, string>;
}

/** The settings that pass the tokens to a process. */
export function tokenSettings(tokens: Record<CalledService, string>): Record<TokenSetting, string> {
  const settings = Object.entries(tokens).map(([called, token]) => [settingOf(called, 'TOKEN'), token]);
  return Object.fromEntries(settings) as Record<TokenSetting, string>;
}

/**
 * URLs with users that may read and write everything the services store.
 * @param cluster of an external ClickHouse
 */
export function storeUrls(
  secrets: Secrets,
  servers: Record<ServerName, Server>,
  cluster: ClusterLayout | undefined,
): StoreUrls {
  const asOwner = (service: 'market-data' | 'usage'): ClickHouseAddress => {
    const url = credentialsOf(service, secrets, servers).CLICKHOUSE_URL!;
    return cluster ? { url, cluster } : { url };
  };
  return {
    postgres: servers.postgres.url,
    clickhouse: { market: asOwner('market-data'), usage: asOwner('usage') },
  };
}
