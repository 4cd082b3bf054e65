import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import {
  AuthorizationError,
  connect,
  type NatsConnection,
  type NodeConnectionOptions,
} from '@nats-io/transport-node';
import { hostsOf } from '../configuration/config.ts';
import type { Logger } from '../operations/logger.ts';
import { REFUSAL_PATIENCE_MS, START_PATIENCE_MS, waitFor } from '../process/waiting.ts';
import { declareStreams, type ResultLimits } from './streams.ts';
import { inboxOf } from './subjects.ts';

export interface Nats {
  connection: NatsConnection;
  js: JetStreamClient;
  jsm: JetStreamManager;
}

/** Timeout of an API call to JetStream. Publishing sets its own, shorter timeout. */
export const API_TIMEOUT_MS = 3_000;
const RECONNECT_PAUSE_MS = 250;
/**
 * A connection that its other end lost silently is dropped after this many unanswered pings. With the defaults that takes up to
 * six minutes, in which nothing is published and no work arrives.
 */
const PING_EVERY_MS = 3_000;
const MAX_PINGS_OUT = 2;

/**
 * Connects as the service, declares the streams that it owns, and stays connected: it retries a lost server forever and
 * declares the streams again after each reconnection, because streams in memory are lost when the server ends. Streams of other
 * services may appear later: publishers and consumers retry until they exist.
 * @param url of one server, or of several servers of a cluster, separated by commas
 * @param replicas of each stream that the service declares
 * @param results how long results are kept, and how many, for the service that declares their stream
 * @param timeoutMs Infinity for a service that works without NATS
 * @throws Error once the server has not answered for that long
 */
export async function connectNats(
  url: string,
  service: string,
  log: Logger,
  {
    replicas = 1,
    results,
    timeoutMs = START_PATIENCE_MS,
  }: { replicas?: number; results?: ResultLimits; timeoutMs?: number } = {},
): Promise<Nats> {
  const patienceMs = (error: unknown) =>
    error instanceof AuthorizationError ? Math.min(timeoutMs, REFUSAL_PATIENCE_MS) : timeoutMs;
  const connection = await waitFor('NATS', () => connect(natsOptions(url, service)), { log, patienceMs });
  const js = jetstream(connection, { timeout: API_TIMEOUT_MS });
  const jsm = await jetstreamManager(connection, { timeout: API_TIMEOUT_MS, checkAPI: false });
  const declare = () => declareStreams(jsm, service, replicas, results);
  await waitFor('JetStream', declare, { log, patienceMs });
  void follow(connection, declare, log);
  return { connection, js, jsm };
}

/** Checks that the server answers, not only that it is connected. */
export function natsResponds(connection: NatsConnection): () => Promise<unknown> {
  return () => connection.rtt();
}

/** The options of every connection: it logs in as the URL's user and retries forever once it is lost. */
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
  // Retries without a limit, because no other process declares these streams when a server answers late.
  const declareAgain = async () => {
    if (!connection.isClosed()) await declare();
  };
  for await (const status of connection.status()) {
    if (status.type === 'disconnect') log.warn('NATS is unavailable');
    if (status.type === 'error') log.error({ err: status.error }, 'NATS reports an error');
    if (status.type !== 'reconnect') continue;
    log.info('NATS is back');
    await waitFor('JetStream', declareAgain, { log, patienceMs: () => Infinity });
  }
}
