import type { JetStreamClient } from '@nats-io/jetstream';
import { RunRequested } from '#proto/saring/events/v1/runs.ts';
import type { Clock } from '#shared/clock.ts';
import type { Logger } from '#shared/logger.ts';
import { subjects } from '#shared/nats/subjects.ts';
import type { NatsPresence } from './nats-presence.ts';
import { publicationAfter, type Publication } from './publication.ts';
import type { RunRow, RunStore } from './store/run-store.ts';

/** The caller of a submission waits no longer than this for a stream that is away; the sweeper sends later. */
export const PUBLISH_TIMEOUT_MS = 750;

export interface RunRequestsDependencies {
  js: JetStreamClient;
  nats: NatsPresence;
  store: RunStore;
  clock: Clock;
  log: Logger;
}

/** Puts accepted runs before the workers. */
export class RunRequests {
  readonly #deps: RunRequestsDependencies;

  constructor(deps: RunRequestsDependencies) {
    this.#deps = deps;
  }

  /**
   * Sends the request, and remembers afterwards that the stream has it: nobody waits for that. Sending again is
   * harmless: the job id is the message id, and a worker never runs a job that was started. Never throws.
   */
  async send(run: RunRow): Promise<Publication> {
    const { js, nats, log } = this.#deps;
    if (!nats.isHere) return 'away';
    const { job_id, model_id, params, view, request_id } = run;
    const trading_day = run.trading_day ?? undefined;
    try {
      const analysis_date = String(params['analysis_date']);
      const request = { job_id, model_id, params, view, request_id, analysis_date, trading_day };
      const message = RunRequested.encode(request).finish();
      await js.publish(subjects.run(model_id), message, { msgID: job_id, timeout: PUBLISH_TIMEOUT_MS });
    } catch (error) {
      const outcome = publicationAfter(error);
      log.warn({ job_id, outcome, reason: (error as Error).message }, 'run request not sent yet');
      return outcome;
    }
    void this.#remember(job_id);
    return 'published';
  }

  /** What is not remembered is sent again by the sweeper. */
  async #remember(jobId: string): Promise<void> {
    const { store, clock, log } = this.#deps;
    try {
      await store.markRequested(jobId, clock());
    } catch (error) {
      log.warn({ job_id: jobId, reason: (error as Error).message }, 'run request sent but not remembered');
    }
  }
}
