import type { NatsConnection } from '@nats-io/transport-node';
import type { NatsPresence } from './nats-presence.ts';

/**
 * How long a watcher sleeps if no update reaches it. While connected, NATS delivers every update except those of a
 * process that crashed before it could notify.
 */
const FALLBACK = { hereMs: 10_000, unavailableMs: 1_000 };

/** Wakes everything that waits for updates of a row, in this process and, through NATS, in all others. */
export class RowWatchers {
  readonly #sleepers = new Map<string, Set<() => void>>();
  readonly #connection: NatsConnection;
  /** Carries the id of the row that changed. */
  readonly #subject: string;
  readonly #presence: NatsPresence;
  readonly #fallback: typeof FALLBACK;

  constructor(connection: NatsConnection, subject: string, presence: NatsPresence, fallback = FALLBACK) {
    this.#connection = connection;
    this.#subject = subject;
    this.#presence = presence;
    this.#fallback = fallback;
    // An update may have been lost around this change, and the fallback pause is different now.
    presence.onChange(() => this.#wakeAll());
    connection.subscribe(subject, {
      callback: (error, message) => {
        if (!error) this.#wake(message.string());
      },
    });
  }

  /** Must be called after the row has changed. */
  announce(id: string): void {
    this.#wake(id);
    if (!this.#connection.isClosed()) this.#connection.publish(this.#subject, id);
  }

  /**
   * Starts to listen immediately and resolves at the next update of the row, or after the fallback pause. Call it
   * before reading the row, so that no change in between is missed.
   */
  nextUpdate(id: string): { arrived: Promise<void>; cancel: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sleepers = this.#sleepers.get(id) ?? new Set();
    this.#sleepers.set(id, sleepers.add(resolve));
    const { hereMs, unavailableMs } = this.#fallback;
    const timer = setTimeout(resolve, this.#presence.isHere ? hereMs : unavailableMs);
    const cancel = () => {
      clearTimeout(timer);
      sleepers.delete(resolve);
      if (sleepers.size === 0 && this.#sleepers.get(id) === sleepers) this.#sleepers.delete(id);
      resolve();
    };
    return { arrived: promise, cancel };
  }

  #wakeAll(): void {
    for (const id of this.#sleepers.keys()) this.#wake(id);
  }

  #wake(id: string): void {
    for (const resolve of this.#sleepers.get(id) ?? []) resolve();
  }
}
