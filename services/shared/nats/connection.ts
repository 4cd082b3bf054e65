import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, type NodeConnectionOptions } from '@nats-io/transport-node';
import { hostsOf } from '../config/config.ts';
import type { Logger } from '../logger.ts';
import { waitFor } from '../waiting.ts';
import { declareStreams } from './streams.ts';
import { inboxOf } from './subjects.ts';

export interface Nats {
  connection: NatsConnection;
  js: JetStreamClient;
  jsm: JetStreamManager;
}

/** How long an API call to JetStream may take; publishing says its own, shorter limit. */
const API_TIMEOUT_MS = 3_000;
const RECONNECT_PAUSE_MS = 250;
/**
 * A connection whose other end lost it without a word is left once that many pings went unanswered; by default that takes
 * up to six minutes, in which nothing is published and no work arrives.
 */
const PING_EVERY_MS = 3_000;
const MAX_PINGS_OUT = 2;

/**
 * Connects as the service, declares the streams that it owns, and stays connected: a lost server is tried again for
 * ever, and the streams are declared again after each reconnection, since those in memory die with the server. Streams
 * of other services may appear later: publishers and consumers try again until they do.
 * @param url of one server, or of several of a cluster, separated by commas
 * @param replicas copies of each stream that it declares
 */
export async function connectNats(
  url: string,
  service: string,
  log: Logger,
  { replicas = 1 }: { replicas?: number } = {},
): Promise<Nats> {
  const connection = await waitFor('NATS', () => connect(natsOptions(url, service)), { log });
  const js = jetstream(connection, { timeout: API_TIMEOUT_MS });
  const jsm = await jetstreamManager(connection, { timeout: API_TIMEOUT_MS, checkAPI: false });
  const declare = () => declareStreams(jsm, service, replicas);
  await waitFor('JetStream', declare, { log });
  void follow(connection, declare, log);
  return { connection, js, jsm };
}

/** The server answers, not just its connection. */
export function natsAnswers(connection: NatsConnection): () => Promise<unknown> {
  return () => connection.rtt();
}

/** How every connection is made: as the URL's user, and tried again for ever once it is lost. */
export function natsOptions(url: string, service: string): NodeConnectionOptions {
  const { username, password, protocol } = new URL(url.split(',')[0]!);
  return {
    servers: hostsOf(url),
    ...(protocol === 'tls:' ? { tls: {} } : {}),
    name: service,
    inboxPrefix: inboxOf(service),
    ...(username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : {}),
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_PAUSE_MS,
    pingInterval: PING_EVERY_MS,
    maxPingOut: MAX_PINGS_OUT,
    timeout: API_TIMEOUT_MS,
  };
}

async function follow(connection: NatsConnection, declare: () => Promise<void>, log: Logger): Promise<void> {
  // No other process would do it: a server that answers late must find this one still trying.
  const declareAgain = async () => {
    if (!connection.isClosed()) await declare();
  };
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') log.warn('NATS is away');
    if (status.type === 'error') log.error({ err: status.error }, 'NATS refuses');
    if (status.type !== 'reconnect') continue;
    log.info('NATS is back');
    await waitFor('JetStream', declareAgain, { log, timeoutMs: Infinity });
  }
}
