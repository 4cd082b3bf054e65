import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { serverConfig, usersConfig, type ClickhouseUsers } from './clickhouse-config.ts';
import type { ProcessSpec } from '../processes/launch.ts';
import { probeTcp } from '../processes/probe-tcp.ts';
import { assertServable, startServer, type RunningServer, type ServerOptions } from './embedded-server.ts';
import { StartError } from '../start-error.ts';

const HOST = fileURLToPath(new URL('clickhouse-host.ts', import.meta.url));
const PACKAGE = '@chdb/lib-linux-x64-gnu';
const PROBE_DEADLINE_MS = 2_000;

export type ClickhouseOptions = ServerOptions & ClickhouseUsers;

/** The real ClickHouse HTTP server, for the ordinary client, in a process of its own. */
export function clickhouseProcess(options: ClickhouseOptions): ProcessSpec {
  assertInstalled();
  return {
    name: 'clickhouse',
    title: 'ClickHouse',
    command: process.execPath,
    args: [HOST, options.dir],
    // The server takes its time zone from here; dates must not depend on the machine.
    env: { ...process.env, TZ: 'UTC' },
    logFile: options.logFile ?? path.join(options.dir, 'server.log'),
    ipc: true,
    stopSignal: 'SIGTERM',
    parentDeathSignal: 'TERM',
    prepare: () => prepare(options),
    probe: () => answersFleet(options),
    readyWithinMs: 60_000,
  };
}

export function clickhouseUrl({ fleet, port }: Pick<ClickhouseOptions, 'fleet' | 'port'>): string {
  return `http://${fleet.user}:${fleet.password}@127.0.0.1:${port}`;
}

/** Starts one ClickHouse server on its own, without restarts. */
export function startClickhouseServer(options: ClickhouseOptions): Promise<RunningServer> {
  return startServer(clickhouseProcess(options), clickhouseUrl(options), options.port);
}

async function prepare(options: ClickhouseOptions): Promise<void> {
  await assertServable('ClickHouse', options.port);
  mkdirSync(options.dir, { recursive: true, mode: 0o700 });
  writeFileSync(path.join(options.dir, 'config.xml'), serverConfig(options), { mode: 0o600 });
  writeFileSync(path.join(options.dir, 'users.xml'), usersConfig(options), { mode: 0o600 });
}

async function answersFleet({ port, fleet }: ClickhouseOptions): Promise<void> {
  await probeTcp(port);
  const response = await fetch(`http://127.0.0.1:${port}/?query=select+1`, {
    headers: { connection: 'close', 'x-clickhouse-user': fleet.user, 'x-clickhouse-key': fleet.password },
    signal: AbortSignal.timeout(PROBE_DEADLINE_MS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(text.trim());
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
