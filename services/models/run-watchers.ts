import type { NatsConnection } from '@nats-io/transport-node';
import { subjects } from '#shared/nats/subjects.ts';
import type { NatsPresence } from './nats-presence.ts';

/**
 * How long a watcher sleeps when no update reaches it: NATS brings them all while it is here, but for those of a process that
 * died before it could notify.
 */
const FALLBACK = { hereMs: 10_000, awayMs: 1_000 };

/** Wakes everything that waits for updates of a job, in this process and, by NATS, in every other. */
export class RunWatchers {
  readonly #sleepers = new Map<string, Set<() => void>>();
  readonly #connection: NatsConnection;
  readonly #presence: NatsPresence;
  readonly #fallback: typeof FALLBACK;

  constructor(connection: NatsConnection, presence: NatsPresence, fallback = FALLBACK) {
    this.#connection = connection;
    this.#presence = presence;
    this.#fallback = fallback;
    // An update may have been lost just before or in between, and how long to sleep is another question now.
    presence.onChange(() => this.#wakeAll());
    connection.subscribe(subjects.jobChanged, {
      callback: (error, message) => {
        if (!error) this.#wake(message.string());
      },
    });
  }

  /** Call after the row of the job changed. */
  announce(jobId: string): void {
    this.#wake(jobId);
    if (!this.#connection.isClosed()) this.#connection.publish(subjects.jobChanged, jobId);
  }

  /**
   * Begins to listen at once and resolves at the next update of the job, or after the fallback. Ask before reading
   * the row, so that no change falls between the two.
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
