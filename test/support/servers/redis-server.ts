import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { findOnPath } from '#local/processes/find-on-path.ts';
import type { ProcessSpec } from '#local/processes/launch.ts';
import {
  assertServable,
  startServer,
  type RunningServer,
  type ServerOptions,
} from '#local/servers/embedded-server.ts';

const PROBE_DEADLINE_MS = 1_000;

export interface RedisOptions extends ServerOptions {
  password: string;
}

const installed = findOnPath('redis-server');

/** Redis is no part of the project: tests that need one are skipped where the machine has none. */
export const hasRedis = installed !== undefined;

/** Starts the machine's own Redis, which keeps everything in memory. */
export function startRedisServer({ dir, port, password, logFile }: RedisOptions): Promise<RunningServer> {
  const setting = (name: string, value: string) => [`--${name}`, value];
  const spec: ProcessSpec = {
    name: 'redis',
    title: 'Redis',
    command: installed ?? 'redis-server',
    args: [
      ...setting('port', String(port)),
      ...setting('bind', '127.0.0.1'),
      ...setting('dir', dir),
      ...setting('save', ''),
      ...setting('requirepass', password),
    ],
    env: process.env,
    logFile: logFile ?? path.join(dir, 'server.log'),
    ipc: false,
    stopSignal: 'SIGTERM',
    parentDeathSignal: 'KILL',
    prepare: async () => {
      await assertServable('Redis', port);
      mkdirSync(dir, { recursive: true });
    },
    probe: () => answer(port),
    readyWithinMs: 10_000,
  };
  return startServer(spec, `redis://:${password}@127.0.0.1:${port}`, port);
}

/** Any answer will do, also that a password is needed. */
function answer(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    socket.setTimeout(PROBE_DEADLINE_MS, () => socket.destroy(new Error('it does not answer')));
    socket.once('error', reject);
    socket.once('data', () => {
      socket.destroy();
      resolve();
    });
  });
}
