import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { subjects } from '#shared/nats/subjects.ts';

/**
 * Receives cancellations of runs. A cancellation is repeated until the run has ended and may arrive during another run, so only
 * those of the awaited job count.
 */
export class CancelRequests {
  readonly #subscription: Subscription;
  #awaited: { jobId: string; onCancel: () => void } | undefined;

  constructor(connection: NatsConnection) {
    this.#subscription = connection.subscribe(subjects.runCancelled, {
      callback: (error, message) => {
        if (!error && message.string() === this.#awaited?.jobId) this.#awaited.onCancel();
      },
    });
  }

  /**
   * Calls back on every cancellation of the job until the returned function is called. One job at a time. Start before claiming
   * the job: a cancellation that finds the job claimed may be sent only once.
   */
  listenFor(jobId: string, onCancel: () => void): () => void {
    this.#awaited = { jobId, onCancel };
    return () => (this.#awaited = undefined);
  }

  stop(): void {
    this.#subscription.unsubscribe();
  }
}
