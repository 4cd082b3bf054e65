import { connect as connectNats } from '@nats-io/transport-node';
import { Client } from 'pg';
import { hostsOf } from '#platform/configuration/config.ts';
import { natsOptions } from '#platform/nats/connection.ts';
import { REFUSAL_PATIENCE_MS, waitFor } from '#platform/process/waiting.ts';
import { StartError } from '../configuration/start-error.ts';

const DEADLINE_MS = 5_000;

/** @throws StartError unless PostgreSQL answers at the URL */
export function checkPostgres(url: string): Promise<void> {
  return answering('DATABASE_URL', url, async () => {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: DEADLINE_MS });
    client.on('error', () => {});
    await client.connect();
    await client.end();
  });
}

/** @throws StartError unless a NATS server with JetStream answers at the URL */
export function checkNats(url: string): Promise<void> {
  return answering('NATS_URL', url, async () => {
    if (!(await hasJetStream(url, 'preflight', DEADLINE_MS))) throw new Error('it runs without JetStream');
  });
}

/**
 * Whether the NATS server at the URL runs with JetStream.
 * @throws unless it answers in time
 */
export async function hasJetStream(url: string, requestedAs: string, timeoutMs: number): Promise<boolean> {
  const options = natsOptions(url, requestedAs);
  const connection = await connectNats({ ...options, timeout: timeoutMs, reconnect: false });
  const { jetstream } = connection.info ?? {};
  await connection.close();
  return jetstream === true;
}

/** @throws StartError unless ClickHouse answers at every URL, because a start creates tables on all servers of a cluster */
export function checkClickhouse(urls: string): Promise<void> {
  return answering('CLICKHOUSE_URL', urls, async () => {
    await Promise.all(urls.split(',').map(askClickhouse));
  });
}

async function askClickhouse(url: string): Promise<void> {
  const { origin, username, password } = new URL(url);
  const response = await fetch(`${origin}/?query=select+1`, {
    headers: {
      'x-clickhouse-user': decodeURIComponent(username) || 'default',
      'x-clickhouse-key': decodeURIComponent(password),
    },
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  if (!response.ok) throw new Error((await response.text()).trim().slice(0, 200));
}

/** Asks again when the time is over, because this machine may be busy. Any other failure is reported at once. */
async function answering(setting: string, url: string, check: () => Promise<void>): Promise<void> {
  const isSlow = (error: unknown) => /time(d )?out/i.test((error as Error).message);
  try {
    await waitFor('the server', check, { patienceMs: (error) => (isSlow(error) ? REFUSAL_PATIENCE_MS : 0) });
  } catch (error) {
    const { message, cause } = error as Error & { cause?: Error };
    const reason = [message, cause?.message].filter(Boolean).join(': ') || 'no answer';
    throw new StartError(`${setting} points to ${hostsOf(url).join(', ')}, which cannot be used: ${reason}`, {
      cause: error,
    });
  }
}
