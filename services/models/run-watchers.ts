import type { NatsConnection } from '@nats-io/transport-node';
import { subjects } from '#shared/nats/subjects.ts';
import type { NatsPresence } from './nats/nats-presence.ts';

/**
 * How long a watcher sleeps if no update reaches it. While connected, NATS delivers every update except those of a
 * process that crashed before it could notify.
 */
const FALLBACK = { hereMs: 10_000, awayMs: 1_000 };

/** Wakes everything that waits for updates of a job, in this process and, through NATS, in all others. */
export class RunWatchers {
  readonly #sleepers = new Map<string, Set<() => void>>();
  readonly #connection: NatsConnection;
  readonly #presence: NatsPresence;
  readonly #fallback: typeof FALLBACK;

  constructor(connection: NatsConnection, presence: NatsPresence, fallback = FALLBACK) {
    this.#connection = connection;
    this.#presence = presence;
    this.#fallback = fallback;
    // An update may have been lost around this change, and the fallback pause is different now.
    presence.onChange(() => this.#wakeAll());
    connection.subscribe(subjects.jobChanged, {
      callback: (error, message) => {
        if (!error) this.#wake(message.string());
      },
    });
  }

  /** Must be called after the row of the job has changed. */
  announce(jobId: string): void {
    this.#wake(jobId);
    if (!this.#connection.isClosed()) this.#connection.publish(subjects.jobChanged, jobId);
  }

  /**
   * Starts to listen immediately and resolves at the next update of the job, or after the fallback pause. Call it
   * before reading the row, so that no change in between is missed.
   */
  nextUpdate(jobId: string): { arrived: Promise<void>; cancel: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sleepers = this.#sleepers.get(jobId) ?? new Set();
    this.#sleepers.set(jobId, sleepers.add(resolve));
    const { hereMs, awayMs } = this.#fallback;
    const timer = setTimeout(resolve, this.#presence.isHere ? hereMs : awayMs);
    const cancel = () => {
      clearTimeout(timer);
      sleepers.delete(resolve);
      if (sleepers.size === 0 && this.#sleepers.get(jobId) === sleepers) this.#sleepers.delete(jobId);
      resolve();
    };
    return { arrived: promise, cancel };
  }

  #wakeAll(): void {
    for (const jobId of this.#sleepers.keys()) this.#wake(jobId);
  }

  #wake(jobId: string): void {
    for (const resolve of this.#sleepers.get(jobId) ?? []) resolve();
  }
}
