import { AckPolicy, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Logger } from '#platform/operations/logger.ts';
import type { Nats } from '#platform/nats/connection.ts';
import { pull } from '#platform/nats/pull.ts';

interface WorkQueue {
  nats: Nats;
  stream: 'RUNS' | 'BACKFILLS';
  /** Of all messages, unless it takes a part of a stream. */
  queue?: { name: string; subject: string };
  atOnce: number;
  /** Acknowledges the message, or gives it back. One that it throws on goes to another worker. */
  work: (message: JsMsg) => Promise<void>;
  log: Logger;
  /** Aborts when no further message must be taken. */
  signal: AbortSignal;
}

/** A message goes to another worker unless its worker signals progress at least this often. */
const ACK_WAIT_MS = 10_000;
const WORKING_MS = 3_000;
/** Pause before a message that a worker has given back is delivered again. */
export const RETRY_PAUSE_MS = 3_000;

/** Works on the messages of a queue that all workers share. Resolves when the signal has aborted and the last one is done. */
export async function workOn({ atOnce, ...queue }: WorkQueue): Promise<void> {
  await Promise.all(Array.from({ length: atOnce }, () => workOnEach(queue)));
}

async function workOnEach(of: Omit<WorkQueue, 'atOnce'>): Promise<void> {
  const { nats, stream, queue, work, log, signal } = of;
  const consumer = {
    durable_name: queue?.name ?? 'workers',
    ...(queue && { filter_subject: queue.subject }),
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(ACK_WAIT_MS),
  };
  for await (const message of pull(nats, { stream, consumer, batch: 1, log }, signal)) {
    const keepAlive = setInterval(() => message.working(), WORKING_MS);
    try {
      await work(message);
    } catch (error) {
      log.warn({ stream, reason: (error as Error).message }, 'request left to another worker');
      message.nak(RETRY_PAUSE_MS);
    } finally {
      clearInterval(keepAlive);
    }
  }
}
