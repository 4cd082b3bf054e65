import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { subjects } from '#shared/nats/subjects.ts';

/**
 * Hears which runs are to be given up. That is said again until a run has ended, and may come when another one is under
 * way: only what is said of the run listened for counts.
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
   * Calls back each time that the job is to be given up, until the returned function is called. One job at a time. Begin
   * before the job is claimed: a cancellation finds it claimed and reports it once.
   */
  listenFor(jobId: string, onCancel: () => void): () => void {
    this.#awaited = { jobId, onCancel };
    return () => (this.#awaited = undefined);
  }

  stop(): void {
    this.#subscription.unsubscribe();
  }
}
