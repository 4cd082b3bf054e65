import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CLICKHOUSE_SERVICES, PERMISSIONS, type ClickhouseService } from '#clickhouse/service-users.ts';
import { serverConfig, usersConfig, type ClickhouseUser, type ClickhouseUsers } from './clickhouse-config.ts';
import type { ProcessSpec } from '../processes/launch.ts';
import { ATTEMPT_MS } from '../processes/liveness.ts';
import { alive, probeTcp } from '../processes/probes.ts';
import { assertServable, startServer, type RunningServer, type ServerOptions } from './embedded-server.ts';
import { StartError } from '../configuration/start-error.ts';

const HOST = fileURLToPath(new URL('clickhouse-host.ts', import.meta.url));
const PACKAGE = '@chdb/lib-linux-x64-gnu';
/** MiB of each half of V8's young generation. The host only starts the server, so the smallest is enough. */
const LITTLE_JAVASCRIPT = ['--max-semi-space-size=1'];
const PROBE_DEADLINE_MS = 2_000;
/** Most ends take milliseconds, and five seconds while clients keep connections open. */
const STOPS_WITHIN_MS = 15_000;

export type ClickhouseOptions = ServerOptions & ClickhouseUsers;

/** A full ClickHouse HTTP server in its own process, for the ordinary client. */
export function clickhouseProcess(options: ClickhouseOptions): ProcessSpec {
  assertInstalled();
  return {
    name: 'clickhouse',
    title: 'ClickHouse',
    command: process.execPath,
    args: [
      ...LITTLE_JAVASCRIPT,
      HOST,
      options.dir,
      String(STOPS_WITHIN_MS),
      ...(options.cluster ? ['TCP'] : []),
    ],
    // The time zone is the server's, so that dates do not depend on the machine.
    env: { NODE_COMPILE_CACHE: path.join(options.dir, 'cache'), ...process.env, TZ: 'UTC' },
    logFile: options.logFile ?? path.join(options.dir, 'server.log'),
    ipc: true,
    stopSignal: 'SIGTERM',
    // Its host, which counts from the same signal, comes first.
    killAfterMs: STOPS_WITHIN_MS + 1_000,
    parentDeathSignal: 'TERM',
    prepare: () => prepare(options),
    probe: () => answersQueries(options),
    liveness: [alive(() => answersPing(options.port))],
  };
}

/** The users as which the fleet's services connect. */
export function serviceUsers(passwords: Record<ClickhouseService, string>): ClickhouseUser[] {
  return CLICKHOUSE_SERVICES.map((service) => ({
    user: service,
    password: passwords[service],
    permissions: PERMISSIONS[service],
  }));
}

/** Starts one ClickHouse server without restarts. Its URL contains the first user. */
export function startClickhouseServer(options: ClickhouseOptions): Promise<RunningServer> {
  const { user, password } = options.users[0]!;
  const url = `http://${user}:${password}@127.0.0.1:${options.port}`;
  return startServer(clickhouseProcess(options), url, options.port);
}

async function prepare(options: ClickhouseOptions): Promise<void> {
  await assertServable('ClickHouse', options.port);
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(options.dir, 'config.xml'), serverConfig(options), { mode: 0o600 });
  writeFileSync(path.join(options.dir, 'users.xml'), usersConfig(options), { mode: 0o600 });
}

async function answersQueries({ port, users }: ClickhouseOptions): Promise<void> {
  await probeTcp(port);
  const { user, password } = users[0]!;
  const response = await fetch(`http://127.0.0.1:${port}/?query=select+1`, {
    headers: { connection: 'close', 'x-clickhouse-user': user, 'x-clickhouse-key': password },
    signal: AbortSignal.timeout(PROBE_DEADLINE_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text.trim());
}

/** A ping costs the server nothing and is answered even when it accepts no further query. */
async function answersPing(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/ping`, {
    headers: { connection: 'close' },
    signal: AbortSignal.timeout(ATTEMPT_MS),
  });
  await response.body?.cancel();
}

function assertInstalled(): void {
  try {
    createRequire(import.meta.url).resolve(PACKAGE);
  } catch (error) {
    throw new StartError(`ClickHouse is not installed (${PACKAGE}): run npm ci, or set CLICKHOUSE_URL.`, {
      cause: error,
    });
  }
}
