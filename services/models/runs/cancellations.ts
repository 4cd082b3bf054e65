import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { RunFinished, RunStarted } from '#proto/saring/events/v1/runs.ts';
import type { Clock } from '#foundation/clock.ts';
import type { Logger } from '#platform/operations/logger.ts';
import { publishOnce } from '#platform/nats/publish-once.ts';
import { subjects } from '#platform/nats/subjects.ts';
import { CANCELLATION } from '#models/inputs/run-errors.ts';
import type { NatsPresence } from '#platform/nats/nats-presence.ts';
import { publicationAfter, type Publication } from '../nats/publication.ts';
import { isFinal } from '../store/run-states.ts';
import type { RowWatchers } from '#platform/nats/row-watchers.ts';
import type { CancelledRuns } from '../store/cancelled-runs.ts';
import type { UsageRecords } from '../usage-records/usage-records.ts';
import type { RunRow } from '../store/tables.ts';

interface CancellationsDependencies {
  cancelled: CancelledRuns;
  connection: NatsConnection;
  js: JetStreamClient;
  jsm: JetStreamManager;
  nats: NatsPresence;
  usage: UsageRecords;
  watchers: RowWatchers;
  clock: Clock;
  log: Logger;
}

/** The worker id that this service uses in run events. */
const WORKER_ID = 'models';
const PUBLISH_TIMEOUT_MS = 2_000;
/** Runs notified in one round. */
const BATCH = 200;

/** Cancels runs. The database row decides; workers are notified afterwards. */
export class Cancellations {
  readonly #deps: CancellationsDependencies;

  constructor(deps: CancellationsDependencies) {
    this.#deps = deps;
  }

  /** Returns the cancelled run; undefined if it had already ended. */
  async cancel(jobId: string): Promise<RunRow | undefined> {
    const { cancelled, usage, watchers, clock } = this.#deps;
    const run = await cancelled.cancel(jobId, clock());
    if (!run) return undefined;
    void this.#notify(run);
    if (isFinal(run.status)) {
      watchers.announce(jobId);
      void usage.record(run);
    }
    return run;
  }

  /**
   * Notifies workers of cancellations they may not have received. Ends the round when NATS turns out to be unavailable.
   */
  async notifyWorkers(): Promise<void> {
    const { cancelled, nats } = this.#deps;
    if (!nats.isHere) return;
    for (const run of await cancelled.due(BATCH)) {
      if ((await this.#notify(run)) === 'unavailable') return;
    }
  }

  /** Never throws: a notification that fails is repeated in the next round. */
  async #notify({ job_id, cancel_due }: RunRow): Promise<Publication> {
    const { nats, log } = this.#deps;
    if (!nats.isHere) return 'unavailable';
    try {
      if (cancel_due === 'stop') this.#stopWorkerOf(job_id);
      if (cancel_due === 'withdraw') await this.#withdraw(job_id);
      return 'published';
    } catch (error) {
      const outcome = publicationAfter(error);
      log.warn({ job_id, outcome, reason: (error as Error).message }, 'cancellation not sent yet');
      return outcome;
    }
  }

  /** The message is not stored. It is repeated until the run has ended. */
  #stopWorkerOf(jobId: string): void {
    const { connection } = this.#deps;
    if (!connection.isClosed()) connection.publish(subjects.runCancelled, jobId);
  }

  /**
   * Claims the run as a worker would, and ends it, so that a worker that receives its request drops it. If a worker was
   * faster, it is asked to stop; if it misses that, its result is discarded.
   */
  async #withdraw(job_id: string): Promise<void> {
    const { cancelled, clock } = this.#deps;
    const now = clock();
    const started: RunStarted = { job_id, worker_id: WORKER_ID, started_at: now };
    const isOurs = await this.#publishOnce(subjects.runStarted(job_id), RunStarted.encode(started).finish());
    if (!isOurs) this.#stopWorkerOf(job_id);
    const finished: RunFinished = {
      job_id,
      status: 'failed',
      started_at: undefined,
      finished_at: now,
      dataset_version: undefined,
      summary: undefined,
      ...CANCELLATION,
      record: undefined,
      scores: [],
    };
    await this.#publishOnce(subjects.runFinished(job_id), RunFinished.encode(finished).finish());
    await cancelled.markWithdrawn(job_id, now);
  }

  /** Returns whether the message is the only one of its subject. All processes of the service count as one publisher. */
  #publishOnce(subject: string, message: Uint8Array): Promise<boolean> {
    const publisher = WORKER_ID;
    return publishOnce(this.#deps, {
      stream: 'RUN_EVENTS',
      subject,
      message,
      publisher,
      timeoutMs: PUBLISH_TIMEOUT_MS,
    });
  }
}
