import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { subjects } from '#platform/nats/subjects.ts';

/**
 * Receives cancellations of runs. A cancellation is repeated until the run has ended and may arrive during another run, so only
 * those of the awaited jobs count.
 */
export class CancelRequests {
  readonly #subscription: Subscription;
  readonly #awaited = new Map<string, () => void>();

  constructor(connection: NatsConnection) {
    this.#subscription = connection.subscribe(subjects.runCancelled, {
      callback: (error, message) => {
        if (!error) this.#awaited.get(message.string())?.();
      },
    });
  }

  /**
   * Calls back on every cancellation of the job until the returned function is called. Start before claiming the job: a
   * cancellation that finds the job claimed may be sent only once.
   */
  listenFor(jobId: string, onCancel: () => void): () => void {
    this.#awaited.set(jobId, onCancel);
    return () => void this.#awaited.delete(jobId);
  }

  stop(): void {
    this.#subscription.unsubscribe();
  }
}
