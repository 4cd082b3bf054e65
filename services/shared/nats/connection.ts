import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import type { Logger } from '../logger.ts';
import { waitFor } from '../wait-for.ts';
import { ensureStreams } from './streams.ts';

export interface Nats {
  connection: NatsConnection;
  js: JetStreamClient;
  jsm: JetStreamManager;
}

/** How long an API call to JetStream may take; publishing says its own, shorter limit. */
const API_TIMEOUT_MS = 3_000;
const RECONNECT_PAUSE_MS = 250;

/**
 * Connects, declares every stream, and stays connected: a lost server is tried again for ever, and the streams
 * are declared anew after each reconnection, since those in memory die with the server.
 */
export async function connectNats(url: string, name: string, log: Logger): Promise<Nats> {
  const connection = await waitFor('NATS', () => connect(natsOptions(url, name)), { log });
  const js = jetstream(connection, { timeout: API_TIMEOUT_MS });
  const jsm = await waitFor('JetStream', () => jetstreamManager(connection, { timeout: API_TIMEOUT_MS }), {
    log,
  });
  await waitFor('JetStream', () => ensureStreams(jsm), { log });
  void keepStreams({ connection, js, jsm }, log);
  return { connection, js, jsm };
}

/** How every connection is made: as the URL's user, and tried again for ever once it is lost. */
export function natsOptions(url: string, name: string): NodeConnectionOptions {
  const { username, password, host } = new URL(url);
  return {
    servers: host,
    name,
    ...(username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_PAUSE_MS,
    timeout: API_TIMEOUT_MS,
  };
}

async function keepStreams({ connection, jsm }: Nats, log: Logger): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') log.warn('NATS is away');
    if (status.type !== 'reconnect') continue;
    log.info('NATS is back');
    await waitFor('JetStream', () => ensureStreams(jsm), { log }).catch((error: unknown) => {
      log.error({ err: error }, 'streams could not be declared');
    });
  }
}
