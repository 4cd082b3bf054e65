import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Client, DatabaseError } from 'pg';
import type { ProcessSpec } from '../processes/launch.ts';
import { ATTEMPT_MS, type LivenessProbe } from '../processes/liveness.ts';
import { alive, probeTcp } from '../processes/probes.ts';
import { whyNoRoom } from './disk-room.ts';
import { asOrdinaryUser, type OrdinaryUser } from './ordinary-user.ts';
import { initialiseCluster, ownFiles } from './postgres-cluster.ts';
import { postgresPrograms, type PostgresPrograms } from './postgres-programs.ts';
import { assertServable, startServer, type RunningServer, type ServerOptions } from './embedded-server.ts';
import { StartError } from '../configuration/start-error.ts';

const INVALID_PASSWORD = '28P01';
/** SQLSTATE of a server that is starting or recovering. A restart would make it start from the beginning. */
const STARTING_UP = '57P03';
const STORES_PAUSE_MS = 5_000;
/** A slow commit may be caused by a slow disk, which a recovery would only keep busier. */
const STORES_ALLOWANCE_MS = 60_000;

export interface PostgresOptions extends ServerOptions {
  /** The superuser, who also owns the database. */
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
    // For PostgreSQL, SIGTERM means: wait until every client has disconnected.
    stopSignal: 'SIGINT',
    parentDeathSignal: 'INT',
    prepare: () => prepare(options, dataDir, programs, user),
    probe: () => ensureDatabase(options),
    liveness: [alive(() => answersStatements(options)), storesCommits(options)],
  };
}

export function postgresUrl({ user, password, port, database }: PostgresOptions): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`;
}

/** Starts one PostgreSQL server without restarts. */
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
 * After a power cut the process id in the lock file may belong to any process. PostgreSQL would take that process for its own
 * server and refuse to start.
 */
function forgetStalePid(dataDir: string): void {
  const lockFile = path.join(dataDir, 'postmaster.pid');
  try {
    const pid = Number.parseInt(readFileSync(lockFile, 'utf8'), 10);
    // There is no process id if the disk was full when the file was written.
    const isStale = Number.isNaN(pid) || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir);
    if (isStale) rmSync(lockFile);
  } catch {
    // No lock file, or no such process: PostgreSQL handles both.
  }
}

/** Resolves once the server accepts connections of this user. Creates the database on the first start. */
async function ensureDatabase({ dir, port, user, password, database }: PostgresOptions): Promise<void> {
  await probeTcp(port);
  try {
    await withClient({ port, user, password }, async (client) => {
      const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
      if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`);
    });
  } catch (error) {
    if ((error as { code?: string }).code !== INVALID_PASSWORD) throw error;
    throw new StartError(
      `PostgreSQL refuses the password: its data in ${dir} was created with another one. Restore that password in secrets.json, or delete this directory.`,
      { cause: error },
    );
  }
}

/**
 * Opens a new connection each time: existing child processes answer without their parent, and only the parent creates new ones.
 */
async function answersStatements(options: PostgresOptions): Promise<void> {
  try {
    await withClient(options, (client) => client.query('select 1'));
  } catch (error) {
    // A refusal is a response.
    if (!(error instanceof DatabaseError)) throw error;
  }
}

/** A commit that writes to no table, but must reach the disk like any other. */
function storesCommits(options: PostgresOptions): LivenessProbe {
  const commit = "select pg_logical_emit_message(true, 'liveness', '')";
  return {
    failing: 'could not store anything',
    attempt: async () => {
      try {
        await withClient(options, (client) => client.query(commit));
      } catch (error) {
        if ((error as { code?: string }).code !== STARTING_UP) throw error;
      }
    },
    pauseMs: STORES_PAUSE_MS,
    allowanceMs: STORES_ALLOWANCE_MS,
    excuse: () => whyNoRoom(options.dir),
  };
}

async function withClient<T>(
  { port, user, password }: Pick<PostgresOptions, 'port' | 'user' | 'password'>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user,
    password,
    database: 'postgres',
    connectionTimeoutMillis: ATTEMPT_MS,
    query_timeout: ATTEMPT_MS,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}
