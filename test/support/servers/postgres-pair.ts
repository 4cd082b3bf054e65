import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type pg from 'pg';
import { probeTcp } from '#local/processes/probes.ts';
import { startServer, type RunningServer } from '#local/servers/embedded-server.ts';
import { asOrdinaryUser } from '#local/servers/ordinary-user.ts';
import { freePort } from '#local/state/ports.ts';
import { postgresRows } from './rows.ts';
import { TcpProxy } from './tcp-proxy.ts';

const PROGRAMS = '/usr/lib/postgresql/15/bin';

/** The project's packaged PostgreSQL lacks pg_basebackup, so these tests need Debian's (apt-get install postgresql-15). */
export const hasPostgresPair = existsSync(path.join(PROGRAMS, 'pg_basebackup'));

const USER = 'fleet';
const DATABASE = 'saring';
const PROGRAM_DEADLINE_MS = 60_000;
const PAUSE_MS = 50;

/** A primary and a synchronous standby, behind one address that can move from one to the other. */
export class PostgresPair {
  readonly #dir: string;
  readonly #primary: RunningServer;
  readonly #standby: RunningServer;
  readonly #address: TcpProxy;

  private constructor(dir: string, primary: RunningServer, standby: RunningServer, address: TcpProxy) {
    this.#dir = dir;
    this.#primary = primary;
    this.#standby = standby;
    this.#address = address;
  }

  static async start(): Promise<PostgresPair> {
    const dir = await mkdtemp(path.join(tmpdir(), 'saring-postgres-pair-'));
    const [primaryDir, standbyDir] = [path.join(dir, 'primary'), path.join(dir, 'standby')];
    await program('initdb', ['-D', primaryDir, '-U', USER, '--auth=trust', '--encoding=UTF8']);
    const primary = await startPostgres(primaryDir, await freePort());
    await postgresRows(urlOf(primary.port, 'postgres'), `create database ${DATABASE}`);
    const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', USER];
    await program('pg_basebackup', [...from, '-D', standbyDir, '-R', '--checkpoint=fast']);
    const standby = await startPostgres(standbyDir, await freePort());
    await postgresRows(primary.url, "alter system set synchronous_standby_names = '*'");
    await postgresRows(primary.url, 'select pg_reload_conf()');
    const inStep = "select from pg_stat_replication where sync_state = 'sync'";
    while ((await postgresRows(primary.url, inStep)).length === 0) await sleep(PAUSE_MS);
    return new PostgresPair(dir, primary, standby, await TcpProxy.start(primary.url));
  }

  /** The address that the services use. It leads to the server that is the primary. */
  get url(): string {
    return this.#address.url;
  }

  /** Kills the primary, promotes the standby, and moves the address to it. */
  async failOver(): Promise<void> {
    process.kill(this.#primary.pid, 'SIGKILL');
    await this.#primary.exited;
    await postgresRows(this.#standby.url, 'select pg_promote()');
    this.#address.moveTo(this.#standby.url);
  }

  /** Rows from the server that started as the standby. */
  rows<Row extends pg.QueryResultRow>(query: string, values: unknown[]): Promise<Row[]> {
    return postgresRows<Row>(this.#standby.url, query, values);
  }

  async remove(): Promise<void> {
    this.#address.stop();
    await Promise.all([this.#primary.stop(), this.#standby.stop()]);
    await rm(this.#dir, { recursive: true, force: true });
  }
}

function urlOf(port: number, database = DATABASE): string {
  return `postgres://${USER}@127.0.0.1:${port}/${database}`;
}

/** Runs a program as an ordinary user, because none of them runs as root. */
async function program(name: string, args: string[]): Promise<void> {
  const [command, ...rest] = [...asOrdinaryUser().runAs, path.join(PROGRAMS, name), ...args];
  await promisify(execFile)(command!, rest, { timeout: PROGRAM_DEADLINE_MS });
}

function startPostgres(dataDir: string, port: number): Promise<RunningServer> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    wal_level: 'replica',
    max_wal_senders: '4',
    hot_standby: 'on',
  };
  const spec = {
    name: 'postgres',
    title: 'PostgreSQL',
    command: path.join(PROGRAMS, 'postgres'),
    args: [
      ...['-D', dataDir, '-p', String(port)],
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    env: process.env,
    logFile: path.join(path.dirname(dataDir), `${path.basename(dataDir)}.log`),
    runAs: asOrdinaryUser().runAs,
    ipc: false,
    stopSignal: 'SIGINT' as const,
    parentDeathSignal: 'INT' as const,
    probe: async () => {
      await probeTcp(port);
      await postgresRows(urlOf(port, 'postgres'), 'select 1');
    },
    readyWithinMs: 60_000,
  };
  return startServer(spec, urlOf(port), port);
}
