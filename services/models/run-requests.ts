import type { JetStreamClient } from '@nats-io/jetstream';
import { RunRequested } from '#proto/saring/events/v1/runs.ts';
import type { Clock } from '#shared/clock.ts';
import type { Logger } from '#shared/logger.ts';
import { subjects } from '#shared/nats/subjects.ts';
import type { NatsPresence } from './nats-presence.ts';
import type { RunRow, RunStore } from './store/run-store.ts';

/** The caller of a submission waits no longer than this for a stream that is away; the sweeper sends later. */
const PUBLISH_TIMEOUT_MS = 750;

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
   * Sends the request and remembers that the stream has it. Sending again is harmless: the job id is the message
   * id, and a worker never runs a job that was started. Returns false when the stream or the database is away.
   */
  async send(run: RunRow): Promise<boolean> {
    const { js, nats, store, clock, log } = this.#deps;
    if (!nats.isHere) return false;
    const { job_id, model_id, params, view, request_id } = run;
    try {
      const message = RunRequested.encode({ job_id, model_id, params, view, request_id }).finish();
      await js.publish(subjects.run(model_id), message, { msgID: job_id, timeout: PUBLISH_TIMEOUT_MS });
      await store.markRequested(job_id, clock());
      return true;
    } catch (error) {
      log.warn({ job_id, reason: (error as Error).message }, 'run request not sent yet');
      return false;
    }
  }
}
