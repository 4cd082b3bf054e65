import type { NatsConnection } from '@nats-io/transport-node';
import { subjects } from '#shared/nats/subjects.ts';

/** How long a watcher sleeps when no news reaches it, NATS being away. */
const FALLBACK_MS = 1_000;

/** Wakes whoever waits for news of a job, in this process and, by NATS, in every other. */
export class RunWatchers {
  readonly #sleepers = new Map<string, Set<() => void>>();
  readonly #connection: NatsConnection;

  constructor(connection: NatsConnection) {
    this.#connection = connection;
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
   * Begins to listen at once and resolves at the next news of the job, or after the fallback. Ask before reading
   * the row, so that no change falls between the two.
   */
  nextNews(jobId: string): { arrived: Promise<void>; cancel: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sleepers = this.#sleepers.get(jobId) ?? new Set();
    this.#sleepers.set(jobId, sleepers.add(resolve));
    const timer = setTimeout(resolve, FALLBACK_MS);
    const cancel = () => {
      clearTimeout(timer);
      sleepers.delete(resolve);
      if (sleepers.size === 0 && this.#sleepers.get(jobId) === sleepers) this.#sleepers.delete(jobId);
      resolve();
    };
    return { arrived: promise, cancel };
  }

  #wake(jobId: string): void {
    for (const resolve of this.#sleepers.get(jobId) ?? []) resolve();
  }
}
