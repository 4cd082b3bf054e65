import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ProcessSpec } from '#local/processes/launch.ts';
import { probeTcp } from '#local/processes/probes.ts';
import {
  assertServable,
  startServer,
  type RunningServer,
  type ServerOptions,
} from '#local/servers/embedded-server.ts';
import { asOrdinaryUser } from '#local/servers/ordinary-user.ts';

const PROGRAM = '/usr/sbin/pgbouncer';

/** PgBouncer is not part of the project. Its tests are skipped where it is not installed (apt-get install pgbouncer). */
export const hasPgbouncer = existsSync(PROGRAM);

interface PgbouncerOptions extends ServerOptions {
  /** The PostgreSQL server behind it. */
  server: { port: number; database: string };
  /** Passwords by role. */
  logins: Record<string, string>;
  /** Connections to the server for each role. */
  poolSize: number;
}

/** The machine's PgBouncer in transaction mode: each transaction may use another connection to the server. */
export function startPgbouncer(options: PgbouncerOptions): Promise<RunningServer> {
  const { dir, port, logFile } = options;
  const settingsFile = path.join(dir, 'pgbouncer.ini');
  const spec: ProcessSpec = {
    name: 'pgbouncer',
    title: 'PgBouncer',
    command: PROGRAM,
    args: [settingsFile],
    env: process.env,
    logFile: logFile ?? path.join(dir, 'server.log'),
    runAs: asOrdinaryUser().runAs,
    ipc: false,
    stopSignal: 'SIGTERM',
    parentDeathSignal: 'KILL',
    prepare: async () => {
      await assertServable('PgBouncer', port);
      mkdirSync(dir, { recursive: true });
      writeFileSync(path.join(dir, 'users.txt'), usersOf(options));
      writeFileSync(settingsFile, settingsOf(options));
    },
    probe: () => probeTcp(port),
    readyWithinMs: 10_000,
  };
  return startServer(spec, `postgres://127.0.0.1:${port}/${options.server.database}`, port);
}

function settingsOf({ dir, port, server, poolSize }: PgbouncerOptions): string {
  return `[databases]
${server.database} = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${path.join(dir, 'users.txt')}
pool_mode = transaction
default_pool_size = ${poolSize}
ignore_startup_parameters = extra_float_digits,options,statement_timeout
`;
}

function usersOf({ logins }: PgbouncerOptions): string {
  return Object.entries(logins)
    .map(([role, password]) => `"${role}" "${password}"\n`)
    .join('');
}
