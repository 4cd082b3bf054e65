import { setTimeout as sleep } from 'node:timers/promises';
import type { Consumer, ConsumerConfig, JsMsg } from '@nats-io/jetstream';
import type { Logger } from '../operations/logger.ts';
import type { Nats } from './connection.ts';

interface PullOptions {
  stream: string;
  /** Needs a durable name. The consumer is created when missing, also after NATS has lost its storage. */
  consumer: Partial<ConsumerConfig> & { durable_name: string };
  /** Messages requested in one pull. With 1, no message is taken before the previous one has been processed. */
  batch: number;
  log: Logger;
}

/** How long one request waits for messages. Messages arrive as soon as they are published. */
const PULL_MS = 5_000;
const PAUSE_AFTER_FAILURE_MS = 500;

/** Yields the messages of a durable consumer until `signal` aborts. Survives any number of outages. */
export async function* pull(nats: Nats, options: PullOptions, signal: AbortSignal): AsyncGenerator<JsMsg> {
  let consumer: Consumer | undefined;
  while (!signal.aborted) {
    try {
      consumer ??= await declare(nats, options);
      yield* fetchOnce(consumer, options.batch, signal);
    } catch (error) {
      consumer = undefined;
      if (signal.aborted) return;
      options.log.debug({ stream: options.stream, reason: (error as Error).message }, 'pulling again');
      await sleep(PAUSE_AFTER_FAILURE_MS);
    }
  }
}

async function* fetchOnce(consumer: Consumer, batch: number, signal: AbortSignal): AsyncGenerator<JsMsg> {
  const messages = await consumer.fetch({ max_messages: batch, expires: PULL_MS });
  const close = () => void messages.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    yield* messages;
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

async function declare({ js, jsm }: Nats, { stream, consumer }: PullOptions): Promise<Consumer> {
  try {
    await jsm.consumers.add(stream, consumer);
  } catch {
    await jsm.consumers.update(stream, consumer.durable_name, consumer);
  }
  return js.consumers.get(stream, consumer.durable_name);
}
