import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '#shared/logger.ts';
import { natsOptions } from '#shared/nats/connection.ts';
import { subjects } from '#shared/nats/subjects.ts';

const RETRY_PAUSE_MS = 1_000;

export interface KeyChanges {
  stop: () => Promise<void>;
}

/**
 * Hears of every key that changed, from the moment NATS can be reached. Nothing waits for it: without NATS the
 * cache's lifetime alone bounds how long a change takes.
 */
export function followKeyChanges(url: string, log: Logger, onChange: (keyId: string) => void): KeyChanges {
  const stopping = new AbortController();
  let connection: NatsConnection | undefined;
  const follow = async () => {
    connection = await connectForEver(url, log, stopping.signal);
    if (stopping.signal.aborted) return connection?.close();
    if (!connection) return;
    log.info('following key changes');
    for await (const message of connection.subscribe(subjects.keyChanged)) onChange(message.string());
  };
  follow().catch((error: unknown) => log.error({ err: error }, 'key changes are not followed'));
  return {
    stop: async () => {
      stopping.abort();
      await connection?.close();
    },
  };
}

async function connectForEver(
  url: string,
  log: Logger,
  stop: AbortSignal,
): Promise<NatsConnection | undefined> {
  for (let attempt = 1; !stop.aborted; attempt++) {
    try {
      return await connect(natsOptions(url, 'gateway'));
    } catch (error) {
      if (attempt === 1)
        log.warn({ reason: (error as Error).message }, 'NATS is away; key changes take a second');
      await sleep(RETRY_PAUSE_MS, undefined, { signal: stop }).catch(() => {});
    }
  }
  return undefined;
}
