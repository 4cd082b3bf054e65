import { clickhouseProcess, serviceUsers as clickhouseUsers } from './clickhouse-server.ts';
import { checkClickhouse, checkNats, checkPostgres } from './external-servers.ts';
import type { ProcessSpec } from '../processes/launch.ts';
import { natsProcess, serviceUsers as natsUsers } from './nats-server.ts';
import type { Ports } from '../state/ports.ts';
import { postgresProcess, postgresUrl } from './postgres-server.ts';
import type { Secrets } from '../state/secrets.ts';
import type { ServerName } from '../configuration/service-table.ts';
import type { LocalSettings } from '../configuration/settings.ts';
import type { StateDir } from '../state/state-dir.ts';

export const ANALYST = 'analyst';

/**
 * A server that the services need: a process of the fleet, or an external server that only has to answer, as the URL's user.
 * For the users that connect to a server of the fleet, see `credentialsOf`.
 */
export type Server = { title: string; url: string; port: number } & (
  | { spec: ProcessSpec }
  | { spec?: never; check: () => Promise<void> }
);

/** Decides where each server runs, without starting any. */
export async function planServers(
  settings: LocalSettings,
  secrets: Secrets,
  stateDir: StateDir,
  ports: Ports,
): Promise<Record<ServerName, Server>> {
  return {
    nats: settings.natsUrl
      ? external('NATS', settings.natsUrl, 4222, checkNats)
      : await embeddedNats(secrets, stateDir, ports),
    postgres: settings.databaseUrl
      ? external('PostgreSQL', settings.databaseUrl, 5432, checkPostgres)
      : await embeddedPostgres(secrets, stateDir, ports),
    clickhouse: settings.clickhouse
      ? external('ClickHouse', settings.clickhouse.url, 8123, checkClickhouse)
      : await embeddedClickhouse(secrets, stateDir, ports),
  };
}

function external(
  title: string,
  url: string,
  usualPort: number,
  check: (url: string) => Promise<void>,
): Server {
  return { title, url, port: Number(new URL(url.split(',')[0]!).port) || usualPort, check: () => check(url) };
}

async function embeddedNats(secrets: Secrets, stateDir: StateDir, ports: Ports): Promise<Server> {
  const port = await ports.usual('nats', 4222);
  const users = natsUsers(secrets.nats_passwords);
  const spec = natsProcess({ dir: stateDir.path('nats'), port, logFile: stateDir.logFile('nats'), users });
  return embedded(spec, `nats://127.0.0.1:${port}`, port);
}

async function embeddedPostgres(secrets: Secrets, stateDir: StateDir, ports: Ports): Promise<Server> {
  const options = {
    dir: stateDir.path('postgres'),
    port: await ports.usual('postgres', 5432),
    logFile: stateDir.logFile('postgres'),
    user: 'saring',
    password: secrets.postgres_password,
    database: 'saring',
  };
  return embedded(postgresProcess(options), postgresUrl(options), options.port);
}

async function embeddedClickhouse(secrets: Secrets, stateDir: StateDir, ports: Ports): Promise<Server> {
  const options = {
    dir: stateDir.path('clickhouse'),
    port: await ports.usual('clickhouse', 8123),
    logFile: stateDir.logFile('clickhouse'),
    users: clickhouseUsers(secrets.clickhouse_passwords),
    analyst: { user: ANALYST, password: secrets.clickhouse_analyst_password },
  };
  return embedded(clickhouseProcess(options), `http://127.0.0.1:${options.port}`, options.port);
}

function embedded(spec: ProcessSpec, url: string, port: number): Server {
  return { title: spec.title, url, port, spec };
}
