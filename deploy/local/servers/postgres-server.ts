import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import type { ProcessSpec } from '../processes/launch.ts';
import { asOrdinaryUser, type OrdinaryUser } from './ordinary-user.ts';
import { initialiseCluster, ownFiles } from './postgres-cluster.ts';
import { postgresPrograms, type PostgresPrograms } from './postgres-programs.ts';
import { probeTcp } from '../processes/probe-tcp.ts';
import { assertServable, startServer, type RunningServer, type ServerOptions } from './embedded-server.ts';
import { StartError } from '../start-error.ts';

const PROBE_DEADLINE_MS = 2_000;
const INVALID_PASSWORD = '28P01';

export interface PostgresOptions extends ServerOptions {
  /** Also the owner of the database. */
  user: string;
  password: string;
  database: string;
}

/** PostgreSQL 18 with its durable defaults: an acknowledged commit is on the disk. */
export function postgresProcess(options: PostgresOptions, user = asOrdinaryUser()): ProcessSpec {
  const programs = postgresPrograms(options.dir);
  const dataDir = path.join(options.dir, 'data');
  return {
    name: 'postgres',
    title: 'PostgreSQL 18',
    command: programs.postgres,
    args: serverArguments(dataDir, options.port),
    env: programs.env,
    logFile: options.logFile ?? path.join(options.dir, 'server.log'),
    runAs: user.runAs,
    ipc: false,
    // To PostgreSQL, SIGTERM means: wait until every client has left.
    stopSignal: 'SIGINT',
    parentDeathSignal: 'INT',
    prepare: () => prepare(options, dataDir, programs, user),
    probe: () => ensureDatabase(options),
    readyWithinMs: 60_000,
  };
}

export function postgresUrl({ user, password, port, database }: PostgresOptions): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}

/** Starts one PostgreSQL server on its own, without restarts. */
export function startPostgresServer(options: PostgresOptions, user?: OrdinaryUser): Promise<RunningServer> {
  return startServer(postgresProcess(options, user), postgresUrl(options), options.port);
}

function serverArguments(dataDir: string, port: number): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 100,
    shared_buffers: '64MB',
    max_wal_size: '256MB',
    wal_level: 'minimal',
    max_wal_senders: 0,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', dataDir, '-p', String(port), ...flags];
}

async function prepare(
  options: PostgresOptions,
  dataDir: string,
  programs: PostgresPrograms,
  user: OrdinaryUser,
): Promise<void> {
  await assertServable('PostgreSQL', options.port);
  programs.linkLibraries();
  await initialiseCluster(dataDir, programs, user, options);
  ownFiles(dataDir, user);
  forgetStalePid(dataDir);
}

/**
 * After a power failure the lock file names a process id that may by now be anybody's; PostgreSQL would take that
 * process for a server of its own and refuse to start.
 */
function forgetStalePid(dataDir: string): void {
  const lockFile = path.join(dataDir, 'postmaster.pid');
  try {
    const pid = Number.parseInt(readFileSync(lockFile, 'utf8'), 10);
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir)) rmSync(lockFile);
  } catch {
    // No lock file, or no such process: PostgreSQL itself handles both.
  }
}

/** Answers once the server takes connections of this user, and makes the database on the first start. */
async function ensureDatabase({ dir, port, user, password, database }: PostgresOptions): Promise<void> {
  await probeTcp(port);
  const client = new Client({
    ...{ host: '127.0.0.1', port, user, password, database: 'postgres' },
    connectionTimeoutMillis: PROBE_DEADLINE_MS,
    query_timeout: PROBE_DEADLINE_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`);
  } catch (error) {
    if ((error as { code?: string }).code !== INVALID_PASSWORD) throw error;
    throw new StartError(
      `PostgreSQL refuses the password: its data in ${dir} was made with another one. Bring that one back, or delete this directory.`,
      { cause: error },
    );
  } finally {
    await client.end().catch(() => {});
  }
}
