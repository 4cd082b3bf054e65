import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { findOnPath } from '#local/processes/find-on-path.ts';
import { probeTcp } from '#local/processes/probes.ts';
import type { ProcessSpec } from '#local/processes/launch.ts';
import {
  assertServable,
  startServer,
  type RunningServer,
  type ServerOptions,
} from '#local/servers/embedded-server.ts';

const installed = findOnPath('redis-server');

/** Redis is not part of the project. Tests that need it are skipped where it is not installed. */
export const hasRedis = installed !== undefined;

/** Starts the machine's own Redis, which keeps everything in memory. */
export function startRedisServer(options: ServerOptions & { password: string }): Promise<RunningServer> {
  const { dir, port, password, logFile } = options;
  const spec: ProcessSpec = {
    name: 'redis',
    title: 'Redis',
    command: installed ?? 'redis-server',
    args: [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      dir,
      '--save',
      '',
      '--requirepass',
      password,
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
    probe: () => probeTcp(port),
    readyWithinMs: 10_000,
  };
  return startServer(spec, `redis://:${password}@127.0.0.1:${port}`, port);
}
