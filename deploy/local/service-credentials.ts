import { callerToken } from '#shared/grpc/callers.ts';
import { CLICKHOUSE_SERVICES } from '#clickhouse/service-users.ts';
import { settingOf } from '#shared/config/settings.ts';
import { NATS_SERVICES } from '#shared/nats/permissions.ts';
import { DATABASE_SERVICES, roleOf } from '#postgres/roles.ts';
import { CALLED_SERVICES, type CalledService, type Secrets } from './state/secrets.ts';
import type { Server } from './servers/plan-servers.ts';
import type { ServerName, ServiceName, TokenSetting } from './service-table.ts';

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
  return {
    DATABASE_URL: databaseUrlOf(service, secrets, servers.postgres),
    NATS_URL: natsUrlOf(service, secrets, servers.nats),
    CLICKHOUSE_URL: clickhouseUrlOf(service, secrets, servers.clickhouse),
    ...(called && { CALLER_SECRET: secrets.caller_secrets[called] }),
    ...tokenSettings(callerTokens(service, secrets)),
  };
}

/** The URL with the service's own role on the embedded server. An external server is used with its URL unchanged. */
function databaseUrlOf(service: ServiceName, secrets: Secrets, { spec, url }: Server): string {
  const known = DATABASE_SERVICES.find((name) => name === service);
  if (!spec || !known) return url;
  return asUser(url, roleOf(known), secrets.postgres_role_passwords[known]);
}

/** The same for NATS and ClickHouse, where users have the names of the services. */
function natsUrlOf(service: ServiceName, secrets: Secrets, { spec, url }: Server): string {
  const known = NATS_SERVICES.find((name) => name === service);
  return spec && known ? asUser(url, known, secrets.nats_passwords[known]) : url;
}

function clickhouseUrlOf(service: ServiceName, secrets: Secrets, { spec, url }: Server): string {
  const known = CLICKHOUSE_SERVICES.find((name) => name === service);
  return spec && known ? asUser(url, known, secrets.clickhouse_passwords[known]) : url;
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
