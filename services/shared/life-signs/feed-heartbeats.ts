import type { NatsConnection } from '@nats-io/transport-node';
import { FeedHeartbeat, type SourceState } from '#proto/saring/events/v1/feeds.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { repeat } from '#platform/process/repeat.ts';
import { subjects } from '#platform/nats/subjects.ts';

const HEARTBEAT_MS = 3_000;
/** A feed that has been silent for this long does not run, or cannot work. */
const SILENCE_MS = 15_000;

/**
 * Publishes the states of the sources, now and every three seconds. A feed that cannot read them is silent. Returns a function
 * that stops this.
 */
export function startFeedHeartbeat(
  connection: NatsConnection,
  sources: () => Promise<SourceState[]>,
  log: Logger,
): () => Promise<void> {
  const beat = async () => {
    const heartbeat = FeedHeartbeat.encode({ sources: await sources() }).finish();
    if (!connection.isClosed()) connection.publish(subjects.feedHeartbeats, heartbeat);
  };
  return repeat('telling the states of the sources', HEARTBEAT_MS, beat, log);
}

/** Knows from its heartbeats whether a feed runs, and what its sources do. */
export class FeedHeartbeats {
  #sources: SourceState[] | undefined;
  #heardAt = Infinity;

  /** Listens from now on, for as long as the connection lives. */
  listenOn(connection: NatsConnection): void {
    this.#heardAt = performance.now();
    connection.subscribe(subjects.feedHeartbeats, {
      callback: (error, message) => {
        if (error) return;
        this.#sources = FeedHeartbeat.decode(message.data).sources;
        this.#heardAt = performance.now();
      },
    });
  }

  /** The sources of bars, `none` if no feed runs, and undefined while neither is known yet. */
  sources(): SourceState[] | 'none' | undefined {
    return performance.now() - this.#heardAt > SILENCE_MS ? 'none' : this.#sources;
  }
}
